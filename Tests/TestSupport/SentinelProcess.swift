// SPDX-License-Identifier: MIT

import Foundation

/// The programs that were built together with the tests.
public enum BuiltProducts {
    /// The path of a program of this package.
    public static func path(of name: String) -> String {
        let test = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return test.deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// A real `sentineld` on a private bus, with a data directory of its own unless one is given.
public final class SentinelProcess: Sendable {
    /// The program itself.
    public let process: ChildProcess
    /// Where its database is.
    public let dataDirectory: String
    private let ownDirectory: TemporaryDirectory?

    /// Starts the service, without waiting for anything. Unless `environment` names one, it has no system bus and nothing
    /// configured: what this machine's services and its user's files tell is no part of a test.
    ///
    /// - Throws: ``TestSupportError`` if it cannot be started.
    public init(
        on bus: PrivateBus, dataDirectory: String? = nil, arguments: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        if let dataDirectory {
            ownDirectory = nil
            self.dataDirectory = dataDirectory
        } else {
            let directory = try TemporaryDirectory()
            ownDirectory = directory
            self.dataDirectory = directory.path(of: "data")
        }
        process = try ChildProcess(
            [BuiltProducts.path(of: "sentineld"), "--data-dir", self.dataDirectory] + arguments,
            environment: [
                "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus.directory.path(of: "no-system-bus"))",
                "XDG_CONFIG_HOME": bus.directory.path(of: "no-configuration"),
            ].merging(environment) { $1 }.merging(bus.environment) { $1 })
    }

    /// Starts the service and waits until it owns its name.
    ///
    /// - Throws: ``TestSupportError`` if it does not come to that in time.
    public static func started(
        on bus: PrivateBus, dataDirectory: String? = nil, arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> SentinelProcess {
        let service = try SentinelProcess(
            on: bus, dataDirectory: dataDirectory, arguments: arguments, environment: environment)
        try await waitUntil("sentineld answers") {
            if let ending = service.process.ending {
                throw TestSupportError("sentineld has ended (\(ending)): \(service.process.errors)")
            }
            return service.process.errors.contains("answering as org.sentinel")
        }
        return service
    }

    /// Asks the service to end, and waits for it.
    ///
    /// - Throws: ``TestSupportError`` if it does not end in time.
    @discardableResult
    public func stop() throws -> ChildProcess.Ending {
        process.send(SIGTERM)
        return try process.waitForEnd()
    }
}
