// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Locking

/// Closes the file descriptors that have come with a message, beside the thread that lets go of them.
///
/// Closing one asks its file system, also where others have the file open still: one that does not answer, as a FUSE
/// file system whose process hangs, keeps whoever closes waiting. That must not be the loop's thread.
final class DescriptorClosing: Sendable {
    /// For the descriptors of messages that nobody has taken in: however many there are, one thread waits for them.
    private static let common = DispatchQueue(label: "org.sentinel.dbus.closing", qos: .utility)

    private struct State {
        var queue = common
        var share: CallLoad.Share?
    }

    private let state = Guarded(State())

    /// Closes from now on on a queue of its own, and holds a call's share of what calls may hold until all is closed.
    func begin(_ share: CallLoad.Share) {
        let queue = DispatchQueue(label: "org.sentinel.dbus.closing.call", qos: .utility)
        state.withLock { $0 = State(queue: queue, share: share) }
    }

    /// Has `body` run, which closes descriptors and may wait.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.queue }.async { [self] in
            body()
            withExtendedLifetime(self) {}
        }
    }
}
