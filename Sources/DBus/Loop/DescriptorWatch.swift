// SPDX-License-Identifier: MIT

import Glibc

/// A descriptor that a loop waits for; see ``EventLoop/watch(readable:_:)``.
public final class DescriptorWatch: EventLoop.Source, Sendable {
    let descriptor: Int32
    private let loop: EventLoop
    private let handler: @Sendable () -> Void

    init(descriptor: Int32, loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.handler = handler
    }

    /// Ends the watch; on the loop's thread at once, from elsewhere soon.
    public func cancel() {
        if loop.isCurrent {
            loop.remove(self)
        } else {
            loop.enqueue { self.loop.remove(self) }
        }
    }

    var events: Int16 { Int16(POLLIN) }

    func handle(events: Int16) { handler() }

    var hasWork: Bool { false }

    func process() -> Bool { false }

    func loopEnded() {}
}
