// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("Layers", .timeLimit(.minutes(5)))
struct LayerTests {
    private func fixture() async throws -> PreferenceFixture {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("volume", .integer(5)) { $0.maximum = .integer(10) })
        _ = fixture.takeChanges()
        return fixture
    }

    @Test("the strongest layer that has a value is in force, and a write goes to the strongest that can be written")
    func order() async throws {
        let fixture = try await fixture()
        #expect(try await fixture.layers("volume") == ["default 5"])
        try await fixture.set("volume", .integer(1))
        #expect(try await fixture.layers("volume") == ["stored 1", "default 5"])
        try await fixture.saveProfile("p")
        try await fixture.applyProfile("p")
        #expect(try await fixture.set("volume", .integer(2)) == .integer(2))
        #expect(try await fixture.layers("volume") == ["profile 2", "stored 1", "default 5"])
        try await fixture.set("volume", .integer(3), for: 60)
        let end = fixture.nextEnd
        #expect(try await fixture.set("volume", .integer(4)) == .integer(4))
        #expect(fixture.nextEnd == end)
        #expect(try await fixture.layers("volume") == ["temporary 4", "profile 2", "stored 1", "default 5"])
        try await fixture.launch(["volume": .integer(6)])
        #expect(
            try await fixture.layers("volume") == ["launch 6", "temporary 4", "profile 2", "stored 1", "default 5"])
        for write in [
            { try await fixture.set("volume", .integer(7)) }, { try await fixture.setMany(["volume": .integer(7)]) },
            { try await fixture.set("volume", .integer(7), for: 1) }, { try await fixture.reset(["volume"]) },
        ] as [() async throws -> Void] {
            await expectFailure(.readOnly, mentioning: "launch") { try await write() }
        }
        try await fixture.launch([:])
        try await fixture.reset(["volume"])
        #expect(try await fixture.layers("volume") == ["default 5"])
    }

    @Test("what is told is exactly what has changed in force")
    func changes() async throws {
        let fixture = try await fixture()
        let key = try Name("volume")
        try await fixture.set("volume", .integer(1))
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(1)]])
        try await fixture.set("volume", .integer(1))
        try await fixture.setMany(["volume": .integer(1)])
        #expect(fixture.takeChanges().isEmpty)
        // Under a stronger layer a weaker one changes nothing in force.
        try await fixture.launch(["volume": .integer(1)])
        #expect(fixture.takeChanges().isEmpty)
        try await fixture.take(
            #"{"application": "com.example.App", "version": 1, "preferences": {"volume": 9}}"#)
        #expect(fixture.takeChanges().isEmpty)
        try await fixture.launch([:])
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(9)]])
        #expect(try await fixture.history().map(\.number).count == 2)
    }

    @Test("the same value again writes nothing to the disk")
    func noWrite() async throws {
        let fixture = try await fixture()
        try await fixture.set("volume", .integer(1))
        try await fixture.saveProfile("p")
        let log = "\(fixture.database)-wal"
        let before = try Data(contentsOf: URL(fileURLWithPath: log))
        try await fixture.set("volume", .integer(1))
        try await fixture.saveProfile("p")
        try await fixture.applyProfile(nil)
        try await fixture.declare(try .of("volume", .integer(5)) { $0.maximum = .integer(10) })
        #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == before)
    }

    @Test("an unset preference is not one that is set to its default")
    func unset() async throws {
        let fixture = try await fixture()
        try await fixture.set("volume", .integer(5))
        #expect(try await fixture.layers("volume") == ["stored 5", "default 5"])
        #expect(fixture.takeChanges().isEmpty)
        // Another default finds what was set in force.
        try await fixture.declare(try .of("volume", .integer(6)))
        #expect(try await fixture.value("volume") == .integer(5))
        try await fixture.reset(nil)
        #expect(try await fixture.value("volume") == .integer(6))
        #expect(try await fixture.export().contains("volume") == false)
    }

    @Test("sets of values are taken whole or not at all, with all that is wrong in one error")
    func allOrNothing() async throws {
        let fixture = try await fixture()
        try await fixture.declare(
            try .of("theme", .text("light")), try .of("fixed", .integer(1)) { $0.marks = .readOnly },
            try .of("live", .integer(1)) { $0.marks = .live })
        _ = fixture.takeChanges()
        await expectFailure(.invalidValue, mentioning: "preference theme", "preference volume") {
            try await fixture.setMany(["theme": .integer(1), "volume": .integer(11)])
        }
        await expectFailure(.readOnly, mentioning: "fixed") {
            try await fixture.setMany(["theme": .text("dark"), "fixed": .integer(2)])
        }
        await expectFailure(.notSupported, mentioning: "live") {
            try await fixture.setMany(["theme": .text("dark"), "live": .integer(2)])
        }
        await expectFailure(.unknownPreference, mentioning: "nothing") {
            try await fixture.setMany(["theme": .text("dark"), "nothing": .integer(2)])
        }
        await expectFailure(.readOnly) { try await fixture.reset(["fixed", "volume"]) }
        #expect(fixture.takeChanges().isEmpty)
        #expect(try await fixture.history().isEmpty)
        try await fixture.setMany(["theme": .text("dark"), "volume": .integer(1)])
        #expect(fixture.takeChanges().map { $0.changed.map(\.text) } == [["volume", "theme"]])
        try await fixture.setMany([:])
    }

    @Test("an override ends by itself, and is waited for only while there is one")
    func overrides() async throws {
        let fixture = try await fixture()
        #expect(fixture.nextEnd == nil)
        try await fixture.set("volume", .integer(1), for: 10)
        #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 10_000_000)
        _ = fixture.takeChanges()
        fixture.go(to: 9.9)
        await fixture.wake()
        #expect(try await fixture.value("volume") == .integer(1))
        fixture.go(to: 10)
        // Whoever asks at that time gets no old value, whether the alarm has rung or not.
        #expect(try await fixture.value("volume") == .integer(5))
        await fixture.wake()
        let key = try Name("volume")
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(5)]])
        #expect(fixture.nextEnd == nil)
        let last = try #require(try await fixture.history().first)
        #expect(
            last.layer == "temporary" && last.old == .integer(1) && last.new == nil && last.origin == "org.sentinel")
    }

    @Test("nobody is to be woken for an override that is being ended already, but for the next one")
    func waking() async throws {
        let fixture = try await fixture()
        try await fixture.declare(try .of("other", .integer(0)))
        try await fixture.set("volume", .integer(1), for: 10)
        try await fixture.set("other", .integer(1), for: 20)
        fixture.go(to: 10)
        await fixture.wake()
        await fixture.wake()
        #expect(try await fixture.value("volume") == .integer(5))
        #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 20_000_000)
        // Whatever looks for the next one finds what is over too, so that no alarm is lost.
        let other = try ApplicationID("com.example.Other")
        try await fixture.keep(other)
        fixture.go(to: 20)
        _ = fixture.takeChanges()
        let declaration = try PreferenceDeclaration.of("a", .integer(0))
        await fixture.onQueue { [directory = fixture.directory] in
            directory.book(of: other).declare([declaration], origin: "") { _ in }
            directory.book(of: other).set(declaration.key, to: .integer(1), forSeconds: 10, origin: "") { _ in }
        }
        try await waitUntil("the other has ended") {
            fixture.changes.elements.contains { $0.changed.map(\.text) == ["other"] }
        }
        #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 30_000_000)
        #expect(fixture.lateEnds.elements.isEmpty)
    }

    @Test("reading never fails for an override whose end cannot be stored")
    func endThatCannotBeStored() async throws {
        let fixture = try await fixture()
        try await fixture.set("volume", .integer(1), for: 10)
        try Tampering.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON preference_changes
            BEGIN SELECT RAISE(ABORT, 'there is no room'); END
            """, in: fixture.database)
        fixture.go(to: 10)
        #expect(try await fixture.value("volume") == .integer(5))
        #expect(fixture.nextEnd == nil)
        await #expect(throws: SentinelError.self) { try await fixture.set("volume", .integer(2)) }
        #expect(try await fixture.layers("volume") == ["default 5"])
        try Tampering.run("DROP TRIGGER refusal", in: fixture.database)
        try await fixture.set("volume", .integer(2))
    }

    @Test("an override goes on across a restart, and one whose time was over meanwhile has ended")
    func overridesAcrossRestart() async throws {
        let fixture = try await fixture()
        try await fixture.declare(try .of("other", .integer(0)))
        try await fixture.set("volume", .integer(1), for: 10)
        try await fixture.set("other", .integer(1), for: 100)
        fixture.go(to: 50)
        try await fixture.restart()
        #expect(try await fixture.value("volume") == .integer(5))
        #expect(try await fixture.value("other") == .integer(1))
        #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 100_000_000)
        fixture.go(to: 101)
        await fixture.wake()
        #expect(try await fixture.value("other") == .integer(0))
        try await fixture.restart()
        #expect(try await fixture.layers("other") == ["default 0"])
    }

    @Test("the time of an override is more than 0 and at most 100 years", arguments: [0, -1, .nan, .infinity, 3.2e9])
    func overrideTimes(seconds: Double) async throws {
        let fixture = try await fixture()
        await expectFailure(.invalidArgs) { try await fixture.set("volume", .integer(1), for: seconds) }
    }

    @Test("what was acknowledged is there after a restart, with types, order and origin")
    func restart() async throws {
        let fixture = try await fixture()
        try await fixture.declare(
            try .of("zz", .double(1)), try .of("aa", .text("e\u{301}")), try .of("bb", .boolean(false)))
        try await fixture.setMany(["zz": .integer(2), "aa": .text("\u{E9}"), "bb": .boolean(true)])
        try await fixture.saveProfile("p\u{301}")
        try await fixture.applyProfile("p\u{301}")
        let before = try await fixture.ask { $0.explain(try! Name("zz"), completion: $1) }
        try await fixture.restart()
        let listed = try await fixture.ask { $0.list(completion: $1) }
        #expect(listed.map(\.declaration.key.text) == ["volume", "zz", "aa", "bb"])
        #expect(listed.map(\.value) == [.integer(5), .double(2), .text("\u{E9}"), .boolean(true)])
        let after = try await fixture.ask { $0.explain(try! Name("zz"), completion: $1) }
        #expect(after.map(\.value) == before.map(\.value))
        #expect(after.map(\.value.origin) == ["saver", "setter", "declarer"])
        let names = await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in
            directory.book(of: id).profileNames
        }
        #expect(try names == [Name("p\u{301}")])
    }

    @Test("a stored value that is not valid any more gives way to the default, with a warning until it is set")
    func invalidStored() async throws {
        let fixture = try await fixture()
        try await fixture.declare(try .of("text", .text("a")))
        try await fixture.setMany(["volume": .integer(7), "text": .text("b")])
        for (document, key) in [("\"seven\"", "volume"), ("11", "volume"), ("true", "volume"), ("{", "text")] {
            try await fixture.restart {
                try Tampering.setValue(document, of: key, in: fixture.database)
            }
            let isVolume = key == "volume"
            #expect(try await fixture.value(key) == (isVolume ? .integer(5) : .text("a")))
            #expect(await fixture.warnings.contains { $0.contains("com.example.App: the stored value of \(key)") })
            // It is there as long as nobody changes it, and gone when somebody does.
            try await fixture.restart()
            #expect(await fixture.warnings.isEmpty == false)
            try await fixture.set(key, isVolume ? .integer(7) : .text("b"))
            #expect(await fixture.warnings.contains { $0.contains(" \(key) ") } == false)
        }
        try await fixture.restart { try Tampering.setValue("{", of: "text", in: fixture.database) }
        try await fixture.reset(["text"])
        try await fixture.restart()
        #expect(await fixture.warnings.isEmpty)
        #expect(try await fixture.value("text") == .text("a"))
    }

    @Test("many changes at once are all done, in their order, and told one after the other")
    func pipelining() async throws {
        let fixture = try await fixture()
        let key = try Name("volume")
        let answers = Recorder<PreferenceValue?>()
        await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in
            let book = directory.book(of: id)
            for number in 0..<100 {
                book.set(key, to: .integer(Int64(number % 12)), origin: "many") { result in
                    answers.append(try? result.get())
                }
                book.value(key) { answers.append(try? $0.get()) }
            }
        }
        try await answers.wait(for: 200)
        var expected: [PreferenceValue?] = []
        var inForce = PreferenceValue.integer(5)
        for number in 0..<100 {
            let value = PreferenceValue.integer(Int64(number % 12))
            if number % 12 == 11 {
                expected += [nil, inForce]
            } else {
                inForce = value
                expected += [value, value]
            }
        }
        #expect(answers.elements == expected)
        #expect(
            fixture.takeChanges().compactMap { $0.values[key] }
                == expected.indices.filter { $0 % 2 == 0 }
                .compactMap { expected[$0] })
    }
}
