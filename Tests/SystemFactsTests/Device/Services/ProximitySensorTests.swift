// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing
import TestSupport

extension DeviceServiceTests {
    @Suite("Proximity sensor")
    struct ProximitySensorTests {
        @Test("the sensor is claimed once when somebody asks, and followed")
        func claim() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address, sensorHoldTime: patience)
            try await fixture.wait("the sensor's service") {
                $0.proximity.reason == "iio-sensor-proxy: the sensor is read when somebody asks"
            }
            #expect(service.calls.elements.isEmpty)
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(service.calls.elements == ["ClaimProximity"])
            try await service.change(MockService.sensorPath, ["ProximityNear": .boolean(false)])
            try await fixture.wait("far") { $0.proximity.value == .far }
            #expect(service.calls.elements == ["ClaimProximity"])
        }

        @Test("the sensor is released soon after somebody has asked, what it told stays, and it is claimed again")
        func release() async throws {
            let bus = try PrivateBus()
            let service = try MockService.sensors(on: bus)
            try await service.appear()
            let fixture = try MonitorFixture(bus: bus.address, sensorHoldTime: .seconds(1))
            // Where the machine is busy, it may be released before it has been read.
            try await waitUntil("the sensor is read") { await fixture.refresh().proximity.value == .near }
            try await waitUntil("it is released") { service.calls.elements.last == "ReleaseProximity" }
            #expect(await fixture.facts.proximity.value == .near)
            let count = service.calls.count
            #expect(await fixture.refresh().proximity.value == .near)
            #expect(service.calls.elements.dropFirst(count).first == "ClaimProximity")
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
            let fixture = try MonitorFixture(bus: bus.address, deadline: .seconds(1))
            // A refresh ends with its own deadline, whenever the claim was sent, if it was.
            try await waitUntil("the sensor is claimed") {
                _ = await fixture.refresh()
                return service.calls.count > 0
            }
            try await fixture.wait("the silence is said") {
                $0.proximity.reason?.contains("cannot be claimed: no reply") == true
            }
            #expect(try await service.calls.wait(for: 2).prefix(2) == ["ClaimProximity", "ReleaseProximity"])
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
