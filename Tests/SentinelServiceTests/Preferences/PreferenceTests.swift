// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Preferences", .serialized, .timeLimit(.minutes(5)))
    struct PreferenceTests {
        private static let invalidValue: ErrorName = "org.sentinel.Error.InvalidValue"
        private static let unknownPreference: ErrorName = "org.sentinel.Error.UnknownPreference"
        private static let readOnly: ErrorName = "org.sentinel.Error.ReadOnly"

        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func application(
            _ id: String = "com.example.App", _ declarations: PreferenceDeclaration...
        ) async throws -> Preferences1Proxy {
            let preferences = client.preferences(at: try await client.register(id))
            try await preferences.declare(preferences: declarations)
            return preferences
        }

        private static func choices(_ values: (Value, String)...) throws -> Value {
            .array(
                try ArrayValue(
                    values.map { .structure([.variant($0.0), .string($0.1)]) }, elementType: "(vs)"))
        }

        @Test("an application declares, reads and listens, and every kind makes the round trip")
        func roundTrip() async throws {
            let preferences = try await application(
                "com.example.App",
                .of("toggle", .boolean(true)), .of("integer", .byte(5), ["min": .int32(0), "max": .uint64(10)]),
                .of("double", .double(0.5), ["max": .int16(2)]), .of("text", .string("e\u{301}")),
                .of(
                    "choice", .string("light"),
                    ["choices": try Self.choices((.string("light"), "Same"), (.string("dark"), "Same"))]))
            let entries = try await preferences.list()
            #expect(entries.map(\.kind) == ["toggle", "integer", "double", "text", "choice"])
            #expect(
                entries.map(\.value) == [
                    .boolean(true), .int64(5), .double(0.5), .string("e\u{301}"), .string("light"),
                ])
            #expect(entries.map(\.value) == entries.map(\.defaultValue))
            #expect(entries[1].attributes == ["min": .int64(0), "max": .int64(10), "layer": .string("default")])
            #expect(entries[2].attributes["max"] == .double(2))
            let changes = try await client.recordPreferences("Changed")
            let set: [(String, Value, Value)] = [
                ("toggle", .boolean(false), .boolean(false)), ("integer", .variant(.variant(.uint16(7))), .int64(7)),
                ("double", .uint32(1), .double(1)), ("text", .string("\u{E9}"), .string("\u{E9}")),
                ("choice", .string("dark"), .string("dark")),
            ]
            for (key, value, expected) in set {
                #expect(try await preferences.set(key: key, value: value) == expected)
                #expect(try await preferences.get(key: key) == expected)
            }
            let told = try await changes.signals.wait(for: 5).map(PreferenceChangeSignal.init)
            #expect(told == set.map { PreferenceChangeSignal(preferences.path, [$0.0], [Key($0.0): $0.2]) })
            #expect(
                try await preferences.getAll()
                    == Dictionary(uniqueKeysWithValues: set.map { (Key($0.0), $0.2) }))
            #expect(try await preferences.list().allSatisfy { $0.attributes["modified"] == .boolean(true) })
            try fixture.stop()
        }

        @Test(
            "a value of a wrong type or out of range is refused with what is expected, and nothing changes",
            arguments: [
                ("integer", Value.boolean(true), "an integer from 0 to 10"),
                ("integer", .double(1), "an integer from 0 to 10"), ("integer", .string("1"), "from 0 to 10"),
                ("integer", .int64(11), "from 0 to 10"), ("integer", .uint64(.max), "from 0 to 10"),
                ("toggle", .int32(1), "true or false"), ("toggle", .string("true"), "true or false"),
                ("double", .boolean(false), "a finite number"), ("double", .double(.nan), "a finite number"),
                ("double", .double(.infinity), "a finite number"), ("double", .int64(.max), "a finite number"),
                ("integer", .uint64(1 << 63), "from 0 to 10"), ("double", .uint64(1 << 63), "a finite number"),
                ("text", .objectPath("/a"), "text"), ("text", .signature("s"), "text"), ("text", .int64(1), "text"),
                ("integer", .uint64(.max), "a whole number of 64 bits with a sign"),
                ("integer", .string("1"), "of another type"),
                ("text", .strings(["a"]), "text"), ("choice", .string("Same"), "\"light\", \"dark\""),
            ])
        func refusals(key: String, value: Value, expectation: String) async throws {
            let preferences = try await application(
                "com.example.App", .of("toggle", .boolean(true)), .of("other", .int32(1)),
                .of("integer", .byte(5), ["min": .int32(0), "max": .int32(10)]), .of("double", .double(0.5)),
                .of("text", .string("")),
                .of(
                    "choice", .string("light"),
                    ["choices": try Self.choices((.string("light"), "Same"), (.string("dark"), "Same"))]))
            let changes = try await client.recordPreferences()
            await expectError(Self.invalidValue, mentioning: key, expectation) {
                _ = try await preferences.set(key: key, value: value)
            }
            await expectError(Self.invalidValue, mentioning: key, expectation) {
                try await preferences.setMany(values: ["other": .int32(2), Key(key): value])
            }
            await expectError(Self.invalidValue, mentioning: key, expectation) {
                try await preferences.setFor(key: key, value: value, seconds: 10)
            }
            #expect(try await preferences.history(key: "", options: [:]).isEmpty)
            try await client.roundTrip()
            #expect(changes.signals.count == 0)
        }

        @Test("a declaration that cannot be kept to is refused, and the whole batch with it")
        func badDeclarations() async throws {
            let preferences = try await application()
            let bad: [PreferenceDeclaration] = [
                .of("a", .string("x"), ["min": .int32(1)]), .of("a", .int32(1), ["min": .int32(3), "max": .int32(2)]),
                .of("a", .int32(1), ["min": .boolean(true)]), .of("a", .int32(1), ["min": .strings([])]),
                .of("a", .int32(1), ["live": .int32(1)]), .of("a", .string(""), ["pattern": .string("(")]),
                .of("a", .string("x"), ["choices": .strings(["x"])]),
                .of("a", .string("x"), ["max_length": .int32(-1)]),
                .of("a", .string("x"), ["choices": try Self.choices()]), .of("a", .objectPath("/")),
                .of("a", .double(.nan)), .of("a", .bytes([])),
                .of("a", .uint64(.max), ["min": .int32(0), "pattern": .string("")]), .of("a", .uint64(1 << 63)),
                .of("", .int32(1)), .of("a\n", .int32(1)), .of(String(repeating: "a", count: 256), .int32(1)),
                .of("good", .int32(1)),
            ]
            for declaration in bad {
                await expectError(.invalidArgs) {
                    try await preferences.declare(preferences: [.of("good", .int32(1)), declaration])
                }
            }
            await expectError(.invalidArgs, mentioning: "min", "a finite number") {
                try await preferences.declare(preferences: [.of("a", .double(1), ["min": .double(.nan)])])
            }
            #expect(try await preferences.list().isEmpty)
            // Unknown attributes are ignored, and an empty batch is one.
            try await preferences.declare(preferences: [.of("a", .int32(1), ["colour": .string("red")])])
            try await preferences.declare(preferences: [])
            #expect(try await preferences.list().count == 1)
        }

        @Test(
            "a key that is none, and one that is not declared, are told apart", arguments: ["", "a\u{7}b", "\u{202E}a"])
        func keys(malformed: String) async throws {
            let preferences = try await application()
            await expectError(.invalidArgs) { _ = try await preferences.get(key: malformed) }
            await expectError(.invalidArgs) { _ = try await preferences.explain(key: malformed) }
            await expectError(.invalidArgs) { try await preferences.setMany(values: [Key(malformed): .int32(1)]) }
            for key in ["a-b", "token_with_special_&", "/", "../", "\u{1F989}"] {
                await expectError(Self.unknownPreference) { _ = try await preferences.get(key: key) }
                try await preferences.declare(preferences: [.of(key, .int32(1))])
                #expect(try await preferences.get(key: key) == .int64(1))
            }
            await expectError(.invalidArgs) {
                _ = try await preferences.get(key: String(repeating: "a", count: 65_536))
            }
        }

        @Test("signals and properties are those of the right application")
        func paths() async throws {
            let first = try await application("com.example.First", .of("a", .int32(1)))
            let second = try await application("com.example.Second", .of("a", .int32(1)))
            let signals = try await client.recordPreferences()
            let properties = try await client.recordChanges()
            _ = try await second.set(key: "a", value: .int32(2))
            try await second.saveProfile(name: "p\u{301}")
            try await second.applyProfile(name: "p\u{301}")
            try await second.remove(keys: ["a"])
            let told = try await signals.signals.wait(for: 2)
            #expect(told.allSatisfy { $0.path == second.path })
            #expect(told.map(\.member?.text) == ["Changed", "Removed"])
            let changed = try await properties.signals.wait(for: 2).map(PropertyChange.init)
            #expect(changed.allSatisfy { $0.path == second.path && $0.interface == "org.sentinel.Preferences1" })
            #expect(changed.map(\.changed) == [["Profiles": .strings(["p\u{301}"])], ["Profile": .string("p\u{301}")]])
            #expect(try await second.profile() == "p\u{301}")
            #expect(try await second.profiles() == ["p\u{301}"])
            #expect(try await first.profile() == "")
            #expect(try await first.profiles() == [])
            #expect(try await first.get(key: "a") == .int64(1))
        }

        @Test("values of sensitive and private preferences are in no broadcast and not in the log")
        func secrets() async throws {
            let preferences = try await application(
                "com.example.App", .of("s", .string(""), ["sensitive": .boolean(true), "max_length": .uint32(20)]),
                .of("p", .string(""), ["private": .boolean(true)]))
            let signals = try await client.recordPreferences()
            _ = try await preferences.set(key: "s", value: .string("hunter2-secret"))
            _ = try await preferences.set(key: "p", value: .string("hunter2-private"))
            await expectError(Self.invalidValue) {
                _ = try await preferences.set(key: "s", value: .string("hunter2-which-is-too-long"))
            }
            let told = try await signals.signals.wait(for: 2).map(PreferenceChangeSignal.init)
            #expect(told.map(\.keys) == [["s"], ["p"]] && told.allSatisfy { $0.values.isEmpty })
            let history = try await preferences.history(key: "s", options: [:])
            #expect(history[0].attributes["sensitive"] == .boolean(true) && history[0].attributes["new"] == nil)
            #expect(try await preferences.export(options: [:]).contains("hunter2-secret") == false)
            #expect(
                try await preferences.export(options: ["include_sensitive": .boolean(true)]).contains("hunter2-secret"))
            #expect(try await preferences.get(key: "s") == .string("hunter2-secret"))
            try fixture.stop()
            #expect(fixture.service.process.errors.contains("hunter2") == false)
        }

        @Test("who has changed what is told: an application by its id, another by its program")
        func origins() async throws {
            let preferences = try await application("com.example.App", .of("a", .int32(1)))
            _ = try await preferences.set(key: "a", value: .int32(2))
            let call = try await Command.run(
                [
                    "busctl", "--user", "call", "org.sentinel", preferences.path.text, "org.sentinel.Preferences1",
                    "Set",
                    "sv", "a", "i", "3",
                ], environment: fixture.bus.environment)
            #expect(call.output == "v x 3\n")
            let history = try await preferences.history(key: "a", options: ["limit": .uint32(10)])
            #expect(history.map { $0.attributes["origin"] } == [.string("busctl"), .string("com.example.App")])
            #expect(history[0].attributes["old"] == .int64(2) && history[0].attributes["new"] == .int64(3))
            let older = try await preferences.history(key: "a", options: ["before": .uint64(history[0].change)])
            #expect(older.map(\.change) == [history[1].change])
            await expectError(.invalidArgs) {
                _ = try await preferences.history(key: "", options: ["limit": .uint32(10_001)])
            }
            await expectError(.invalidArgs) {
                _ = try await preferences.history(key: "", options: ["before": .string("1")])
            }
            try await preferences.undo(change: history[0].change)
            #expect(try await preferences.get(key: "a") == .int64(2))
            await expectError("org.sentinel.Error.UnknownChange") { try await preferences.undo(change: .max) }
            await expectError("org.sentinel.Error.Conflict") {
                try await preferences.undo(change: history[0].change)
            }
        }

        @Test("what an application is launched with is in force as long as that instance runs")
        func launch() async throws {
            let preferences = try await application(
                "com.example.App", .of("a", .int32(1), ["max": .int32(10)]), .of("b", .string("")))
            let signals = try await client.recordPreferences("Changed")
            let older = try TestClient(on: fixture.bus)
            try await older.register("com.example.App", ["launch": .options(["a": .byte(5), "b": .int32(1)])])
            #expect(try await preferences.get(key: "a") == .int64(5))
            #expect(try await preferences.get(key: "b") == .string(""))
            #expect(try await preferences.explain(key: "a").map(\.layer) == ["launch", "default"])
            await expectError(Self.readOnly, mentioning: "launch") {
                _ = try await preferences.set(key: "a", value: .int32(2))
            }
            let details = try await client.sentinel.healthDetails()
            #expect("\(try #require(details["values"]))".contains("com.example.App"))
            #expect(try await client.sentinel.health() == "ok")
            // The newest that says anything counts; one that says nothing changes nothing.
            let newer = try TestClient(on: fixture.bus)
            try await newer.register("com.example.App")
            #expect(try await preferences.get(key: "a") == .int64(5))
            try await newer.register("com.example.App", ["launch": .options(["a": .byte(6)])])
            #expect(try await preferences.get(key: "a") == .int64(6))
            newer.close()
            try await waitUntil("the older one's is in force") { try await preferences.get(key: "a") == .int64(5) }
            older.close()
            try await waitUntil("nothing is overridden") { try await preferences.get(key: "a") == .int64(1) }
            let told = try await signals.signals.wait(for: 4).map(PreferenceChangeSignal.init)
            #expect(told.map { $0.values["a"] } == [5, 6, 5, 1].map { .int64($0) })
            #expect(try await client.sentinel.healthDetails()["values"] == nil)
        }

        @Test("an override ends by itself")
        func temporary() async throws {
            let preferences = try await application("com.example.App", .of("a", .int32(1)))
            let signals = try await client.recordPreferences("Changed")
            try await preferences.setFor(key: "a", value: .int32(2), seconds: 0.3)
            try await signals.signals.wait(for: 2)
            #expect(
                try signals.signals.elements.map { try PreferenceChangeSignal($0).values["a"] } == [
                    .int64(2), .int64(1),
                ])
            #expect(try await preferences.get(key: "a") == .int64(1))
            for seconds in [0, -1, .nan, .infinity, 4e9] {
                await expectError(.invalidArgs) {
                    try await preferences.setFor(key: "a", value: .int32(2), seconds: seconds)
                }
            }
        }

        @Test("without a provider a live preference is unavailable, shown as stale, and told by Update")
        func live() async throws {
            let preferences = try await application(
                "com.example.App", .of("l", .int32(1), ["live": .boolean(true)]), .of("a", .int32(1)))
            let unavailable: ErrorName = "org.sentinel.Error.Unavailable"
            await expectError(unavailable) { _ = try await preferences.get(key: "l") }
            await expectError(unavailable) { _ = try await preferences.set(key: "l", value: .int32(2)) }
            await expectError(.notSupported) { try await preferences.setFor(key: "l", value: .int32(2), seconds: 1) }
            await expectError(.notSupported) { try await preferences.setMany(values: ["l": .int32(2)]) }
            await expectError(.notSupported) {
                let document = #"{"application": "com.example.App", "version": 1, "preferences": {"l": 2}}"#
                _ = try await preferences.import(document: document, options: [:])
            }
            let entry = try await preferences.list()[0]
            #expect(entry.attributes["stale"] == .boolean(true) && entry.attributes["layer"] == .string("provider"))
            #expect(try await preferences.getAll() == ["a": .int64(1)])
            #expect(try await preferences.explain(key: "l").map(\.layer) == ["provider"])
            try await preferences.update(values: ["l": .uint16(3)])
            #expect(try await preferences.getAll() == ["a": .int64(1), "l": .int64(3)])
            await expectError(.invalidArgs) { try await preferences.update(values: ["a": .int32(1)]) }
            await expectError(Self.invalidValue) { try await preferences.update(values: ["l": .boolean(true)]) }
        }

        @Test("empty arguments have a defined result")
        func empty() async throws {
            let preferences = try await application("com.example.App", .of("a", .int32(1)))
            _ = try await preferences.set(key: "a", value: .int32(2))
            try await preferences.setMany(values: [:])
            try await preferences.remove(keys: [])
            try await preferences.update(values: [:])
            try await preferences.applyProfile(name: "")
            #expect(try await preferences.compare(profileA: "", profileB: "").isEmpty)
            await expectError(.invalidArgs) { try await preferences.saveProfile(name: "") }
            await expectError(.invalidArgs) { try await preferences.deleteProfile(name: "") }
            await expectError(.invalidArgs) { _ = try await preferences.import(document: "", options: [:]) }
            #expect(try await preferences.get(key: "a") == .int64(2))
            try await preferences.reset(keys: [])
            #expect(try await preferences.get(key: "a") == .int64(1))
        }
    }
}
