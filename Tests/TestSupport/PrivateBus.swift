// SPDX-License-Identifier: MIT

import Foundation

/// A message bus of the test's own: a `dbus-daemon` on a socket in its own directory.
///
/// It ends, and its directory goes, with ``close()`` or the last reference to it.
public final class PrivateBus: Sendable {
    /// Where the bus listens. Pass it on explicitly; this process's environment stays as it is.
    public let address: String
    /// The directory of the bus; what a test puts there goes with it.
    public let directory: TemporaryDirectory
    private let daemon: ChildProcess
    /// Ends the bus, and removes its directory, also when this process is killed.
    private let watchdog: ChildProcess

    /// Starts a bus and waits until it listens.
    ///
    /// - Parameter activatable: services that the bus can start, each with its command line.
    /// - Throws: ``TestSupportError`` if there is no `dbus-daemon` or it does not start.
    public init(activatable: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        let services = directory.path(of: "data/dbus-1/services")
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        for (name, command) in activatable {
            try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
                .write(toFile: "\(services)/\(name).service", atomically: true, encoding: .utf8)
        }
        daemon = try ChildProcess(
            [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address",
                "--address=unix:path=\(directory.path(of: "bus"))",
            ],
            environment: [
                "XDG_DATA_HOME": directory.path(of: "data"), "XDG_DATA_DIRS": directory.path(of: "none"),
                "XDG_CONFIG_HOME": directory.path(of: "no-configuration"), "XDG_RUNTIME_DIR": directory.path,
            ],
            removing: ["DBUS_SESSION_BUS_ADDRESS"])
        watchdog = try ChildProcess(
            ["sh", "-c", "read -r nothing; kill -KILL $0; rm -rf \"$1\"", "\(daemon.identifier)", directory.path],
            hasLifeline: true)
        address = try daemon.waitForFirstLine()
    }

    deinit {
        close()
    }

    /// What a program needs in its environment to find the bus.
    public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// The number of the daemon's process.
    public var processIdentifier: Int32 { daemon.identifier }

    /// Sends a signal to the daemon: `SIGSTOP` for a bus that hangs, `SIGKILL` for one that crashes.
    public func send(_ signal: Int32) {
        daemon.send(signal)
    }

    /// Ends the bus and waits until it is gone; does nothing the second time.
    public func close() {
        watchdog.send(SIGKILL)
        daemon.send(SIGKILL)
        do {
            try watchdog.waitForEnd()
            try daemon.waitForEnd()
        } catch {
            // A process that SIGKILL does not end is beyond this one.
        }
        directory.remove()
    }
}
