// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("The service's own preferences", .serialized, .timeLimit(.minutes(1)))
    struct ServicePreferenceTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }
        private var preferences: Preferences1Proxy { client.preferences(at: "/org/sentinel") }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        @Test("the log level is one state with the log control's property")
        func logLevel() async throws {
            let entry = try #require(try await preferences.list().first { $0.key == "LogLevel" })
            #expect(entry.kind == "choice" && entry.value == .string("info"))
            #expect(entry.attributes["stale"] == nil && entry.attributes["live"] == .boolean(true))
            let signals = try await client.recordPreferences("Changed")
            let properties = try await client.recordChanges()
            #expect(try await preferences.set(key: "LogLevel", value: .string("debug")) == .string("debug"))
            #expect(try await client.log.logLevel() == "debug")
            try await client.log.setLogLevel("notice")
            #expect(try await preferences.get(key: "LogLevel") == .string("notice"))
            let told = try await signals.signals.wait(for: 2).map(PreferenceChangeSignal.init)
            #expect(told.map(\.values) == [["LogLevel": .string("debug")], ["LogLevel": .string("notice")]])
            #expect(told.allSatisfy { $0.path == "/org/sentinel" })
            let changed = try await properties.signals.wait(for: 2).map(PropertyChange.init)
            #expect(changed.map { $0.changed["LogLevel"] } == [.string("debug"), .string("notice")])
            try await preferences.reset(keys: ["LogLevel"])
            #expect(try await client.log.logLevel() == "info")
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "\"emerg\"") {
                _ = try await preferences.set(key: "LogLevel", value: .string("loud"))
            }
        }

        @Test("others can neither declare nor remove, and what needs layers is not supported")
        func refusals() async throws {
            await expectError(.accessDenied) { try await preferences.declare(preferences: [.of("a", .int32(1))]) }
            await expectError(.accessDenied) { try await preferences.remove(keys: ["LogLevel"]) }
            await expectError(.accessDenied) { try await preferences.update(values: ["LogLevel": .string("info")]) }
            await expectError(.notSupported) {
                try await preferences.setFor(key: "LogLevel", value: .string("debug"), seconds: 1)
            }
            await expectError(.notSupported) {
                try await preferences.setMany(values: ["LogLevel": .string("debug")])
            }
            await expectError(.notSupported) { try await preferences.saveProfile(name: "p") }
            #expect(try await preferences.explain(key: "LogLevel").map(\.layer) == ["provider"])
            #expect(try await preferences.history(key: "", options: [:]).isEmpty)
        }
    }
}
