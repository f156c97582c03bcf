// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Proximity sensor")
    struct ProximitySensorTests {
        @Test("the sensor is claimed when somebody asks, followed, and released soon after")
        func claim() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address, sensorHoldTime: .milliseconds(1500))
            try await fixture.wait("the sensor's service") {
                $0.proximity.reason == "iio-sensor-proxy: the sensor is read when somebody asks"
            }
            #expect(service.calls.elements.isEmpty)
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(service.calls.elements == ["ClaimProximity"])
            try await service.change(MockService.sensorPath, ["ProximityNear": .boolean(false)])
            try await fixture.wait("far") { $0.proximity.value == .far }
            #expect(try await service.calls.wait(for: 2) == ["ClaimProximity", "ReleaseProximity"])
            // The last known value stays.
            #expect(await fixture.facts.proximity.value == .far)
            #expect(await fixture.refresh().proximity.value == .far)
            #expect(service.calls.count == 3)
        }

        @Test("a machine without the sensor says so, and nothing is claimed")
        func noSensor() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(["HasProximity": .boolean(false)], on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.proximity.value == .unavailable)
            #expect(service.calls.elements.isEmpty)
        }

        @Test("a sensor that may not be claimed is unknown with the reason")
        func denied() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(claiming: DBusError(.accessDenied, "secret words"), on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address)).refresh()
            #expect(facts.proximity.value == nil)
            #expect(facts.proximity.reason?.contains("AccessDenied") == true)
            #expect(facts.proximity.reason?.contains("secret") == false)
        }

        @Test("a sensor whose service does not answer in time is released: it may be switched on late")
        func lateClaim() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(holdingClaims: true, on: bus)
            try await service.appear()
            let facts = await (try MonitorFixture(bus: bus.address, deadline: .milliseconds(300))).refresh()
            #expect(facts.proximity.reason?.contains("no reply") == true)
            #expect(try await service.calls.wait(for: 2) == ["ClaimProximity", "ReleaseProximity"])
        }

        @Test("a sensor whose service restarts is claimed anew")
        func restart() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address)
            #expect(await fixture.refresh().proximity.value == .near)
            await service.disappear()
            try await fixture.wait("the end of the service") { $0.proximity.value == nil }
            try await service.appear()
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(service.calls.elements == ["ClaimProximity", "ClaimProximity"])
        }
    }
}
