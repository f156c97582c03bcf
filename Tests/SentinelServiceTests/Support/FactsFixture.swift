// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport

/// The real service on a private session bus, with a system bus and data directories of the test's own.
final class FactsFixture: Sendable {
    let bus: PrivateBus
    /// Where services of the machine are; nil if there is no system bus.
    let systemBus: PrivateBus?
    /// The data directories: `home` is the user's, `system` the machine's.
    let tree: FileTree
    let service: SentinelProcess
    let client: TestClient

    /// Starts the service.
    ///
    /// - Parameters:
    ///   - system: whether there is a system bus.
    ///   - tree: where the data directories are; nil for a tree of its own.
    ///   - prepare: puts things in place before the service starts.
    init(
        system: Bool = false, environment: [String: String] = [:], data: String? = nil,
        tree: FileTree? = nil,
        prepare: (FileTree, PrivateBus?) async throws -> Void = { _, _ in }
    ) async throws {
        bus = try PrivateBus()
        let systemBus = system ? try PrivateBus() : nil
        self.systemBus = systemBus
        self.tree = try tree ?? FileTree()
        try await prepare(self.tree, systemBus)
        var variables = [
            "XDG_DATA_HOME": self.tree.path("home"), "XDG_DATA_DIRS": self.tree.path("system"), "LC_ALL": "de_DE.UTF-8",
        ]
        variables["DBUS_SYSTEM_BUS_ADDRESS"] = systemBus?.address
        service = try await SentinelProcess.started(
            on: bus, dataDirectory: data, environment: variables.merging(environment) { $1 })
        client = try TestClient(on: bus)
    }

    /// Ends the service as it should end.
    func stop() throws {
        guard try service.stop() == .exited(0) else {
            throw TestSupportError("sentineld did not end well: \(service.process.errors)")
        }
    }

    /// How many bytes the service has read so far of files, descriptors of events included (`rchar` of proc(5)); what it
    /// takes from sockets does not count.
    var readBytes: Int {
        get throws { try counter("rchar", in: "io") }
    }

    /// Waits until the service has read nothing for so long.
    func rest(for time: Duration, _ what: String) async throws {
        var last = -1
        var since = ContinuousClock.now
        try await waitUntil(what) {
            let now = try readBytes
            // Some wake-ups are no readings: a reading has thousands of bytes.
            if last < 0 || now - last > 200 {
                last = now
                since = .now
            }
            return ContinuousClock.now - since > time
        }
    }

    /// The machine's facts on the screen, asked for until no service of the system that is there has missed its time,
    /// as one may on a busy machine.
    func deviceContent() async throws -> [Section] {
        var screen: [Section] = []
        try await waitUntil("the services of the system answer in time") {
            screen = try await client.device.content()
            return try await missingServices()?.contains {
                $0.contains("no reply") || $0.contains("has not been connected")
            } != true
        }
        return screen
    }

    /// What `HealthDetails` says of services of the system that are missing; nil if it says nothing.
    func missingServices() async throws -> [String]? {
        guard case .array(let texts)? = try await client.sentinel.healthDetails()["services"] else { return nil }
        return texts.elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// How many file descriptors the service has open.
    var descriptorCount: Int {
        get throws { try ProcessFacts(identifier: service.process.identifier).descriptorCount }
    }

    private func counter(_ name: String, in file: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(service.process.identifier)/\(file)", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let number = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw TestSupportError("no \(name) in \(file)")
        }
        return number
    }
}
