// SPDX-License-Identifier: MIT

import DBus
import TestSupport

/// A private bus with the real service on it, and one client.
final class ServiceFixture: Sendable {
    let bus: PrivateBus
    let service: SentinelProcess
    let client: TestClient

    init(arguments: [String] = [], environment: [String: String] = [:]) async throws {
        bus = try PrivateBus()
        service = try await SentinelProcess.started(on: bus, arguments: arguments, environment: environment)
        client = try TestClient(on: bus)
    }

    /// Ends the service as it should end.
    func stop() throws {
        let ending = try service.stop()
        guard ending == .exited(0) else {
            throw TestSupportError("sentineld did not end well (\(ending)): \(service.process.errors)")
        }
    }
}
