// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Wakes a loop from another thread (`eventfd(2)`).
final class WakeUp: EventLoop.Source, Sendable {
    private let event: FileDescriptor

    init() throws(DBusError) {
        let descriptor = eventfd(0, Int32(CLINUX_EVENTFD_FLAGS))
        guard descriptor >= 0 else {
            throw DBusError(.failed, "cannot make an event descriptor: \(describe(errno: errno))")
        }
        event = FileDescriptor(owning: descriptor)
    }

    /// Wakes the loop, or keeps it from falling asleep; callable on every thread.
    func signal() {
        eventfd_write(event.rawValue, 1)
    }

    var descriptor: Int32 { event.rawValue }

    var events: Int16 { Int16(POLLIN) }

    func handle(events: Int16) {
        var count: eventfd_t = 0
        eventfd_read(event.rawValue, &count)
    }

    var hasWork: Bool { false }

    func process() -> Bool { false }

    func loopEnded() {}
}
