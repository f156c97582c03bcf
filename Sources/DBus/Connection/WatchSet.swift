// SPDX-License-Identifier: MIT

import CDBus
import Glibc

/// The watches of a libdbus connection: one for reading and one for writing, on the same descriptor.
///
/// libdbus holds the connection's lock while it calls back, so that only a watch's own getters may be used there.
final class WatchSet {
    private var watches: [OpaquePointer] = []

    /// Has libdbus keep this set up to date; it must be uninstalled before it goes.
    func install(on connection: OpaquePointer) -> Bool {
        let add: DBusAddWatchFunction = { watch, data in
            guard let watch, let data else { return 0 }
            WatchSet.from(data).watches.append(watch)
            return 1
        }
        let remove: DBusRemoveWatchFunction = { watch, data in
            guard let data else { return }
            WatchSet.from(data).watches.removeAll { $0 == watch }
        }
        // Whether a watch is enabled is asked each time the loop waits.
        let toggled: DBusWatchToggledFunction = { _, _ in }
        let data = Unmanaged.passUnretained(self).toOpaque()
        return dbus_connection_set_watch_functions(connection, add, remove, toggled, data, nil) != 0
    }

    func uninstall(from connection: OpaquePointer) {
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        watches = []
    }

    /// The events of `poll(2)` that are waited for.
    func events(reading: Bool) -> Int16 {
        var events: Int16 = 0
        for watch in watches where dbus_watch_get_enabled(watch) != 0 {
            let flags = dbus_watch_get_flags(watch)
            if reading, flags & DBUS_WATCH_READABLE.rawValue != 0 {
                events |= Int16(POLLIN)
            }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 {
                events |= Int16(POLLOUT)
            }
        }
        return events
    }

    /// Has libdbus read or write.
    func handle(events: Int16) {
        let failures = Self.flags(events & Int16(POLLERR | POLLHUP))
        // Handling one watch can remove another.
        for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
            let flags = dbus_watch_get_flags(watch) & Self.flags(events) | failures
            if flags != 0 {
                dbus_watch_handle(watch, flags)
            }
        }
    }

    private static func flags(_ events: Int16) -> UInt32 {
        var flags: UInt32 = 0
        if events & Int16(POLLIN) != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
        if events & Int16(POLLOUT) != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if events & Int16(POLLERR) != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
        if events & Int16(POLLHUP) != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
        return flags
    }

    private static func from(_ data: UnsafeMutableRawPointer) -> WatchSet {
        Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue()
    }
}
