// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelPreferences

@Suite("Every kind on every path", .timeLimit(.minutes(5)))
struct PathTests {
    /// A kind of preference with values that it can have and values that it cannot.
    struct Kind: Sendable, CustomStringConvertible {
        let description: String
        let declaration: @Sendable () throws -> PreferenceDeclaration
        let valid: [PreferenceValue]
        let invalid: [PreferenceValue?]

        static let all = [
            Kind(
                description: "toggle", declaration: { try .of("key", .boolean(false)) },
                valid: [.boolean(true), .boolean(false)], invalid: [.integer(1), .double(1), .text("true"), nil]),
            Kind(
                description: "integer",
                declaration: {
                    try .of("key", .integer(5)) { ($0.minimum, $0.maximum) = (.integer(-10), .integer(10)) }
                },
                valid: [.integer(1), .integer(0), .integer(-10), .integer(10)],
                invalid: [.integer(11), .integer(-11), .boolean(true), .double(1), .text("1"), nil]),
            Kind(
                description: "unbounded integer", declaration: { try .of("key", .integer(1)) },
                valid: [.integer(.max), .integer(.min), .integer(0)], invalid: [.double(0), nil]),
            Kind(
                description: "double",
                declaration: { try .of("key", .double(0.5)) { $0.minimum = .double(0) } },
                valid: [.double(1.25), .double(0), .double(1e300), .double(0.1 + 0.2)],
                invalid: [.double(-0.5), .boolean(false), .text("1.5"), nil]),
            Kind(
                description: "text",
                declaration: {
                    try .of("key", .text("abc")) {
                        $0.maximumLength = 6
                        $0.pattern = "[a-z\u{E9}\u{301}\u{1F989} ]*"
                    }
                },
                valid: [.text("xyz"), .text(""), .text("e\u{301}"), .text("\u{E9}"), .text("\u{1F989} a")],
                invalid: [.text("ABC"), .text("abcdefg"), .integer(1), .text("a\u{0}"), nil]),
            Kind(
                description: "text choice",
                declaration: {
                    try .of("key", .text("light")) {
                        $0.choices = [.init(.text("light"), title: "Same"), .init(.text("dark"), title: "Same")]
                    }
                },
                valid: [.text("dark"), .text("light")], invalid: [.text("Same"), .text(""), .integer(0), nil]),
            Kind(
                description: "integer choice",
                declaration: {
                    try .of("key", .integer(0)) {
                        $0.choices = [.init(.integer(0), title: "Off"), .init(.integer(1), title: "On")]
                    }
                },
                valid: [.integer(1), .integer(0)], invalid: [.integer(2), .boolean(true), .double(1), nil]),
            Kind(
                description: "double choice",
                declaration: {
                    try .of("key", .double(1)) {
                        $0.choices = [.init(.integer(1), title: "One"), .init(.double(1.5), title: "More")]
                    }
                },
                valid: [.double(1.5), .double(1)], invalid: [.double(2), .boolean(true), nil]),
            Kind(
                description: "toggle choice",
                declaration: {
                    try .of("key", .boolean(true)) {
                        $0.choices = [.init(.boolean(true), title: "Yes"), .init(.boolean(false), title: "No")]
                    }
                },
                valid: [.boolean(false), .boolean(true)], invalid: [.integer(0), nil]),
        ]
    }

    /// A way by which a value comes to a preference.
    enum Path: CaseIterable {
        case set, setMany, setFor, manifest, importing, profile, launch, provider, update, restart
    }

