// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Changing")
    struct ChangingServiceTests {
        @Test("changes are followed and told by kind")
        func changes() async throws {
            let bus = try PrivateBus()
            let upower = try MockService.upower(on: bus)
            let logind = try MockService.logind(on: bus)
            try await upower.appear()
            try await logind.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            _ = await fixture.refresh()
            let before = fixture.changes.count
            try await upower.change(MockService.batteryPath, ["Percentage": .double(41), "Energy": .double(1)])
            #expect(try await fixture.changes.wait(for: before + 1).last == [.batteryLevel])
            #expect(await fixture.facts.batteryLevel.value == 41)
            try await logind.change(MockService.sessionPath, ["LockedHint": .boolean(true)])
            #expect(try await fixture.changes.wait(for: before + 2).last == [.sessionIsLocked])
            // What is said again is no change, nor is what is not looked at.
            try await upower.change(MockService.batteryPath, ["Percentage": .double(41)])
            try await upower.change(MockService.batteryPath, ["Energy": .double(2)])
            try await upower.change(MockService.batteryPath, ["State": .uint32(4), "Percentage": .double(100)])
            #expect(try await fixture.changes.wait(for: before + 3).last == [.batteryState, .batteryLevel])
            #expect(fixture.changes.count == before + 3)
        }

        @Test("a change that comes by name alone is asked for")
        func invalidation() async throws {
            let bus = try PrivateBus()
            let service = try MockService.hostnamed(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            _ = await fixture.refresh()
            try await service.change(
                MockService.hostnamePath, ["PrettyHostname": .string("new")], invalidated: ["PrettyHostname"])
            try await fixture.wait("the new name") { $0.name.value == "new" }
        }

        @Test("a lie in a change makes its fact unknown until the truth is told")
        func lyingChange() async throws {
            let bus = try PrivateBus()
            let service = try MockService.upower(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            _ = await fixture.refresh()
            try await service.change(MockService.batteryPath, ["Percentage": .double(.nan)])
            try await fixture.wait("the level of the files") { $0.batteryLevel.value == 43.75 }
            try await service.change(MockService.batteryPath, ["Percentage": .double(12)])
            try await fixture.wait("the level of UPower") { $0.batteryLevel.value == 12 }
        }

        @Test("what others sign with the service's path changes nothing, broadcast or sent to us alone")
        func forgery() async throws {
            let bus = try PrivateBus()
            let upower = try MockService.upower(on: bus)
            let hostnamed = try MockService.hostnamed(on: bus)
            try await upower.appear()
            try await hostnamed.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            _ = await fixture.refresh()
            let before = fixture.changes.count
            let forger = try MockService("com.example.Forger", on: bus)
            try await forger.appear()
            // The monitor's own name is one of the few on this bus.
            let receivers: [BusName?] = [nil] + (0..<12).map { number in try? BusName(":1.\(number)") }
            for receiver in receivers {
                try forger.signal(
                    MockService.batteryPath, "org.freedesktop.UPower.Device", ["Percentage": .double(1)], to: receiver)
                try forger.signal(
                    MockService.hostnamePath, "org.freedesktop.hostname1", [:], invalidated: ["Hostname"], to: receiver)
            }
            try await forger.settle()
            // A true change comes after the forged ones.
            try await upower.change(MockService.batteryPath, ["State": .uint32(2)])
            #expect(try await fixture.changes.wait(for: before + 1).dropFirst(before) == [[.batteryState]])
            #expect(await fixture.facts.batteryLevel.value == 42.5)
        }

        @Test("a service that comes later is asked when it comes, and one that goes is forgotten")
        func coming() async throws {
            let bus = try PrivateBus()
            let fixture = try MonitorFixture(bus: bus.address)
            #expect(await fixture.refresh().batteryLevel.value == 43.75)
            let first = try MockService.upower(on: bus)
            try await first.appear()
            try await fixture.wait("the level of UPower") { $0.batteryLevel.value == 42.5 }
            await first.disappear()
            try await fixture.wait("the level of the files") { $0.batteryLevel.value == 43.75 }
            #expect(await fixture.facts.batteryLevel.reason?.contains("left the system bus") == true)
            let second = try MockService.upower(["Percentage": .double(7)], on: bus)
            try await second.appear()
            try await fixture.wait("the level of the second") { $0.batteryLevel.value == 7 }
            // The one that has gone has no say any more.
            try first.signal(
                MockService.batteryPath, "org.freedesktop.UPower.Device", ["Percentage": .double(99)])
            try await first.settle()
            try await second.change(MockService.batteryPath, ["Percentage": .double(8)])
            try await fixture.wait("the change of the second") { $0.batteryLevel.value == 8 }
            #expect(!fixture.changes.elements.isEmpty)
        }

        @Test("a service that is replaced while it is asked is asked again")
        func replacement() async throws {
            let bus = try PrivateBus()
            let first = try MockService.upower(on: bus)
            try await first.appear()
            // The one that hangs is given up after this.
            let fixture = try MonitorFixture(bus: bus.address, deadline: .seconds(3))
            _ = await fixture.refresh()
            try await first.hang()
            async let facts = fixture.refresh()
            let second = try MockService.upower(["Percentage": .double(7)], on: bus)
            try await second.appear()
            _ = await facts
            try await fixture.wait("the level of the second") { $0.batteryLevel.value == 7 }
        }

        @Test("hostnamed, which ends when it is idle, is believed after its end, and asked anew by a refresh")
        func idleHostnamed() async throws {
            let bus = try PrivateBus()
            let service = try MockService.hostnamed(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            #expect(await fixture.refresh().vendor.value == "Lenovo")
            await service.disappear()
            #expect(await fixture.refresh().vendor.value == "Lenovo")
            try await service.change(
                MockService.hostnamePath, ["HardwareVendor": .string("Other")], signalled: false)
            try await service.appear()
            try await fixture.wait("the new vendor") { $0.vendor.value == "Other" }
        }

        @Test("a bus that comes later is found when somebody asks, and one that goes is survived")
        func comingBus() async throws {
            let fixture: MonitorFixture
            do {
                let place = try PrivateBus()
                fixture = try MonitorFixture(bus: place.address)
                _ = await fixture.refresh()
                place.close()
            }
            try await fixture.wait("the end of the bus") {
                $0.vendor.reason?.contains("the system bus has gone") == true
            }
            let facts = await fixture.refresh()
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("the system bus cannot be reached") == true)
        }

        @Test("a bus that starts after the monitor is found by the next refresh")
        func lateBus() async throws {
            let bus = try PrivateBus()
            let link = "\(bus.directory.path)/late"
            let fixture = try MonitorFixture(bus: "unix:path=\(link)")
            #expect(await fixture.refresh().vendor.value == "LENOVO")
            let service = try MockService.hostnamed(on: bus)
            try await service.appear()
            #expect(try await Command.run(["ln", "-s", bus.directory.path(of: "bus"), link]).status == 0)
            #expect(await fixture.refresh().vendor.value == "Lenovo")
        }

        @Test("without an address of a bus the files are all there is")
        func noBus() async throws {
            let fixture = try MonitorFixture(bus: nil)
            let facts = await fixture.refresh()
            expectSound(facts)
            #expect(facts.vendor.value == "LENOVO")
            #expect(facts.vendor.reason?.contains("no system bus is known") == true)
        }

        @Test("a refresh reads the files anew and tells what has changed")
        func files() async throws {
            let fixture = try MonitorFixture(bus: nil)
            #expect(await fixture.refresh().batteryState.value == .discharging)
            try fixture.root.write("/sys/class/power_supply/BAT1/status", "Charging\n")
            #expect(await fixture.facts.batteryState.value == .discharging)
            #expect(await fixture.refresh().batteryState.value == .charging)
            #expect(fixture.changes.elements.last == [.batteryState])
        }
    }
}
