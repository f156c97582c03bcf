// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Faulty")
    struct FaultyServiceTests {
        @Test("a service that hangs delays no other, and a refresh ends with its deadline")
        func hanging() async throws {
            let bus = try PrivateBus()
            let hostnamed = try MockService.hostnamed(on: bus)
            let upower = try MockService.upower(on: bus)
            try await hostnamed.hang()
            try await hostnamed.appear()
            try await upower.appear()
            let patient = try MonitorFixture(bus: bus.address)
            try await patient.wait("UPower's level", within: patience / 2) { $0.batteryLevel.value == 42.5 }
            let fixture = try MonitorFixture(bus: bus.address, deadline: .seconds(3))
            try await fixture.wait("UPower's level") { $0.batteryLevel.value == 42.5 }
            let start = ContinuousClock.now
            let facts = await fixture.refresh()
            // The library itself would wait for 25 seconds.
            #expect(ContinuousClock.now - start < .seconds(15))
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("hostnamed: no reply") == true)
            try await hostnamed.hang(false)
            #expect(await fixture.refresh().vendor.value == "Lenovo")
        }

        @Test("a service that has not answered in time is asked again when somebody reads what is known, after a while")
        func silent() async throws {
            let bus = try PrivateBus()
            let upower = try MockService.upower(on: bus)
            try await upower.hang()
            try await upower.appear()
            let fixture = try MonitorFixture(
                bus: bus.address, deadline: .seconds(1), retryInterval: .milliseconds(100))
            try await fixture.wait("UPower's silence is said") {
                $0.batteryLevel.reason?.contains("UPower: no reply") == true
            }
            try await upower.hang(false)
            try await fixture.wait("UPower's level") { $0.batteryLevel.value == 42.5 }
        }

        @Test("a service that hangs keeps no reader waiting")
        func reading() async throws {
            let bus = try PrivateBus()
            let upower = try MockService.upower(on: bus)
            try await upower.hang()
            try await upower.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            for _ in 0..<20 {
                let isQuick = await takesLess(than: .milliseconds(500)) {
                    let start = ContinuousClock.now
                    #expect(await fixture.facts.batteryLevel.value == 43.75)
                    return .now - start
                }
                #expect(isQuick)
            }
        }

        @Test("a bus that does not answer ends no refresh late, and is used when it answers again")
        func hangingBus() async throws {
            let bus = try PrivateBus()
            let hostnamed = try MockService.hostnamed(on: bus)
            try await hostnamed.appear()
            bus.send(SIGSTOP)
            let fixture = try MonitorFixture(bus: bus.address, deadline: .seconds(2))
            let start = ContinuousClock.now
            let facts = await fixture.refresh()
            #expect(ContinuousClock.now - start < .seconds(15))
            #expect(facts.vendor.value == "LENOVO")
            bus.send(SIGCONT)
            try await fixture.wait("hostnamed's vendor") { $0.vendor.value == "Lenovo" }
        }

        static let lies: [(Key, Value)] = [
            ("Percentage", .double(.nan)), ("Percentage", .double(.infinity)), ("Percentage", .double(250)),
            ("Percentage", .double(-0.5)), ("Percentage", .int32(50)), ("Percentage", .string("50")),
            ("Percentage", .variant(.double(50))), ("Percentage", .bytes([UInt8](repeating: 0, count: 1 << 20))),
        ]

        @Test("a level that cannot be is none, and the files are asked for that alone", arguments: lies)
        func lyingLevel(key: Key, value: Value) async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower([key: value], on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.batteryLevel.value == 43.75)
            #expect(facts.batteryLevel.reason?.contains("UPower: Percentage is not a number from 0 to 100") == true)
            #expect(facts.batteryState.source == "UPower")
            expectSound(facts)
        }

        @Test(
            "a text that cannot be shown is none, for its fact alone",
            arguments: [
                .string(String(repeating: "x", count: 1 << 20)), .string("a\u{1b}[31m"), .string("a\u{202e}b"),
                .uint32(1), .boolean(true), .objectPath("/a"), .variant(.string("a")), .strings(["a"]),
            ] as [Value])
        func lyingText(value: Value) async throws {
            let bus = try PrivateBus()
            let service = try MockService.hostnamed(["HardwareVendor": value, "Chassis": .string("toaster")], on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("hostnamed") == true)
            #expect(facts.vendor.reason?.utf8.count ?? 0 < 1024)
            #expect(facts.chassis.value == "laptop")
            #expect(facts.chassis.source != "hostnamed")
            #expect(facts.model.value == "ThinkPad X1 Carbon")
            expectSound(facts)
        }

        @Test("kinds of the wrong type are none")
        func lyingKinds() async throws {
            let bus = try PrivateBus()
            let upower = try MockService.upower(["Type": .string("battery")], on: bus)
            let logind = try MockService.logind(["LockedHint": .uint32(1), "State": .string("dancing")], on: bus)
            let sensors = try MockService.sensors(["HasProximity": .string("yes")], on: bus)
            for service in [upower, logind, sensors] {
                try await service.appear()
            }
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.batteryState.source == "/sys/class/power_supply")
            #expect(facts.sessionIsLocked.value == nil)
            #expect(facts.sessionState.value == nil)
            #expect(facts.sessionType.value == "wayland")
            #expect(facts.proximity.value == nil)
            #expect(sensors.calls.elements.isEmpty)
            expectSound(facts)
        }

        @Test("an object without the interface, or no object at all, is an answer")
        func noObject() async throws {
            let bus = try PrivateBus()
            let upower = try MockService("org.freedesktop.UPower", on: bus)
            let logind = try MockService("org.freedesktop.login1", on: bus)
            try await upower.appear()
            try await logind.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.batteryLevel.value == 43.75)
            #expect(facts.batteryLevel.reason?.contains("UnknownObject") == true)
            #expect(facts.sessionIsLocked.reason?.contains("logind: org.freedesktop.DBus.Error") == true)
        }

        @Test(
            "a service that is installed but cannot be started is an answer, and one that never comes up hangs nothing")
        func activation() async throws {
            let bus = try PrivateBus(activatable: [
                "org.freedesktop.hostname1": "/bin/false",
                "org.freedesktop.UPower": "/bin/sh -c \"exec sleep 30 >/dev/null 2>&1\"",
            ])
            let fixture = try MonitorFixture(bus: bus.address, deadline: .milliseconds(700))
            let start = ContinuousClock.now
            var facts = await fixture.refresh()
            #expect(ContinuousClock.now - start < .seconds(15))
            #expect(facts.vendor.value == "LENOVO")
            // A refresh ends with its own deadline, whenever the question was sent.
            try await waitUntil("hostnamed's failure is said") {
                if facts.vendor.reason?.contains("Spawn") == true { return true }
                facts = await fixture.refresh()
                return false
            }
            try await fixture.wait("UPower's silence is said") {
                $0.batteryLevel.reason?.contains("UPower: no reply") == true
            }
        }
    }
}
