// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing
import TestSupport

/// A monitor on a loop of its own, with fixture files of a laptop.
final class MonitorFixture: Sendable {
    let loop: EventLoop
    let monitor: DeviceMonitor
    let root: FixtureRoot
    let changes = Recorder<Set<DeviceFacts.Kind>>()

    init(
        bus address: String?, files: [String: String] = FixtureRoot.laptop, environment: [String: String] = [:],
        deadline: Duration = patience, retryInterval: Duration = .seconds(10),
        sensorHoldTime: Duration = .seconds(5), starts: Bool = true
    ) throws {
        loop = try EventLoop.startThread(named: "monitor")
        root = try FixtureRoot(files)
        monitor = DeviceMonitor(
            on: loop, systemBus: try address.map { try BusAddress($0) }, files: root.files(environment),
            deadline: deadline, retryInterval: retryInterval, sensorHoldTime: sensorHoldTime)
        loop.enqueue { [monitor, changes] in
            monitor.onChange = { changes.append($0) }
            if starts {
                monitor.start()
            }
        }
    }

    deinit {
        loop.enqueue { [monitor, loop] in
            monitor.stop()
            loop.stop()
        }
    }

    var facts: DeviceFacts {
        get async { await onLoop { $0.facts } }
    }

    func refresh() async -> DeviceFacts {
        await withCheckedContinuation { continuation in
            loop.enqueue { [monitor] in monitor.refresh { continuation.resume(returning: $0) } }
        }
    }

    /// Waits until a fact is what it should be, without asking the services.
    func wait(_ what: String, within limit: Duration = patience, _ condition: (DeviceFacts) -> Bool) async throws {
        try await waitUntil(what, within: limit) { condition(await facts) }
    }

    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (DeviceMonitor) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.enqueue { [monitor] in continuation.resume(returning: body(monitor)) }
        }
    }
}

/// Tests with buses, one after the other: some count what the whole process holds.
@Suite("Device services", .serialized, .timeLimit(.minutes(5)))
enum DeviceServiceTests {}
