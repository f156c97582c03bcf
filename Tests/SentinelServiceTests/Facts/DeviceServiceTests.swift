// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// The machine as services of the system tell, which are the test's own.
    @Suite("Device from services", .serialized, .timeLimit(.minutes(5)))
    struct DeviceServiceTests {
        /// Services on a bus that stay as long as this does.
        private final class Services {
            var all: [MockService] = []

            func add(_ service: MockService) async throws {
                try await service.appear()
                all.append(service)
            }
        }

        @Test("services of the system are asked without being waited for, and their words count")
        func present() async throws {
            let services = Services()
            let fixture = try await FactsFixture(system: true) { _, bus in
                let bus = try #require(bus)
                try await services.add(.hostnamed(on: bus))
                try await services.add(.upower(on: bus))
                try await services.add(.logind(on: bus))
                try await services.add(.sensors(on: bus))
            }
            let device = fixture.client.device
            try await waitUntil("all services have answered") {
                let facts = try await fixture.client.properties(of: "org.sentinel.Device1")
                return facts["Vendor"] == .string("Lenovo") && facts["BatteryLevel"] == .double(42.5)
                    && facts["SessionType"] == .string("wayland")
            }
            #expect(try await device.name() == "Käthe's laptop")
            #expect(try await device.model() == "ThinkPad X1 Carbon")
            #expect(try await device.chassis() == "laptop")
            #expect(try await device.systemVersion() == "Debian 13")
            #expect(try await device.batteryState() == "charging")
            #expect(try await device.desktop() == "gnome")
            var screen: [Section] = []
            try await waitUntil("the sensor is read") {
                screen = try await fixture.deviceContent()
                return screen.value("proximity_state") == .string("near")
            }
            expectSound(screen)
            #expect(screen.value("vendor") == .string("Lenovo"))
            #expect(screen["vendor"]?.attributes["description"] == .string("source: hostnamed"))
            #expect(screen.value("session_locked") == .boolean(false))
            #expect(try await device.proximityState() == "near")
            // What hostnamed knows beside that is not asked for.
            #expect(!"\(screen)".contains("MachineID"))
            try fixture.stop()
        }

        static let batteries: [(changes: [Key: Value], state: String, level: Double, shown: Value?)] = [
            (
                ["State": .uint32(2), "Percentage": .double(56.99999999999999)], "discharging", 56.99999999999999,
                .double(57)
            ),
            (["State": .uint32(1), "Percentage": .double(0)], "charging", 0, .double(0)),
            (["State": .uint32(4), "Percentage": .double(100)], "full", 100, .double(100)),
            (["State": .uint32(0), "Percentage": .double(33.4)], "unknown", 33.4, .double(33)),
            (["IsPresent": .boolean(false)], "absent", -1, nil),
            (["State": .uint32(1), "Percentage": .double(.nan)], "charging", -1, nil),
            (["Type": .string("battery")], "absent", -1, nil),
        ]

        @Test(
            "a battery's level is exact on the bus and rounded on the screen, its state one of five",
            arguments: batteries)
        func battery(changes: [Key: Value], state: String, level: Double, shown: Value?) async throws {
            // Where this machine has a battery of its own it would stand in for what UPower does not tell.
            let supplies = try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/power_supply")
            let hasOwn = supplies?.isEmpty == false
            let services = Services()
            let fixture = try await FactsFixture(system: true) { _, bus in
                try await services.add(.upower(changes, on: try #require(bus)))
            }
            let screen = try await fixture.deviceContent()
            expectSound(screen)
            let told = (try await fixture.client.device.batteryState(), try await fixture.client.device.batteryLevel())
            #expect(["charging", "discharging", "full", "absent", "unknown"].contains(told.0))
            #expect(told.1 == -1 || (0...100).contains(told.1))
            if !hasOwn {
                #expect(told == (state, level))
                #expect(screen.value("battery_level") == shown)
                #expect(screen["battery_level"]?.attributes["unit"] == (shown == nil ? nil : .string("%")))
            }
            try fixture.stop()
        }

        @Test("a service that hangs keeps nobody waiting but who asks for all, and that one not for ever")
        func hanging() async throws {
            let services = Services()
            let fixture = try await FactsFixture(system: true) { _, bus in
                let bus = try #require(bus)
                let hostnamed = try MockService.hostnamed(on: bus)
                try await hostnamed.hang()
                try await services.add(hostnamed)
                try await services.add(.upower(on: bus))
            }
            let other = try TestClient(on: fixture.bus)
            let outcomes = Recorder<(Duration, [Section])>()
            let start = ContinuousClock.now
            let asking = Task { [fixture] in
                let screen = try await fixture.client.device.content()
                outcomes.append((ContinuousClock.now - start, screen))
            }
            var calls = 0
            while outcomes.count == 0 {
                let before = ContinuousClock.now
                _ = try await other.sentinel.listApplications()
                _ = try await other.device.name()
                calls += 2
                try #require(before - start < .seconds(30))
            }
            try await asking.value
            let (time, screen) = outcomes.elements[0]
            #expect(time > .seconds(1.5) && time < .seconds(20), "\(time)")
            #expect(calls > 20)
            expectSound(screen)
            #expect(screen.value("battery_level") == .double(43))
            #expect(
                screen.error("vendor")?.contains("hostnamed: no reply") == true || screen.value("vendor") != nil)
            try await services.all[0].hang(false)
            #expect(try await fixture.deviceContent().value("vendor") == .string("Lenovo"))
            try fixture.stop()
        }

        @Test(
            "a service that comes later is heard, and the changed properties alone are made known from their own path")
        func appearingLater() async throws {
            let fixture = try await FactsFixture(system: true)
            _ = try await fixture.deviceContent()
            let before = try await fixture.client.properties(of: "org.sentinel.Device1")
            let changes = try await fixture.client.recordChanges()
            let bus = try #require(fixture.systemBus)
            let kernelName = try await fixture.client.device.name()
            let hostnamed = try MockService.hostnamed(["PrettyHostname": .string(kernelName)], on: bus)
            try await hostnamed.appear()
            let change = try await changes.signals.deviceChange()
            #expect(change.path == "/org/sentinel")
            #expect(change.interface == "org.sentinel.Device1")
            #expect(change.invalidated == [])
            #expect(change.changed["Vendor"] == .string("Lenovo"))
            // The name is what it was, and of the rest nothing is said either.
            #expect(
                Set(change.changed.keys).isSubset(of: ["Vendor", "Model", "Chassis", "SystemVersion"]),
                "\(change.changed)")
            for (key, value) in change.changed {
                #expect(before[key] != value, "\(key)")
            }

            _ = changes.signals.takeAll()
            try await hostnamed.change(MockService.hostnamePath, ["HardwareModel": .string("T480")])
            let next = try await changes.signals.deviceChange()
            #expect(next.changed == ["Model": .string("T480")])
            // The same again changes nothing, and says nothing.
            _ = changes.signals.takeAll()
            try await hostnamed.change(MockService.hostnamePath, ["HardwareModel": .string("T480")])
            try await hostnamed.change(MockService.hostnamePath, ["HardwareModel": .string("T490")])
            let last = try await changes.signals.deviceChange()
            #expect(last.changed == ["Model": .string("T490")])
            try fixture.stop()
        }

        @Test("a battery that changes is not made known by itself: nobody is woken for each percent")
        func silentBattery() async throws {
            let services = Services()
            let fixture = try await FactsFixture(system: true) { _, bus in
                try await services.add(.upower(on: try #require(bus)))
            }
            _ = try await fixture.deviceContent()
            let changes = try await fixture.client.recordChanges()
            try await services.all[0].change(
                MockService.batteryPath, ["Percentage": .double(41), "State": .uint32(2)])
            try await waitUntil("the new level") { try await fixture.client.device.batteryLevel() == 41 }
            #expect(try await fixture.client.device.batteryState() == "discharging")
            try await fixture.client.roundTrip()
            #expect(changes.signals.count == 0)
            try fixture.stop()
        }

        @Test("what cannot be true is not believed, and nothing of it is passed on")
        func lying() async throws {
            let services = Services()
            let lie = "\u{1b}[2J\u{202e}evil"
            let fixture = try await FactsFixture(system: true) { _, bus in
                let bus = try #require(bus)
                try await services.add(
                    .hostnamed(
                        [
                            "PrettyHostname": .string(lie), "HardwareVendor": .uint32(7),
                            "HardwareModel": .string(String(repeating: "x", count: 1 << 20)),
                            "Chassis": .string("spaceship"), "OperatingSystemPrettyName": .string("a\nb"),
                        ], on: bus))
                try await services.add(
                    .upower(["Percentage": .double(250), "State": .string("full")], on: bus))
                try await services.add(.logind(["Type": .string(lie), "LockedHint": .string("no")], on: bus))
                try await services.add(.sensors(["HasProximity": .string("yes")], on: bus))
            }
            let screen = try await fixture.deviceContent()
            expectSound(screen)
            let facts = try await fixture.client.properties(of: "org.sentinel.Device1")
            #expect(!"\(screen)\(facts)".contains("evil"))
            #expect(facts["Chassis"] != .string("spaceship"))
            #expect(facts["ProximityState"] == .string("unavailable"))
            #expect(try await fixture.client.device.name().isEmpty == false)
            #expect(try await fixture.client.device.model().utf8.count <= 1024)
            try fixture.stop()
        }

        @Test("a system bus that ends takes its facts with it, and nothing else")
        func endingBus() async throws {
            let services = Services()
            let fixture = try await FactsFixture(system: true) { _, bus in
                try await services.add(.upower(on: try #require(bus)))
            }
            _ = try await fixture.deviceContent()
            #expect(try await fixture.client.device.batteryLevel() == 42.5)
            fixture.systemBus?.close()
            try await waitUntil("UPower's level is gone") {
                try await fixture.client.device.batteryLevel() != 42.5
            }
            var screen: [Section] = []
            let isQuick = try await takesLess(than: .seconds(2)) {
                let start = ContinuousClock.now
                screen = try await fixture.client.device.content()
                return .now - start
            }
            #expect(isQuick)
            expectSound(screen)
            try fixture.stop()
        }
    }
}

extension Recorder<Message> {
    /// The first change of the machine's facts; what is unavailable is told in between.
    fileprivate func deviceChange() async throws -> PropertyChange {
        var count = 1
        while true {
            let change = try PropertyChange(try await wait(for: count)[count - 1])
            if change.interface == "org.sentinel.Device1" { return change }
            count += 1
        }
    }
}
