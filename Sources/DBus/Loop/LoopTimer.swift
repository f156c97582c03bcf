// SPDX-License-Identifier: MIT

import Locking

/// Something that a loop will do once at a later time; see ``EventLoop/schedule(after:_:)``.
public final class LoopTimer: Sendable {
    let deadline: ContinuousClock.Instant
    /// What is to be done; nil once it has been done or given up.
    private let action: Guarded<(@Sendable () -> Void)?>

    init(deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.action = Guarded(action)
    }

    /// Keeps the timer from firing; callable on every thread, at any time.
    public func cancel() {
        // What the action holds goes here, not when the loop looks at its timers: it can hold the last reference to
        // something whose end sets a timer.
        _ = takeAction()
    }

    var isCancelled: Bool { action.withLock { $0 == nil } }

    func fire() {
        takeAction()?()
    }

    private func takeAction() -> (@Sendable () -> Void)? {
        action.withLock { action in
            defer { action = nil }
            return action
        }
    }
}
