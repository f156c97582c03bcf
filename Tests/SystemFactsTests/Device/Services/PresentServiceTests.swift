// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Present")
    struct PresentServiceTests {
        @Test("services that answer are believed before the files")
        func all() async throws {
            let bus = try PrivateBus()
            let services = [
                try MockService.hostnamed(on: bus), try .upower(on: bus), try .logind(on: bus), try .sensors(on: bus),
            ]
            for service in services {
                try await service.appear()
            }
            let fixture = try MonitorFixture(bus: bus.address, environment: ["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"])
            let facts = await fixture.refresh()
            expectSound(facts)
            #expect(facts.name.value == "Käthe's laptop")
            #expect(facts.name.source == "hostnamed")
            #expect(facts.model.value == "ThinkPad X1 Carbon")
            #expect(facts.vendor.value == "Lenovo")
            #expect(facts.chassis.value == "laptop")
            #expect(facts.systemVersion.value == "Debian 13")
            #expect(facts.batteryState.value == .charging)
            #expect(facts.batteryState.source == "UPower")
            #expect(facts.batteryLevel.value == 42.5)
            #expect(facts.proximity.value == .near)
            #expect(facts.sessionType.value == "wayland")
            #expect(facts.desktop.value == "ubuntu:GNOME")
            #expect(facts.sessionState.value == "active")
            #expect(facts.sessionIsLocked.value == false)
            #expect(facts.processorCount.value == 3)
        }

        private static let hostnamed = "/lib/systemd/systemd-hostnamed"

        @Test(
            "the real systemd-hostnamed is understood",
            .enabled(if: FileManager.default.isExecutableFile(atPath: hostnamed), "systemd is not installed"))
        func realHostnamed() async throws {
            let bus = try PrivateBus()
            let service = try ChildProcess([Self.hostnamed], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
            let fixture = try MonitorFixture(bus: bus.address, files: [:])
            try await fixture.wait("hostnamed's answer, where it has written: \(service.errors)") {
                $0.name.source == "hostnamed"
            }
            let facts = await fixture.facts
            expectSound(facts)
            #expect(facts.systemVersion.value == DeviceFiles().facts().systemVersion.value)
            #expect(facts.systemVersion.source == "hostnamed")
        }

        @Test("without a refresh the services are asked too, and nobody waits for them")
        func background() async throws {
            let bus = try PrivateBus()
            let service = try MockService.hostnamed(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            try await fixture.wait("hostnamed's vendor") { $0.vendor.value == "Lenovo" }
            #expect(await fixture.facts.batteryLevel.source == "/sys/class/power_supply")
        }

        @Test("the files stand in for services that are not on the bus, and the reason says so")
        func absent() async throws {
            let bus = try PrivateBus()
            let fixture = try MonitorFixture(
                bus: bus.address, environment: ["XDG_SESSION_TYPE": "x11"], deadline: .seconds(10))
            let start = ContinuousClock.now
            let facts = await fixture.refresh()
            #expect(ContinuousClock.now - start < .seconds(10))
            expectSound(facts)
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("hostnamed: not on the system bus") == true)
            #expect(facts.batteryLevel.value == 43.75)
            #expect(facts.sessionType.value == "x11")
            #expect(facts.sessionType.source == "XDG_SESSION_TYPE")
            #expect(facts.proximity.value == nil)
            #expect(facts.proximity.reason == "iio-sensor-proxy: not on the system bus")
            #expect(facts.sessionIsLocked.value == nil)
        }

        @Test(
            "what UPower tells of the battery is told in our words",
            arguments: [
                (1, .charging), (2, .discharging), (4, .full), (0, .discharging), (3, .discharging),
                (5, .discharging), (77, .discharging),
            ] as [(UInt32, BatteryState)])
        func batteryStates(code: UInt32, state: BatteryState) async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(["State": .uint32(code)], on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            // For what is none of our words the files are asked, which say discharging.
            #expect(facts.batteryState.value == state)
            #expect((facts.batteryState.source == "UPower") == [1, 2, 4].contains(code))
            #expect(facts.batteryLevel.value == 42.5)
        }

        @Test("where the files know of no battery, UPower's has a state that is unknown rather than none")
        func foreignBattery() async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(["State": .uint32(0)], on: bus)
            try await service.appear()
            let files = ["/sys/class/tty/tty": ""]
            let facts = await (try MonitorFixture(bus: bus.address, files: files)).refresh()
            #expect(facts.batteryState.value == nil)
            #expect(facts.batteryState.reason?.hasSuffix("UPower: there is a battery") == true)
            #expect(facts.batteryLevel.value == 42.5)
            expectSound(facts)
        }

        @Test(
            "a machine without a battery has none, whatever the level is said to be",
            arguments: [
                ["IsPresent": .boolean(false)], ["Type": .uint32(0)], ["Type": .uint32(3)],
            ] as [[Key: Value]])
        func noBattery(changes: [Key: Value]) async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(changes, on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.batteryState.value == .absent)
            #expect(facts.batteryLevel.value == nil)
            expectSound(facts)
        }

        @Test("an empty pretty host name is none, and logind's desktop counts where the session names none")
        func fallbacks() async throws {
            let bus = try PrivateBus()
            let hostnamed = try MockService.hostnamed(["PrettyHostname": .string("")], on: bus)
            let logind = try MockService.logind(["Type": .string("unspecified")], on: bus)
            try await hostnamed.appear()
            try await logind.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.name.value == "kaethe")
            #expect(facts.desktop.value == "gnome")
            #expect(facts.desktop.source == "logind")
            #expect(facts.sessionType.value == nil)
        }

        @Test("placeholders of the firmware are none from hostnamed either")
        func placeholders() async throws {
            let bus = try PrivateBus()
            let service = try MockService.hostnamed(
                ["HardwareVendor": .string("To Be Filled By O.E.M."), "HardwareModel": .string("")], on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.model.value == "20F6CTO1WW")
        }
    }
}
