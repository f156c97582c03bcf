// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Has captured events stored. Where too many calls of others wait to be written they are tried again after a while, in
/// their order, so that a flood of those drops none of these.
///
/// Confined to the loop's thread.
final class CaptureLine: @unchecked Sendable {
    typealias Completion = EventRecorder.Completion
    /// Stores something, and tells how that went.
    typealias Work = @Sendable (_ completion: @escaping Completion) -> Void

    private struct Entry: Sendable {
        let work: Work
        let completion: Completion
    }

    /// So many may wait.
    static let limit = 1000
    /// So often the first one is tried again, each time after twice as long: half a minute in all.
    static let patience = 8
    private static let firstDelay = Duration.milliseconds(100)

    private let schedule: (Duration, @escaping @Sendable () -> Void) -> Void
    private var waiting = Queue<Entry>()
    /// How often the first one was tried again in vain.
    private var failures = 0

    /// - Parameter schedule: has something done after a delay, on the loop's thread.
    init(schedule: @escaping (Duration, @escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
    }

    /// Has something stored, after what waits.
    func add(_ work: @escaping Work, completion: @escaping Completion) {
        let entry = Entry(work: work, completion: completion)
        if waiting.isEmpty {
            attempt(entry)
        } else {
            keep(entry)
        }
    }

    private func attempt(_ entry: Entry) {
        entry.work { [self] result in
            guard case .failure(let error) = result, error.code == .limitsExceeded else {
                return entry.completion(result)
            }
            keep(entry)
        }
    }

    private func keep(_ entry: Entry) {
        guard waiting.count < Self.limit else {
            return entry.completion(
                .failure(SentinelError(.limitsExceeded, "too many captured events wait to be written")))
        }
        waiting.append(entry)
        if waiting.count == 1 {
            retrySoon(Self.firstDelay)
        }
    }

    private func retrySoon(_ delay: Duration) {
        schedule(delay) { [weak self] in self?.retry(after: delay) }
    }

    private func retry(after delay: Duration) {
        guard let entry = waiting.first else { return }
        entry.work { [self] result in
            if case .failure(let error) = result, error.code == .limitsExceeded, failures + 1 < Self.patience {
                failures += 1
                return retrySoon(delay * 2)
            }
            _ = waiting.popFirst()
            failures = 0
            entry.completion(result)
            retry(after: Self.firstDelay)
        }
    }
}
