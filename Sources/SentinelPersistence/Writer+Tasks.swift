// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
import SentinelModels

extension Writer {
    /// Runs work that takes many calls, after such work that was handed in before: what one deletes, another must not
    /// bring back.
    func run(_ task: @escaping Task) {
        queue.async { [self] in
            waitingTasks.append(task)
            runNextTask()
        }
    }

    private func runNextTask() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isTaskRunning, !waitingTasks.isEmpty else { return }
        isTaskRunning = true
        let task = waitingTasks.removeFirst()
        task { [self] in
            dispatchPrecondition(condition: .onQueue(queue))
            isTaskRunning = false
            runNextTask()
        }
    }

    /// Changes events in steps of a transaction each, so that others' calls get their turn between them.
    ///
    /// - Parameters:
    ///   - step: does a part from a position on, and tells how many events it changed and where it ended.
    ///   - progress: called on `queue` after each step that changed something.
    ///   - completion: called on `queue` with how many were changed.
    func changeEvents(
        from position: EventScan.Position = .start, _ changed: UInt64 = 0,
        step: @escaping EventRemoval.Step, progress: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        submitEvents(isLimited: false) { writer in
            try step(writer, position)
        } completion: { [self] result in
            if case .success((let count, _)) = result, count > 0 {
                progress()
            }
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let count, .end)): completion(.success(changed + count))
            case .success((let count, .pause(let reached))):
                changeEvents(from: reached, changed + count, step: step, progress: progress, completion: completion)
            }
        }
    }
}
