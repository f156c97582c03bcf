// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Lifetime")
    struct MonitorLifetimeTests {
        @Test("200 starts and stops leave nothing behind")
        func cycles() async throws {
            let bus = try PrivateBus()
            let services = [try MockService.hostnamed(on: bus), try .upower(on: bus), try .sensors(on: bus)]
            for service in services {
                try await service.appear()
            }
            let fixture = try MonitorFixture(bus: bus.address, starts: false)
            // The first one brings what stays: the queues' threads.
            await fixture.onLoop { $0.start() }
            _ = await fixture.refresh()
            await fixture.onLoop { $0.stop() }
            let before = try ProcessResources.descriptorCount
            for cycle in 0..<200 {
                await fixture.onLoop { $0.start() }
                if cycle.isMultiple(of: 10) {
                    _ = await fixture.refresh()
                } else if cycle.isMultiple(of: 2) {
                    await fixture.onLoop { $0.refresh { _ in } }
                }
                await fixture.onLoop { $0.stop() }
            }
            // Other suites open files meanwhile, but not 200.
            try await waitUntil("the descriptors are closed") {
                try ProcessResources.descriptorCount < before + 20
            }
        }

        @Test("monitors that are dropped while they run leave nothing behind")
        func dropped() async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(on: bus)
            try await service.appear()
            let loop = try EventLoop.startThread(named: "monitors")
            defer { loop.stop() }
            let root = try FixtureRoot(FixtureRoot.laptop)
            let address = try BusAddress(bus.address)
            let before = try ProcessResources.descriptorCount
            for _ in 0..<50 {
                await withCheckedContinuation { continuation in
                    loop.enqueue {
                        let monitor = DeviceMonitor(on: loop, systemBus: address, files: root.files())
                        monitor.start()
                        monitor.refresh { _ in continuation.resume() }
                    }
                }
            }
            try await waitUntil("the descriptors are closed") {
                try ProcessResources.descriptorCount < before + 20
            }
        }

        @Test("stopping ends a refresh with what is known, once")
        func stopping() async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(on: bus)
            try await service.hang()
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            try await fixture.wait("the connection") { $0.vendor.reason?.contains("not on the system bus") == true }
            let answers = Recorder<Double?>()
            await fixture.onLoop { monitor in
                monitor.refresh { answers.append($0.batteryLevel.value) }
                monitor.refresh { answers.append($0.batteryLevel.value) }
                monitor.stop()
            }
            #expect(answers.elements == [43.75, 43.75])
            // Who is not running answers at once, from the files.
            #expect(await fixture.refresh().batteryLevel.value == 43.75)
            try await service.settle()
            #expect(answers.count == 2)
        }

        @Test("facts are there before anything has been started")
        func notStarted() async throws {
            let fixture = try MonitorFixture(bus: nil, starts: false)
            let facts = await fixture.facts
            expectSound(facts)
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("not asked yet") == true)
        }
    }
}
