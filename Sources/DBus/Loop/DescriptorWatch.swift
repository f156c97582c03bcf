// SPDX-License-Identifier: MIT

import Glibc
import Locking

/// A descriptor that a loop waits for; see ``EventLoop/watch(readable:_:)``.
public final class DescriptorWatch: EventLoop.Source, Sendable {
    let descriptor: Int32
    private let loop: EventLoop
    private let state: Guarded<State>

    /// A structure, since a function that is locked by itself is wrapped anew at each look at it.
    private struct State {
        /// What is to be done whenever the descriptor can be read; nil once the watch has ended.
        var handler: (@Sendable () -> Void)?
    }

    init(descriptor: Int32, loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        state = Guarded(State(handler: handler))
    }

    /// Ends the watch; on the loop's thread at once, from elsewhere soon.
    public func cancel() {
        dropHandler()
        if loop.isCurrent {
            loop.remove(self)
        } else {
            loop.enqueue { self.loop.remove(self) }
        }
    }

    var events: Int16 { Int16(POLLIN) }

    func handle(events: Int16) {
        state.withLock { $0.handler }?()
    }

    var hasWork: Bool { false }

    func process() -> Bool { false }

    func loopEnded() { dropHandler() }

    /// What the handler holds goes with the watch: it can be what holds the watch.
    private func dropHandler() {
        _ = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
    }
}
