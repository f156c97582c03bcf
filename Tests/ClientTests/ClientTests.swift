// SPDX-License-Identifier: MIT

import Testing
import TestSupport

/// Programs and libraries that people have, against the real service on a bus of its own.
@Suite("Clients", .serialized)
enum ClientTests {
    /// The front door, as `busctl` wants it.
    static let door = "org.sentinel /org/sentinel org.sentinel.Sentinel1"
    /// The log control, as `busctl` wants it.
    static let logControl = "org.sentinel /org/freedesktop/LogControl1 org.freedesktop.LogControl1"
    /// What the service says that it can do.
    static let features = [
        "applications", "device", "events", "inspect", "log-control", "manifests", "performance", "preferences",
        "presentation", "tools", "triggers",
    ]
    /// What every application object has, but for the standard interfaces.
    static let applicationInterfaces = [
        "org.sentinel.Application1", "org.sentinel.Performance1", "org.sentinel.Preferences1", "org.sentinel.Tools1",
    ]
    /// What an application id has to be, as the service says it.
    static let idRule =
        "the application id is not valid: two or more elements of letters, digits, '_' and '-' are wanted, "
        + "with dots between and none beginning with a digit, as in 'com.example.App'"
}

extension ServiceOnBus {
    /// What the service says of its version when it is started with `--version`.
    static func version() async throws -> String {
        let result = try await Command.run([BuiltProducts.path(of: "sentineld"), "--version"])
        guard result.status == 0, let version = result.output.split(whereSeparator: \.isWhitespace).last else {
            throw TestSupportError("sentineld --version: \(result)")
        }
        return String(version)
    }
}
