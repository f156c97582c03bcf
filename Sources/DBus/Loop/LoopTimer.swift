// SPDX-License-Identifier: MIT

/// Something that a loop will do once at a later time; see ``EventLoop/schedule(after:_:)``.
public final class LoopTimer: Sendable {
    let deadline: ContinuousClock.Instant
    /// A function in a generic type gains a layer of conversion each time it is reached as `inout`; in a structure it
    /// stays as it is.
    private struct State {
        /// What is to be done; nil once it has been done or given up.
        var action: (@Sendable () -> Void)?
    }

    private let state: Guarded<State>

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
