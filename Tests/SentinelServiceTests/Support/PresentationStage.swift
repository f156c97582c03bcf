// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

/// A service with an application to present, and what it tells of presentations.
final class PresentationStage: Sendable {
    static let id = "com.example.App"

    let fixture: ServiceFixture
    /// The application.
    let provider: TestProvider
    private let signals: (signals: Recorder<Message>, subscription: Subscription)
    private let changes: (signals: Recorder<Message>, subscription: Subscription)

    /// Starts the service and registers the application.
    init(_ change: (inout TestProvider.Behaviour) -> Void = { _ in }) async throws {
        fixture = try await ServiceFixture()
        var behaviour = TestProvider.Behaviour()
        change(&behaviour)
        provider = try await TestProvider(Self.id, on: fixture.bus, behaviour)
        signals = try await fixture.client.record(MatchRule(interface: Sentinel1.name))
        changes = try await fixture.client.recordChanges()
    }

    var bus: PrivateBus { fixture.bus }
    var client: TestClient { fixture.client }
    var sentinel: Sentinel1Proxy { fixture.client.sentinel }

    /// Ends the service and the application.
    func stop() throws {
        provider.end()
        try fixture.stop()
    }

    /// How many match rules the service has on the bus.
    func ruleCount() async throws -> UInt32 {
        let statistics = try await RemoteInterface(
            "org.freedesktop.DBus.Debug.Stats", of: "/org/freedesktop/DBus", at: .bus, on: client.connection
        ).call("GetConnectionStats", TestClient.service.text, returning: [Key: Value].self)
        return try #require(statistics["MatchRules"]).integer()
    }

    /// The signals that have come, such as `Presented com.example.App`.
    var told: [String] {
        signals.signals.elements.map { signal in
            var body = signal.body
            return "\(signal.member?.text ?? "") \(body.optionalText() ?? "")"
        }
    }

    /// Waits for signals, and expects these and no others since the start.
    func expectTold(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitUntil("\(expected), not \(told)") { told.count >= expected.count }
        // What the service has sent before this answer has come.
        let presented = try await sentinel.presentedApplications()
        #expect(told == expected, sourceLocation: sourceLocation)
        var lists: [[String]] = []
        for signal in changes.signals.elements {
            let change = try PropertyChange(signal)
            if let list = change.changed["PresentedApplications"] {
                lists.append(try [String](list))
            }
        }
        // Each signal but that of a trigger comes with a change of the property, and nothing else changes it.
        let changing = expected.filter { !$0.hasPrefix("Triggered ") }
        #expect(lists.count == changing.count, sourceLocation: sourceLocation)
        #expect(lists.last ?? [] == presented, sourceLocation: sourceLocation)
    }

    /// Expects the application to be presented or not, and no signals but these.
    func expectPresented(
        _ isPresented: Bool, after expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectTold(expected.map { "\($0) \(Self.id)" }, sourceLocation: sourceLocation)
        #expect(
            try await sentinel.presentedApplications() == (isPresented ? [Self.id] : []),
            sourceLocation: sourceLocation)
    }
}
