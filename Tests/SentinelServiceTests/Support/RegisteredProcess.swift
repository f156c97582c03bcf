// SPDX-License-Identifier: MIT

import DBus
import TestSupport

/// A process of its own that is an instance of an application until it is killed or let go.
final class RegisteredProcess: Sendable {
    /// The process itself.
    let process: ChildProcess
    /// The application's object.
    let path: ObjectPath

    /// Registers and then does as it is told: a line "burn" on its command line has it use one core from then on.
    private static let script = """
        import sys, threading
        import dbus
        bus = dbus.SessionBus()
        sentinel = bus.get_object("org.sentinel", "/org/sentinel", introspect=False)
        path = sentinel.Register(sys.argv[1], dbus.Dictionary({}, signature="sv"), dbus_interface="org.sentinel.Sentinel1")
        print(path, flush=True)
        if "burn" in sys.argv:
            while True:
                pass
        sys.stdin.read()
        """

    /// Starts the process and waits until it has registered.
    init(
        _ id: String, on bus: PrivateBus, arguments: [String] = [], environment: [String: String] = [:],
        removing: Set<String> = []
    ) throws {
        process = try ChildProcess(
            ["/usr/bin/python3", "-I", "-c", Self.script, id] + arguments,
            environment: environment.merging(bus.environment) { $1 }, removing: removing, hasLifeline: true)
        path = try ObjectPath(try process.waitForFirstLine())
    }

    /// The number of the process.
    var identifier: Int32 { process.identifier }

    /// Ends the process and waits until it has ended.
    func end() throws {
        process.send(9)
        try process.waitForEnd()
    }
}
