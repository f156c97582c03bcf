// SPDX-License-Identifier: MIT

import Locking

/// Something that a loop will do once at a later time; see ``EventLoop/schedule(after:_:)``.
public final class LoopTimer: Sendable {
    let deadline: ContinuousClock.Instant
    private let state: Guarded<State>

    /// A structure, since a function that is locked by itself is wrapped anew at each look at it.
    private struct State {
        /// What is to be done; nil once it has been done or given up.
        var action: (@Sendable () -> Void)?
    }

    init(deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        state = Guarded(State(action: action))
    }

    /// Keeps the timer from firing; callable on every thread, at any time.
    public func cancel() {
        // What the action holds goes here, not when the loop looks at its timers: it can hold the last reference to
        // something whose end sets a timer.
        _ = takeAction()
    }

    var isCancelled: Bool { state.withLock { $0.action == nil } }

    func fire() {
        takeAction()?()
    }

    private func takeAction() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.action = nil }
            return state.action
        }
    }
}
