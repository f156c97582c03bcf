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

    /// Changes events in steps of a transaction each, so that others' calls get their turn between them. On a full disk
    /// the log may hold the room that a deletion needs: each step is tried once more without it.
    ///
    /// - Parameters:
    ///   - step: does a part from a position on, and tells how many events it changed and where it ended.
    ///   - isLastAttempt: whether room has been made for the step already.
    ///   - progress: called on `queue` after each step that changed something.
    ///   - completion: called on `queue` with how many were changed.
    func changeEvents(
        from position: EventScan.Position = .start, _ changed: UInt64 = 0,
        isLastAttempt: Bool = false, step: @escaping EventRemoval.Step,
        progress: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        submitEvents(isLimited: false) { writer in
            try step(writer, position)
        } completion: { [self] result in
            if case .success((let count, _)) = result, count > 0 {
                progress()
            }
            switch result {
            case .failure(let error):
                guard !isLastAttempt, makeRoom(after: error) else { return completion(.failure(error)) }
                changeEvents(
                    from: position, changed, isLastAttempt: true, step: step, progress: progress,
                    completion: completion)
            case .success((let count, .end)): completion(.success(changed + count))
            case .success((let count, .pause(let reached))):
                changeEvents(from: reached, changed + count, step: step, progress: progress, completion: completion)
            }
        }
    }

    /// Copies the log into the database and gives its space back, where a full disk is what an error says.
    ///
    /// - Returns: whether what failed is worth another attempt.
    func makeRoom(after error: SentinelError) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard error.code == .storageFull, backing?.files != nil, let connection = backing?.connection else {
            return false
        }
        do throws(SQLiteError) {
            return try truncateLog(connection)
        } catch {
            note(error)
            return false
        }
    }
}
