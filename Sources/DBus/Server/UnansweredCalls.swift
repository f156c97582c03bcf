// SPDX-License-Identifier: MIT

import Locking

/// Counts the calls that wait for their answer. It may be used from every thread.
final class UnansweredCalls: Sendable {
    private struct State {
        var count = 0
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    /// Notes a call that has come.
    func add() {
        state.withLock { $0.count += 1 }
    }

    /// Notes that the answer to a call has been handed to its connection, or that none is wanted.
    func remove() {
        take { $0.count -= 1 }
    }

    /// Calls `handler` once when no call waits: at once, or on the thread that answers the last.
    func whenNone(_ handler: @escaping @Sendable () -> Void) {
        take { $0.handlers.append(handler) }
    }

    private func take(_ change: (inout State) -> Void) {
        let handlers = state.withLock { state in
            change(&state)
            guard state.count == 0 else { return [@Sendable () -> Void]() }
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers {
            handler()
        }
    }
}
