// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("Profiles, export and import", .timeLimit(.minutes(5)))
struct ProfileTests {
    private func fixture() async throws -> PreferenceFixture {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(
            try .of("a", .integer(0)), try .of("b", .text("")), try .of("r", .integer(0)) { $0.marks = .readOnly },
            try .of("l", .integer(0)) { $0.marks = .live })
        _ = fixture.takeChanges()
        return fixture
    }

    private func document(_ preferences: String) -> String {
        #"{"application": "com.example.App", "version": 1, "preferences": \#(preferences)}"#
    }

    @Test("a profile holds what differs from the defaults, and is a layer while it is applied")
    func applying() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        try await fixture.saveProfile("one")
        try await fixture.setMany(["a": .integer(2), "b": .text("x")])
        try await fixture.saveProfile("two")
        try await fixture.reset(nil)
        _ = fixture.takeChanges()
        try await fixture.applyProfile("two")
        var changes = fixture.takeChanges()
        #expect(changes.count == 1)
        #expect(changes[0].changed.map(\.text) == ["a", "b"] && changes[0].hasOtherProfile)
        try await fixture.applyProfile("one")
        changes = fixture.takeChanges()
        #expect(changes.map { $0.changed.map(\.text) } == [["a", "b"]])
        #expect(try await fixture.layers("b") == ["default \"\""])
        try await fixture.applyProfile("one")
        #expect(fixture.takeChanges().isEmpty)
        try await fixture.deleteProfile("one")
        changes = fixture.takeChanges()
        #expect(changes.map(\.hasOtherProfile) == [true] && changes.map(\.hasOtherProfiles) == [true])
        #expect(try await fixture.value("a") == .integer(0))
        await expectFailure(.unknownProfile) { try await fixture.applyProfile("one") }
        await expectFailure(.unknownProfile) { try await fixture.deleteProfile("one") }
        try await fixture.restart()
        try await fixture.applyProfile("two")
        #expect(try await fixture.value("b") == .text("x"))
        try await fixture.restart()
        #expect(try await fixture.value("b") == .text("x"))
        try await fixture.applyProfile(nil)
        #expect(try await fixture.value("b") == .text(""))
    }

    @Test("saving the applied profile takes over what is in force")
    func savingApplied() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        try await fixture.saveProfile("p")
        try await fixture.applyProfile("p")
        try await fixture.set("a", .integer(2), for: 60)
        try await fixture.saveProfile("p")
        #expect(try await fixture.layers("a") == ["temporary 2", "profile 2", "stored 1", "default 0"])
        try await fixture.restart()
        #expect(try await fixture.layers("a") == ["temporary 2", "profile 2", "stored 1", "default 0"])
    }

    @Test("a profile that no longer fits is refused whole; what is gone or read-only is passed over")
    func misfits() async throws {
        let fixture = try await fixture()
        try await fixture.setMany(["a": .integer(50), "b": .text("x")])
        try await fixture.saveProfile("p")
        try await fixture.reset(nil)
        try await fixture.declare(try .of("a", .integer(0)) { $0.maximum = .integer(9) })
        await expectFailure(.invalidValue, mentioning: "preference a") { try await fixture.applyProfile("p") }
        #expect(try await fixture.value("b") == .text(""))
        try await fixture.declare(try .of("a", .integer(0)) { $0.marks = .live })
        await expectFailure(.notSupported) { try await fixture.applyProfile("p") }
        try await fixture.declare(try .of("a", .integer(0)) { $0.marks = .readOnly })
        try await fixture.applyProfile("p")
        #expect(try await fixture.value("a") == .integer(0))
        #expect(try await fixture.value("b") == .text("x"))
        let key = try Name("b")
        try await fixture.ask { $0.remove([key], completion: $1) }
        try await fixture.applyProfile(nil)
        try await fixture.applyProfile("p")
    }

    @Test("profiles are compared with each other and with the present")
    func comparing() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        try await fixture.saveProfile("one")
        try await fixture.setMany(["a": .integer(2), "b": .text("x")])
        try await fixture.saveProfile("two")
        let (one, two, a, b) = (try Name("one"), try Name("two"), try Name("a"), try Name("b"))
        #expect(
            try await fixture.ask { $0.compare(one, two, completion: $1) } == [
                PreferenceDifference(key: a, old: .integer(1), new: .integer(2)),
                PreferenceDifference(key: b, old: nil, new: .text("x")),
            ])
        #expect(try await fixture.ask { $0.compare(nil, two, completion: $1) }.isEmpty)
        try await fixture.reset(["a"])
        #expect(
            try await fixture.ask { $0.compare(two, nil, completion: $1) } == [
                PreferenceDifference(key: a, old: .integer(2), new: nil)
            ])
        await expectFailure(.unknownProfile) {
            let three = try Name("three")
            _ = try await fixture.ask { $0.compare(nil, three, completion: $1) }
        }
    }

    @Test("what is exported comes back as it was")
    func roundTrip() async throws {
        let fixture = try await fixture()
        try await fixture.declare(
            try .of("d", .double(0)), try .of("t", .boolean(false)), try .of("\u{E9}", .text("")),
            try .of("e\u{301}", .text("")))
        try await fixture.setMany([
            "a": .integer(.min), "d": .integer(3), "t": .boolean(true), "b": .text("\"\\\n\u{1F989}"),
        ])
        try await fixture.set("\u{E9}", .text("1"))
        try await fixture.set("e\u{301}", .text("2"))
        let document = try await fixture.export()
        let before = try await fixture.ask { $0.values(completion: $1) }
        try await fixture.reset(nil)
        #expect(try await fixture.take(document).count == 6)
        #expect(try await fixture.ask { $0.values(completion: $1) } == before)
        #expect(try await fixture.export() == document)
        #expect(try await fixture.take(document).isEmpty)
    }

    @Test("a dry run tells what would change and changes nothing")
    func dryRun() async throws {
        let fixture = try await fixture()
        try await fixture.set("b", .text("x"))
        _ = fixture.takeChanges()
        let (a, b) = (try Name("a"), try Name("b"))
        let expected = [
            PreferenceDifference(key: a, old: nil, new: .integer(0)),
            PreferenceDifference(key: b, old: .text("x"), new: .text("y")),
        ]
        #expect(try await fixture.take(document(#"{"b": "y", "a": 0}"#), isDry: true) == expected)
        #expect(fixture.takeChanges().isEmpty)
        #expect(try await fixture.layers("b") == ["stored \"x\"", "default \"\""])
        #expect(try await fixture.take(document(#"{"b": "y", "a": 0}"#)) == expected)
    }

    @Test("documents that are not right are refused, and change nothing")
    func badDocuments() async throws {
        let fixture = try await fixture()
        let refused: [(String, SentinelError.Code)] = [
            ("", .invalidArgs), ("[]", .invalidArgs), ("{", .invalidArgs), ("{}", .invalidArgs),
            (#"{"application": "com.example.Other", "version": 1, "preferences": {}}"#, .invalidArgs),
            (#"{"application": "com.example.App", "version": 2, "preferences": {}}"#, .invalidArgs),
            (#"{"application": "com.example.App", "version": 1.0, "preferences": {}}"#, .invalidArgs),
            (#"{"application": "com.example.App", "version": 1, "preferences": []}"#, .invalidArgs),
            (document(#"{"a": 1, "a": 2}"#), .invalidArgs),
            (document(#"{"a": 1, "nothing": 2}"#), .unknownPreference),
            (document(#"{"a": 1, "": 2}"#), .unknownPreference),
            (document(#"{"a": 1, "b": null}"#), .invalidValue),
            (document(#"{"a": 1, "b": ["x"]}"#), .invalidValue),
            (document(#"{"a": 1, "b": "\u0000"}"#), .invalidValue),
            (document(#"{"a": 1.0}"#), .invalidValue),
            (document(#"{"a": 18446744073709551615}"#), .invalidValue),
            (document(#"{"a": 1, "r": 2}"#), .readOnly),
            (document(#"{"a": 1, "l": 2}"#), .notSupported),
        ]
        for (document, code) in refused {
            await expectFailure(code) { try await fixture.take(document) }
        }
        await expectFailure(.invalidValue, mentioning: "preference a", "preference b") {
            try await fixture.take(document(#"{"a": "x", "b": 1}"#))
        }
        #expect(fixture.takeChanges().isEmpty)
        #expect(try await fixture.layers("a") == ["default 0"])
    }
}
