// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Every kind on every path of the bus", .serialized, .timeLimit(.minutes(5)))
    struct PreferencePathTests {
        /// A way by which a value comes to a preference.
        enum Path: CaseIterable {
            case call, property, manifest, importing, profile, provider, launch
        }

        /// A kind of preference on a path.
        struct Case: Sendable, CustomTestStringConvertible {
            let kind: PreferenceKindSample
            let path: Path

            var testDescription: String { "\(kind.name) by \(path)" }

            /// All there are: a property is there for what the service itself has of a kind.
            static var all: [Case] {
                PreferenceKindSample.all.flatMap { kind in
                    Path.allCases.filter { $0 != .property || kind.property != nil }.map { Case(kind: kind, path: $0) }
                }
            }
        }

        private static let id = "com.example.App"
        private static let place = "home/sentinel/apps/\(id).json"

        private let fixture: FactsFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await FactsFixture()
        }

        @Test("a value of the kind is in force with its type, another is refused and never is", arguments: Case.all)
        func path(of test: Case) async throws {
            switch test.path {
            case .call: try await call(test.kind)
            case .property: try await property(try #require(test.kind.property))
            case .manifest: try await manifest(test.kind)
            case .importing: try await importing(test.kind)
            case .profile: try await profile(test.kind)
            case .provider: try await provider(test.kind)
            case .launch: try await launch(test.kind)
            }
            try fixture.stop()
        }

        // MARK: Paths

        private func call(_ kind: PreferenceKindSample) async throws {
            let preferences = try await declared(kind)
            for sample in kind.valid {
                #expect(try await preferences.set(key: "key", value: sample.value) == sample.canonical)
                try await expect(sample.canonical, of: kind, in: preferences)
            }
            try await preferences.reset(keys: ["key"])
            for sample in kind.invalid {
                await expectError("org.sentinel.Error.InvalidValue", mentioning: "expected") {
                    _ = try await preferences.set(key: "key", value: sample.value)
                }
            }
            try await expect(kind.canonicalDefault, of: kind, in: preferences)
        }

        /// What is set through a property is in force as the service's own preference, and the other way round.
        private func property(_ sample: PreferenceKindSample.Property) async throws {
            let preferences = client.preferences(at: "/org/sentinel")
            let properties = RemoteInterface(
                "org.freedesktop.DBus.Properties", of: sample.path, at: TestClient.service, on: client.connection)
            for (value, inForce) in sample.valid {
                try await set(sample, to: value)
                #expect(try await preferences.get(key: sample.name) == inForce)
                let entry = try #require(try await preferences.list().first { $0.key == sample.name })
                #expect(entry.value == inForce && entry.kind == sample.kind)
                #expect(
                    try await properties.call("Get", sample.interface, sample.name, returning: Value.self) == value)
            }
            let before = try await preferences.get(key: sample.name)
            for value in sample.invalid {
                await expectError(.invalidArgs) {
                    try await set(sample, to: value)
                }
                #expect(try await preferences.get(key: sample.name) == before)
            }
            for value in sample.invalidPreference {
                await expectError("org.sentinel.Error.InvalidValue", mentioning: "expected") {
                    _ = try await preferences.set(key: sample.name, value: value)
                }
                #expect(try await preferences.get(key: sample.name) == before)
            }
        }

        private func set(_ property: PreferenceKindSample.Property, to value: Value) async throws {
            let message = try Message.methodCall(
                to: TestClient.service, property.path, "org.freedesktop.DBus.Properties", "Set"
            ) { (writer) throws(DBusError) in
                try writer.write(property.interface)
                try writer.write(property.name)
                try writer.write(value)
            }
            _ = try await client.connection.call(message, timeout: .seconds(20))
        }

        private func manifest(_ kind: PreferenceKindSample) async throws {
            let preferences = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eApp")
            for sample in kind.valid {
                guard let json = sample.json else { continue }
                try fixture.tree.write(Self.place, kind.manifest(json))
                try await waitUntil("\(json) is in force") {
                    guard try await client.entry(of: Self.id) != nil else { return false }
                    return try await preferences.list().map(\.value) == [sample.canonical]
                }
                try await expect(sample.canonical, of: kind, in: preferences)
            }
            let before = try await preferences.list()
            let right = kind.valid.compactMap(\.json)
            for sample in kind.invalid {
                guard let json = sample.json else { continue }
                // The wrong one is followed by a right one: once that is there, the wrong one has been looked at.
                try fixture.tree.write(Self.place, kind.manifest(json))
                try await waitUntil("\(json) is refused") {
                    let findings = try await client.sentinel.healthDetails()["manifests"]
                    return try findings.map { try [String]($0) }?.contains { $0.contains("preferences[0]") } == true
                }
                #expect(try await preferences.list() == before)
                try fixture.tree.write(Self.place, kind.manifest(try #require(right.first)))
                try await waitUntil("it is right again") {
                    try await client.sentinel.healthDetails()["manifests"] == nil
                }
                try fixture.tree.write(Self.place, kind.manifest(try #require(right.last)))
                try await waitUntil("it is as before") { try await preferences.list() == before }
            }
        }

        private func importing(_ kind: PreferenceKindSample) async throws {
            let preferences = try await declared(kind)
            for sample in kind.valid {
                guard let json = sample.json else { continue }
                _ = try await preferences.import(document: Self.document(json), options: [:])
                try await expect(sample.canonical, of: kind, in: preferences)
            }
            try await preferences.reset(keys: ["key"])
            for sample in kind.invalid {
                guard let json = sample.json else { continue }
                await expectError("org.sentinel.Error.InvalidValue", mentioning: "expected") {
                    _ = try await preferences.import(document: Self.document(json), options: [:])
                }
            }
            try await expect(kind.canonicalDefault, of: kind, in: preferences)
        }

        /// Saved under a declaration that allows all of the value's type, applied under the one that does not.
        private func profile(_ kind: PreferenceKindSample) async throws {
            let preferences = try await declared(kind)
            for sample in kind.valid + kind.invalid where sample.isOfSomeKind {
                try await preferences.declare(preferences: [.of("key", sample.neutral)])
                _ = try await preferences.set(key: "key", value: sample.value)
                try await preferences.saveProfile(name: "profile")
                try await preferences.reset(keys: ["key"])
                try await preferences.declare(preferences: [kind.declaration])
                if kind.valid.contains(sample) {
                    try await preferences.applyProfile(name: "profile")
                    try await expect(sample.canonical, of: kind, in: preferences)
                    try await preferences.applyProfile(name: "")
                } else {
                    await expectError("org.sentinel.Error.InvalidValue", mentioning: "expected") {
                        try await preferences.applyProfile(name: "profile")
                    }
                }
                try await expect(kind.canonicalDefault, of: kind, in: preferences)
            }
        }

        private func provider(_ kind: PreferenceKindSample) async throws {
            let answer = Recorder<Value>()
            let provider = try await TestProvider(
                Self.id, on: fixture.bus,
                TestProvider.Behaviour(readPreference: { _, reply in reply(answer.elements.last ?? .string("")) }))
            defer { provider.end() }
            let preferences = client.preferences(at: provider.application)
            try await preferences.declare(preferences: [
                .of("key", kind.standard, kind.attributes.merging(["live": .boolean(true)]) { $1 })
            ])
            for sample in kind.valid {
                answer.append(sample.value)
                #expect(try await preferences.get(key: "key") == sample.canonical)
                try await expect(sample.canonical, of: kind, in: preferences)
            }
            let last = try await preferences.list().map(\.value)
            for sample in kind.invalid {
                answer.append(sample.value)
                await expectError("org.sentinel.Error.Unavailable", mentioning: "expected") {
                    _ = try await preferences.get(key: "key")
                }
                #expect(try await preferences.list().map(\.value) == last)
            }
        }

        private func launch(_ kind: PreferenceKindSample) async throws {
            let preferences = try await declared(kind)
            for sample in kind.valid + kind.invalid {
                let instance = try TestClient(on: fixture.bus)
                guard sample.isOfSomeKind else {
                    // What no preference can have is refused at once.
                    await expectError(.invalidArgs, mentioning: "key") {
                        try await instance.register(Self.id, ["launch": .options(["key": sample.value])])
                    }
                    try await expect(kind.canonicalDefault, of: kind, in: preferences)
                    continue
                }
                try await instance.register(Self.id, ["launch": .options(["key": sample.value])])
                let isValid = kind.valid.contains(sample)
                try await expect(isValid ? sample.canonical : kind.canonicalDefault, of: kind, in: preferences)
                #expect((try await client.sentinel.healthDetails()["values"] == nil) == isValid, "\(sample.value)")
                instance.close()
                try await waitUntil("nothing is overridden") {
                    guard try await client.sentinel.healthDetails()["values"] == nil else { return false }
                    return try await preferences.explain(key: "key").map(\.layer) == ["default"]
                }
            }
        }

        // MARK: Means

        private func declared(_ kind: PreferenceKindSample) async throws -> Preferences1Proxy {
            let preferences = client.preferences(at: try await client.register(Self.id))
            try await preferences.declare(preferences: [kind.declaration])
            return preferences
        }

        /// Expects a value in force, by all ways to ask for it but `Get` of a live one.
        private func expect(
            _ value: Value, of kind: PreferenceKindSample, in preferences: Preferences1Proxy,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let entries = try await preferences.list()
            #expect(entries.map(\.value) == [value], sourceLocation: sourceLocation)
            #expect(entries.map(\.kind) == [kind.kind], sourceLocation: sourceLocation)
            #expect(try await preferences.getAll() == ["key": value], sourceLocation: sourceLocation)
        }

        private static func document(_ json: String) -> String {
            #"{"application": "\#(id)", "version": 1, "preferences": {"key": \#(json)}}"#
        }
    }
}
