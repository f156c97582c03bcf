// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Live preferences", .serialized, .timeLimit(.minutes(5)))
    struct LivePreferenceTests {
        private let fixture: ServiceFixture

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func provider(
            _ change: (inout TestProvider.Behaviour) -> Void
        ) async throws -> (TestProvider, Preferences1Proxy) {
            var behaviour = TestProvider.Behaviour()
            change(&behaviour)
            let provider = try await TestProvider("com.example.App", on: fixture.bus, behaviour)
            let preferences = fixture.client.preferences(at: provider.application)
            try await preferences.declare(preferences: [
                .of("level", .int64(1), ["live": .boolean(true), "max": .int64(10)]),
                .of("other", .int64(1)),
            ])
            return (provider, preferences)
        }

        private func listing(_ preferences: Preferences1Proxy) async throws -> PreferenceEntry? {
            try await preferences.list().first { $0.key == "level" }
        }

        @Test("are read from and written by the provider, which may settle on another value")
        func asked() async throws {
            let (provider, preferences) = try await provider { behaviour in
                behaviour.readPreference = { _, reply in reply(.byte(4)) }
                behaviour.writePreference = { _, _, reply in reply(.int16(9)) }
            }
            #expect(try await listing(preferences)?.attributes["stale"] == .boolean(true))
            let changes = try await fixture.client.recordPreferences("Changed")
            #expect(try await preferences.get(key: "level") == .int64(4))
            #expect(try await listing(preferences)?.attributes["stale"] == nil)
            #expect(try await preferences.set(key: "level", value: .byte(7)) == .int64(9))
            try await changes.signals.wait(for: 2)
            let told = try changes.signals.elements.map { try PreferenceChangeSignal($0) }
            #expect(told.map(\.values) == [["level": .int64(4)], ["level": .int64(9)]])
            // What does not fit never comes to the provider.
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "10") {
                _ = try await preferences.set(key: "level", value: .byte(11))
            }
            #expect(provider.calls.elements == ["ReadPreference level", "WritePreference level"])
            provider.end()
            try fixture.stop()
        }

        @Test("of a provider that does not answer keep nobody waiting for others, and end with the provider")
        func hanging() async throws {
            let held = Recorder<Reply<Value>>()
            let (provider, preferences) = try await provider { behaviour in
                behaviour.readPreference = { _, reply in held.append(reply) }
                behaviour.writePreference = { _, _, reply in held.append(reply) }
            }
            let reading = Task { await #expect(throws: DBusError.self) { try await preferences.get(key: "level") } }
            let writing = Task {
                await #expect(throws: DBusError.self) { try await preferences.set(key: "level", value: .byte(2)) }
            }
            try await held.wait(for: 2)
            #expect(try await preferences.set(key: "other", value: .byte(5)) == .int64(5))
            #expect(try await preferences.get(key: "other") == .int64(5))
            provider.end()
            for error in await [reading.value, writing.value] {
                #expect(
                    error?.code == "org.sentinel.Error.ProviderGone"
                        || error?.code == "org.sentinel.Error.ProviderTimeout", "\(String(describing: error))")
            }
            await expectError("org.sentinel.Error.Unavailable") { _ = try await preferences.get(key: "level") }
            try fixture.stop()
        }

        @Test("that a provider lies about stay as they were last known", arguments: Lie.allCases)
        func lying(lie: Lie) async throws {
            let (provider, preferences) = try await provider { behaviour in
                behaviour.readPreference = { _, reply in lie.tellValue(reply) }
                behaviour.writePreference = { _, _, reply in lie.tellValue(reply) }
            }
            try await preferences.update(values: ["level": .byte(3)])
            let changes = try await fixture.client.recordPreferences("Changed")
            for body in [
                { _ = try await preferences.get(key: "level") },
                { _ = try await preferences.set(key: "level", value: .byte(5)) },
            ] as [@Sendable () async throws -> Void] {
                await expectError("org.sentinel.Error.Unavailable") { try await body() }
            }
            #expect(try await listing(preferences)?.value == .int64(3))
            try await fixture.client.roundTrip()
            #expect(changes.signals.count == 0)
            provider.end()
            try fixture.stop()
        }

        @Test("fail with the provider's own errors")
        func ownErrors() async throws {
            let (provider, preferences) = try await provider { behaviour in
                behaviour.readPreference = { _, reply in reply.fail(DBusError("com.example.Error.Tired", "so tired")) }
                behaviour.writePreference = { _, _, reply in
                    reply.fail(DBusError("org.sentinel.Error.InvalidValue", "not today"))
                }
            }
            await expectError("com.example.Error.Tired", mentioning: "so tired") {
                _ = try await preferences.get(key: "level")
            }
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "not today") {
                _ = try await preferences.set(key: "level", value: .byte(5))
            }
            provider.end()
            try fixture.stop()
        }

        @Test("can be told of while they are written")
        func updating() async throws {
            let client = fixture.client
            let (provider, preferences) = try await provider { behaviour in
                behaviour.writePreference = { key, value, reply in
                    Task {
                        do {
                            let own = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eApp")
                            try await own.update(values: [Key(key): .byte(8)])
                            reply(value)
                        } catch {
                            reply.fail(DBusError(.failed, "\(error)"))
                        }
                    }
                }
            }
            let changes = try await client.recordPreferences("Changed")
            #expect(try await preferences.set(key: "level", value: .byte(6)) == .int64(6))
            try await changes.signals.wait(for: 2)
            let told = try changes.signals.elements.map { try PreferenceChangeSignal($0) }
            #expect(told.map(\.values) == [["level": .int64(8)], ["level": .int64(6)]])
            provider.end()
            try fixture.stop()
        }
    }
}
