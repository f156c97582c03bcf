// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("The service's own preferences", .serialized, .timeLimit(.minutes(5)))
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

        @Test("what is recorded and how long it is kept are one state with the properties of the events")
        func recording() async throws {
            let events = Events1Proxy(client.connection, destination: TestClient.service, path: "/org/sentinel")
            let signals = try await client.recordPreferences("Changed")
            let properties = try await client.recordChanges()
            #expect(try await preferences.get(key: "RetentionDays") == .int64(90))
            #expect(try await preferences.set(key: "RetentionDays", value: .byte(30)) == .int64(30))
            #expect(try await events.retentionDays() == 30)
            try await events.setRetentionDays(31)
            #expect(try await preferences.get(key: "RetentionDays") == .int64(31))
            #expect(try await preferences.set(key: "Capturing", value: .boolean(false)) == .boolean(false))
            #expect(try await events.capturing() == false)
            try await events.resume()
            #expect(try await preferences.get(key: "Capturing") == .boolean(true))
            #expect(try await preferences.set(key: "MaxBytes", value: .int32(1 << 20)) == .int64(1 << 20))
            #expect(try await events.maxBytes() == 1 << 20)
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "MaxBytes") {
                _ = try await preferences.set(key: "MaxBytes", value: .int32(5))
            }
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "36525") {
                _ = try await preferences.set(key: "RetentionDays", value: .int32(40_000))
            }
            let told = try await signals.signals.wait(for: 5).map(PreferenceChangeSignal.init)
            #expect(
                told.map(\.values) == [
                    ["RetentionDays": .int64(30)], ["RetentionDays": .int64(31)], ["Capturing": .boolean(false)],
                    ["Capturing": .boolean(true)], ["MaxBytes": .int64(1 << 20)],
                ])
            let changed = try properties.signals.elements.map(PropertyChange.init)
            #expect(changed.map { $0.changed["RetentionDays"] }.prefix(2) == [.uint32(30), .uint32(31)])
            try await preferences.reset(keys: ["RetentionDays", "MaxBytes"])
            #expect(try await events.retentionDays() == 90)
            #expect(try await events.maxBytes() == 0)
        }

        @Test("changes of preferences are events that tell the key alone")
        func changeEvents() async throws {
            let path = try await client.register("com.example.App")
            let own = client.preferences(at: path)
            try await own.declare(preferences: [
                .of("a", .int32(1)), .of("s", .string(""), ["sensitive": .boolean(true)]),
            ])
            _ = try await own.set(key: "a", value: .int32(2))
            _ = try await own.set(key: "s", value: .string("hunter2"))
            _ = try await own.set(key: "a", value: .int32(2))
            let events = Events1Proxy(client.connection, destination: TestClient.service, path: "/org/sentinel")
            try await waitUntil("they are recorded") {
                try await events.count(filter: ["type": .string("preference.change")]) == 2
            }
            let found = try await events.query(filter: ["type": .string("preference.change")], limit: 10, cursor: "")
                .events
            #expect(found.allSatisfy { $0.source == "com.example.App" })
            #expect(
                Set(found.map { $0.attributes["data"] }) == [
                    .options(["key": .string("a")]), .options(["key": .string("s")]),
                ])
            let document = try await client.sentinel.describe(options: [:])
            #expect(document.contains("\"a\": 2") && !document.contains("hunter2"))
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
