// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("History and undoing", .timeLimit(.minutes(5)))
struct HistoryTests {
    private func fixture() async throws -> PreferenceFixture {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(
            try .of("a", .integer(0)), try .of("b", .text("")), try .of("s", .text("")) { $0.marks = .sensitive })
        return fixture
    }

    @Test("changes of layers are remembered, the newest first, with who made them")
    func changes() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        fixture.go(to: 5)
        try await fixture.set("b", .text("x"))
        try await fixture.reset(nil)
        let all = try await fixture.history()
        #expect(all.map(\.key.text) == ["b", "a", "b", "a"])
        #expect(all.map(\.old) == [.text("x"), .integer(1), nil, nil])
        #expect(all.map(\.new) == [nil, nil, .text("x"), .integer(1)])
        #expect(all.map(\.origin) == ["resetter", "resetter", "setter", "setter"])
        #expect(all.map { $0.time.microseconds - PreferenceFixture.start } == [5_000_000, 5_000_000, 5_000_000, 0])
        #expect(try await fixture.history("a").map(\.number) == [all[1].number, all[3].number])
        #expect(try await fixture.history(before: all[1].number, limit: 1).map(\.number) == [all[2].number])
        await expectFailure(.unknownPreference) { _ = try await fixture.history("c") }
        // Numbers only grow, also when what they counted has gone.
        let numbers = all.map(\.number)
        try await fixture.restart()
        try await fixture.set("a", .integer(2))
        #expect(try await fixture.history()[0].number > numbers[0])
    }

    @Test("a long history comes in pages, each of which ends early and is gone on from")
    func pages() async throws {
        var limits = PreferenceLimits()
        limits.historyBytes = 16 << 20
        let fixture = try await PreferenceFixture(limits: limits)
        try await fixture.declare(try .of("b", .text("")))
        for number in 0..<40 {
            try await fixture.set("b", .text(String(repeating: number.isMultiple(of: 2) ? "x" : "y", count: 65_000)))
        }
        let first = try await fixture.history(limit: 1000)
        #expect(first.count == 33)
        let second = try await fixture.history(before: try #require(first.last).number, limit: 1000)
        #expect(second.count == 7)
        #expect((first + second).map(\.number) == (first + second).map(\.number).sorted(by: >))
        #expect(try await fixture.history(before: try #require(second.last).number, limit: 1000).isEmpty)
    }

    @Test("the bytes of the changes are bounded: the oldest go, and the latest stays")
    func bytes() async throws {
        var limits = PreferenceLimits()
        (limits.history, limits.historyBytes) = (100, 10_000)
        let fixture = try await PreferenceFixture(limits: limits)
        try await fixture.declare(try .of("b", .text("")))
        func set(_ count: Int, bytes: Int) async throws {
            for number in 0..<count {
                let text = number.isMultiple(of: 2) ? "\u{E9}" : "xx"
                try await fixture.set("b", .text(String(repeating: text, count: bytes / 2)))
            }
        }
        func byteCount() async throws -> Int {
            try await fixture.history(limit: 1000).reduce(0) { sum, change in
                [change.old, change.new].reduce(sum) { $0 + ($1?.shownForTests.utf8.count ?? 0) }
            }
        }
        try await set(30, bytes: 1000)
        #expect(try await fixture.history().count == 2)
        #expect(try await byteCount() < 5000)
        // Small ones come to them, as many as there can be.
        try await set(60, bytes: 10)
        #expect(try await byteCount() < 10_000)
        #expect(try await fixture.history(limit: 1000).count > 60)
        try await set(2, bytes: 20_000)
        #expect(try await fixture.history().count == 1)
        try await fixture.undo(try await fixture.history()[0].number)
        #expect(try await fixture.history().count == 1)
    }

    @Test("what was kept out of the history is forgotten when it would be told")
    func noLongerSensitive() async throws {
        let fixture = try await fixture()
        try await fixture.setMany(["s": .text("secret"), "a": .integer(1)])
        try await fixture.set("s", .text("another"))
        try await fixture.declare(try .of("s", .integer(0)))
        #expect(try await fixture.history().map(\.key.text) == ["a"])
        try await fixture.set("s", .integer(1))
        #expect(try await fixture.history("s").map(\.new) == [.integer(1)])
    }

    @Test("undoing puts a layer back and is a change of its own")
    func undo() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        try await fixture.set("a", .integer(2))
        let number = try await fixture.history()[0].number
        try await fixture.undo(number)
        #expect(try await fixture.value("a") == .integer(1))
        #expect(try await fixture.history()[0].origin == "undoer")
        await expectFailure(.conflict) { try await fixture.undo(number) }
        // Redoing is undoing the undoing.
        try await fixture.undo(try await fixture.history()[0].number)
        #expect(try await fixture.value("a") == .integer(2))
        let first = try await fixture.history().last
        await expectFailure(.conflict) { try await fixture.undo(try #require(first).number) }
        await expectFailure(.unknownChange) { try await fixture.undo(99_999) }
    }

    @Test("undoing the first change leaves the preference unset")
    func undoToUnset() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1))
        try await fixture.undo(try await fixture.history()[0].number)
        #expect(try await fixture.layers("a") == ["default 0"])
    }

    @Test("undoing is refused where the preference is gone, read-only, live, launched otherwise or no longer fits")
    func refusals() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(50))
        try await fixture.set("a", .integer(2))
        let number = try await fixture.history()[0].number
        try await fixture.launch(["a": .integer(3)])
        await expectFailure(.readOnly, mentioning: "launch") { try await fixture.undo(number) }
        try await fixture.launch([:])
        try await fixture.declare(try .of("a", .integer(0)) { $0.maximum = .integer(9) })
        await expectFailure(.invalidValue) { try await fixture.undo(number) }
        try await fixture.declare(try .of("a", .integer(0)) { $0.marks = .readOnly })
        await expectFailure(.readOnly) { try await fixture.undo(number) }
        try await fixture.declare(try .of("a", .integer(0)) { $0.marks = .live })
        await expectFailure(.notSupported) { try await fixture.undo(number) }
        let key = try Name("a")
        try await fixture.ask { $0.remove([key], completion: $1) }
        await expectFailure(.unknownPreference) { try await fixture.undo(number) }
    }

    @Test("an override that was ended early can be put back as long as its time lasts")
    func overrides() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(1), for: 10)
        try await fixture.reset(["a"])
        let number = try await fixture.history()[0].number
        fixture.go(to: 5)
        try await fixture.undo(number)
        #expect(try await fixture.layers("a") == ["temporary 1", "default 0"])
        #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 10_000_000)
        fixture.go(to: 11)
        await fixture.wake()
        #expect(try await fixture.value("a") == .integer(0))
        let end = try await fixture.history()[0].number
        await expectFailure(.conflict, mentioning: "over") { try await fixture.undo(end) }
    }

    @Test("values of sensitive preferences are in no signal, history or export, and undone all the same")
    func sensitive() async throws {
        let fixture = try await fixture()
        _ = fixture.takeChanges()
        try await fixture.set("s", .text("secret-1"))
        try await fixture.set("s", .text("secret-2"))
        let changes = fixture.takeChanges()
        #expect(changes.map { $0.changed.map(\.text) } == [["s"], ["s"]])
        #expect(changes.allSatisfy { $0.values.isEmpty })
        let history = try await fixture.history()
        #expect(history.allSatisfy { $0.isMasked && $0.old == nil && $0.new == nil })
        #expect(try await fixture.export().contains("secret") == false)
        #expect(try await fixture.export(includesSensitive: true).contains("secret-2"))
        try await fixture.undo(history[0].number)
        #expect(try await fixture.value("s") == .text("secret-1"))
        await expectFailure(.invalidValue) {
            do {
                try await fixture.set("s", .integer(4711))
            } catch let error as SentinelError {
                #expect(error.message.contains("4711") == false)
                throw error
            }
        }
    }

    @Test("values of private preferences are in no signal")
    func isPrivate() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("p", .integer(0)) { $0.marks = .isPrivate }, try .of("q", .integer(0)))
        _ = fixture.takeChanges()
        try await fixture.setMany(["p": .integer(1), "q": .integer(2)])
        let changes = fixture.takeChanges()
        #expect(changes.map { $0.changed.map(\.text) } == [["p", "q"]])
        #expect(try changes.map(\.values) == [[Name("q"): .integer(2)]])
        #expect(try await fixture.export().contains("\"p\": 1"))
    }
}