    /// Brings a value by a path; what is refused throws.
    private static func bring(
        _ value: PreferenceValue?, by path: Path, _ kind: Kind, to fixture: PreferenceFixture
    ) async throws {
        switch path {
        case .set: #expect(try await fixture.set("key", value) == value)
        case .setMany: try await fixture.setMany(["key": value])
        case .setFor: try await fixture.set("key", value, for: 60)
        case .manifest:
            // One that says the kind, in place of what the application has declared itself.
            let id = fixture.id
            let manifest = try Manifest(parsing: Array(try manifest(kind, value).utf8), of: id)
            let key = try Name("key")
            try await fixture.ask { $0.remove([key], completion: $1) }
            try await fixture.ask {
                $0.declareManifest(manifest.preferences.map(\.declaration), origin: id.text, completion: $1)
            }
        case .importing: try await fixture.take(document(value))
        case .profile:
            // Saved with a declaration that allows all of its type, applied with the one that does not.
            let declaration = try kind.declaration()
            try await fixture.declare(try .of("key", value ?? .integer(0)))
            try await fixture.declare(try .of("key", neutral(of: value)))
            try await fixture.set("key", value ?? .integer(0))
            try await fixture.saveProfile("profile")
            try await fixture.reset(["key"])
            try await fixture.declare(declaration)
            try await fixture.applyProfile("profile")
        case .launch: try await fixture.launch(["key": value])
        case .provider:
            try await fixture.declare(try live(kind))
            await fixture.setProvider(StubProvider { _, _ in .success(value) })
            _ = try await fixture.value("key")
        case .update:
            try await fixture.declare(try live(kind))
            let key = try Name("key")
            try await fixture.ask { $0.update([key: value], completion: $1) }
        case .restart:
            try await fixture.set("key", value)
            try await fixture.restart()
        }
    }

    private static func live(_ kind: Kind) throws -> PreferenceDeclaration {
        let declaration = try kind.declaration()
        var attributes = declaration.attributes
        attributes.marks.insert(.live)
        return try PreferenceDeclaration(
            key: declaration.key, name: declaration.name, defaultValue: declaration.defaultValue,
            attributes: attributes)
    }

    /// A manifest whose default is a value.
    private static func manifest(_ kind: Kind, _ value: PreferenceValue?) throws -> String {
        guard case .object(var members) = try kind.declaration().json else { return "" }
        members.removeAll { $0.key == "default" }
        members.append(("default", value?.json ?? .null))
        let json: JSONValue = ["application": ["id": "com.example.App"], "preferences": [.object(members)]]
        return json.serialized()
    }

    private static func document(_ value: PreferenceValue?) -> String {
        let json: JSONValue = [
            "application": "com.example.App", "version": 1, "preferences": ["key": value?.json ?? .null],
        ]
        return json.serialized()
    }

    /// Another value of the same type, so that the one to bring differs from the default.
    private static func neutral(of value: PreferenceValue?) -> PreferenceValue {
        switch value {
        case .boolean(let truth): .boolean(!truth)
        case .integer(let number): .integer(number == 77 ? 78 : 77)
        case .double(let number): .double(number == 77 ? 78 : 77)
        case .text: .text("neutral")
        case nil: .integer(77)
        }
    }

    @Test("a value that it can have is in force with its type", arguments: Kind.all, Path.allCases)
    func valid(kind: Kind, path: Path) async throws {
        for value in kind.valid {
            let fixture = try await PreferenceFixture()
            try await fixture.declare(try kind.declaration())
            try await Self.bring(value, by: path, kind, to: fixture)
            if path != .update {
                #expect(try await fixture.value("key") == value)
            }
            let listed = try await fixture.ask { $0.list(completion: $1) }
            #expect(listed.map(\.value) == [value])
        }
    }

    @Test("a value that it cannot have is refused and never in force", arguments: Kind.all, Path.allCases)
    func invalid(kind: Kind, path: Path) async throws {
        for value in kind.invalid {
            let fixture = try await PreferenceFixture()
            let declaration = try kind.declaration()
            try await fixture.declare(declaration)
            if path == .launch {
                // An application that is started so is not refused: it is warned of.
                try await Self.bring(value, by: path, kind, to: fixture)
                #expect(await fixture.warnings.count == 1)
            } else if path == .manifest {
                // One that is wrong changes nothing.
                let problem = await #expect(throws: ManifestProblem.self) {
                    try await Self.bring(value, by: path, kind, to: fixture)
                }
                #expect(problem?.place == "preferences[0]")
            } else if path == .profile, value == nil || value == .text("a\u{0}") {
                continue
            } else {
                await expectFailure(path == .provider ? .unavailable : .invalidValue, mentioning: "expected") {
                    try await Self.bring(value, by: path, kind, to: fixture)
                }
            }
            let listed = try await fixture.ask { $0.list(completion: $1) }
            #expect(listed.map(\.value) == [declaration.defaultValue])
            #expect(try await fixture.layers("key").count == 1)
        }
    }
}
