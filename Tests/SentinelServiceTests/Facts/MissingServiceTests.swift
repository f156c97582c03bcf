// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// What `HealthDetails` says of services of the system that are not there.
    @Suite("Missing services", .serialized, .timeLimit(.minutes(5)))
    struct MissingServiceTests {
        @Test("without a system bus the details say so once somebody has asked, and the health stays ok")
        func noBus() async throws {
            let fixture = try await FactsFixture()
            #expect(try await fixture.missingServices() == nil)
            _ = try await fixture.deviceContent()
            let missing = try #require(try await fixture.missingServices())
            #expect(missing.count == 1)
            #expect(missing.first?.hasPrefix("the system bus cannot be reached") == true)
            #expect(try await fixture.client.sentinel.health() == "ok")
            let described = try JSON(try await fixture.client.sentinel.describe(options: [:]))
            #expect(described["service"]?["health_details"]?["services"]?[0]?.text == missing.first)
            try fixture.stop()
        }

        @Test("a service that is missing is named until it comes, and each change is signalled")
        func comesLater() async throws {
            let fixture = try await FactsFixture(system: true)
            let bus = try #require(fixture.systemBus)
            _ = try await fixture.deviceContent()
            let missing = try #require(try await fixture.missingServices())
            #expect(missing.count == 4)
            #expect(missing.contains("UPower: not on the system bus: charge and state of batteries are unavailable"))
            let changes = try await fixture.client.recordChanges()
            let upower = try MockService.upower(on: bus)
            try await upower.appear()
            try await waitUntil("UPower is no longer missing") { try await fixture.missingServices()?.count == 3 }
            try await waitUntil("the change is signalled") {
                try changes.signals.elements.contains {
                    let change = try PropertyChange($0)
                    return change.interface == "org.sentinel.Sentinel1" && change.changed["HealthDetails"] != nil
                }
            }
            changes.subscription.cancel()
            try fixture.stop()
        }
    }
}
