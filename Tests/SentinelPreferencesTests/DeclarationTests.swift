// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("Declaring", .timeLimit(.minutes(5)))
struct DeclarationTests {
    @Test("a key that is declared again keeps its place and a value that is still valid")
    func again() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(
            try .of("a", .integer(1)), try .of("b", .integer(2)), try .of("c", .text("x")))
        #expect(fixture.takeChanges().map { $0.declared.map(\.text) } == [["a", "b", "c"]])
        try await fixture.setMany(["a": .integer(10), "b": .integer(20), "c": .text("y")])
        _ = fixture.takeChanges()
        try await fixture.declare(
            try .of("d", .integer(4)), try .of("a", .integer(1)) { $0.maximum = .integer(15) },
            try .of("b", .integer(2)) { $0.maximum = .integer(15) }, try .of("c", .text("x")))
        let changes = fixture.takeChanges()
        #expect(changes.map { $0.declared.map(\.text) } == [["d", "a", "b"]])
        #expect(changes.map { $0.changed.map(\.text) } == [["b"]])
        let listed = try await fixture.ask { $0.list(completion: $1) }
        #expect(listed.map(\.declaration.key.text) == ["a", "b", "c", "d"])
        #expect(listed.map(\.value) == [.integer(10), .integer(2), .text("y"), .integer(4)])
        // Another type keeps nothing but what it holds exactly.
        try await fixture.declare(try .of("a", .double(1)), try .of("c", .integer(3)))
        #expect(try await fixture.value("a") == .double(10))
        #expect(try await fixture.value("c") == .integer(3))
        try await fixture.restart()
        #expect(try await fixture.value("a") == .double(10))
        #expect(try await fixture.value("c") == .integer(3))
        #expect(await fixture.warnings.isEmpty)
    }

    @Test("a batch with a fault changes nothing")
    func batch() async throws {
        let fixture = try await PreferenceFixture()
        let (first, second) = (
            try PreferenceDeclaration.of("a", .integer(1)), try PreferenceDeclaration.of("a", .text(""))
        )
        await expectFailure(.invalidArgs, mentioning: "twice") { try await fixture.declare(first, second) }
        #expect(try await fixture.ask { $0.list(completion: $1) }.isEmpty)
        try await fixture.declare([])
        #expect(fixture.takeChanges().isEmpty)
    }

    @Test("two keys that look alike are two preferences")
    func identity() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("\u{E9}", .integer(1)), try .of("e\u{301}", .integer(2)))
        try await fixture.set("e\u{301}", .integer(3))
        try await fixture.restart()
        #expect(try await fixture.value("\u{E9}") == .integer(1))
        #expect(try await fixture.value("e\u{301}") == .integer(3))
    }

    @Test("what is removed is gone with its values")
    func removal() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("a", .integer(1)), try .of("b", .integer(2)) { $0.marks = .sensitive })
        try await fixture.setMany(["a": .integer(10), "b": .integer(20)])
        let keys = [try Name("a"), try Name("b")]
        let missing = [keys[0], try Name("c")]
        await expectFailure(.unknownPreference, mentioning: "c") {
            try await fixture.ask { $0.remove(missing, completion: $1) }
        }
        _ = fixture.takeChanges()
        try await fixture.ask { $0.remove(keys, completion: $1) }
        #expect(fixture.takeChanges().map { $0.removed } == [keys])
        await expectFailure(.unknownPreference) { _ = try await fixture.value("a") }
        try await fixture.declare(try .of("a", .integer(1)), try .of("b", .integer(2)))
        #expect(try await fixture.value("a") == .integer(1))
        try await fixture.restart()
        #expect(try await fixture.value("a") == .integer(1))
        // What was sensitive leaves nothing behind that could be told now.
        #expect(try await fixture.history("b").isEmpty)
        #expect(try await fixture.history("a").count == 1)
    }

    @Test("a manifest's declarations are replaced by its next ones, and the application's own come first")
    func manifest() async throws {
        let fixture = try await PreferenceFixture()
        func manifest(_ declarations: PreferenceDeclaration...) async throws {
            try await fixture.ask { $0.declareManifest(declarations, origin: "manifest", completion: $1) }
        }
        try await manifest(try .of("a", .integer(1)), try .of("b", .integer(2)))
        try await fixture.declare(try .of("b", .integer(22)), try .of("c", .integer(3)))
        _ = fixture.takeChanges()
        try await manifest(try .of("b", .integer(2)), try .of("d", .integer(4)))
        let changes = fixture.takeChanges()
        #expect(changes.map { $0.removed.map(\.text) } == [["a"]])
        #expect(changes.map { $0.declared.map(\.text) } == [["d"]])
        #expect(try await fixture.value("b") == .integer(22))
        try await fixture.restart()
        try await manifest()
        let listed = try await fixture.ask { $0.list(completion: $1) }
        #expect(listed.map(\.declaration.key.text) == ["b", "c"])
        await expectFailure(.invalidArgs, mentioning: "twice") {
            try await manifest(try .of("e", .integer(2)), try .of("e", .integer(4)))
        }
    }

    @Test("what a manifest drops for a time keeps what was set as far as it is valid")
    func dropped() async throws {
        let fixture = try await PreferenceFixture()
        func manifest(_ declarations: PreferenceDeclaration...) async throws {
            try await fixture.ask { $0.declareManifest(declarations, origin: "manifest", completion: $1) }
        }
        let (a, b, c, s) = (
            try PreferenceDeclaration.of("a", .integer(1)), try PreferenceDeclaration.of("b", .integer(2)),
            try PreferenceDeclaration.of("c", .integer(3)),
            try PreferenceDeclaration.of("s", .text("")) { $0.marks = .sensitive }
        )
        for isRestarted in [false, true] {
            try await manifest(a, b, c, s)
            try await fixture.setMany(["a": .integer(10), "b": .integer(20), "s": .text("secret")])
            try await fixture.set("c", .integer(30), for: 100)
            let count = try await fixture.history("a").count
            try await manifest()
            #expect(fixture.nextEnd == nil)
            #expect(try await fixture.history().allSatisfy { $0.key.text != "s" })
            if isRestarted { try await fixture.restart() }
            try await manifest(a, try .of("b", .text("")), c, s)
            #expect(try await fixture.layers("a") == ["stored 10", "default 1"])
            #expect(try await fixture.layers("b") == ["default \"\""])
            #expect(try await fixture.layers("c") == ["temporary 30", "default 3"])
            #expect(fixture.nextEnd?.microseconds == PreferenceFixture.start + 100_000_000)
            #expect(try await fixture.layers("s") == ["stored \"secret\"", "default \"\""])
            #expect(try await fixture.history("a").count == count)
            try await manifest(a, b, c, s)
            #expect(try await fixture.layers("b") == ["default 2"])
        }
        // What is removed by its key is gone.
        let keys = [try Name("a"), try Name("c")]
        try await fixture.ask { $0.remove(keys, completion: $1) }
        try await manifest(a, b, c, s)
        #expect(try await fixture.layers("a") == ["default 1"])
        #expect(try await fixture.layers("c") == ["default 3"])
        // An override whose time is over meanwhile does not come back.
        try await fixture.set("c", .integer(30), for: 100)
        try await manifest()
        fixture.go(to: 100)
        try await manifest(c)
        try await fixture.restart()
        #expect(try await fixture.layers("c") == ["default 3"])
    }

    @Test("a value whose declaration cannot be read is there again once it is declared, and hidden until then")
    func unreadable() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("a", .integer(1)), try .of("b", .integer(2)))
        try await fixture.setMany(["a": .integer(10), "b": .integer(20)])
        try await fixture.restart {
            try Tampering.run(
                "UPDATE preference_declarations SET document = '{', position = 9223372036854775807 WHERE key = 'a'",
                in: fixture.database)
            try Tampering.run(
                "UPDATE preference_declarations SET position = 9223372036854775807 WHERE key = 'b'",
                in: fixture.database)
        }
        await expectFailure(.unknownPreference) { _ = try await fixture.value("a") }
        #expect(try await fixture.history().map(\.isMasked) == [false, true])
        // There is a place after the last one, wherever that is.
        try await fixture.declare(try .of("a", .integer(1)), try .of("c", .integer(3)))
        #expect(try await fixture.layers("a") == ["stored 10", "default 1"])
        try await fixture.restart()
        #expect(try await fixture.layers("a") == ["stored 10", "default 1"])
        #expect(await fixture.warnings.isEmpty)
    }

    @Test("the bytes of declarations and values are bounded, for an application and for all")
    func sizes() async throws {
        var limits = PreferenceLimits()
        (limits.applicationBytes, limits.totalBytes) = (2000, 3000)
        let fixture = try await PreferenceFixture(limits: limits)
        let text = String(repeating: "x", count: 600)
        let long = text + text + text
        let declaration = try PreferenceDeclaration.of("a", .text("")) { $0.description = text }
        try await fixture.declare(declaration)
        try await fixture.set("a", .text(text))
        let refused: [() async throws -> Void] = [
            { try await fixture.declare(try .of("b", .text("")) { $0.description = long }) },
            {
                let declarations = [try PreferenceDeclaration.of("b", .text("")) { $0.description = long }]
                try await fixture.ask { $0.declareManifest(declarations, origin: "", completion: $1) }
            },
            { try await fixture.set("a", .text(long)) }, { try await fixture.setMany(["a": .text(long)]) },
            { try await fixture.set("a", .text(long), for: 10) },
            {
                try await fixture.take(
                    #"{"application": "com.example.App", "version": 1, "preferences": {"a": "\#(long)"}}"#)
            },
        ]
        _ = fixture.takeChanges()
        for refusal in refused {
            await expectFailure(.limitsExceeded, mentioning: "2000") { try await refusal() }
        }
        #expect(fixture.takeChanges().isEmpty)
        try await fixture.saveProfile("p")
        await expectFailure(.limitsExceeded, mentioning: "2000") { try await fixture.saveProfile("q") }
        // The same again is nothing to be written, whoever says it.
        let origin = String(repeating: "o", count: 500)
        try await fixture.ask { $0.setMany([declaration.key: .text(text)], origin: origin, completion: $1) }
        // What was stored counts, and what is smaller than before is taken.
        try await fixture.restart()
        await expectFailure(.limitsExceeded, mentioning: "2000") { try await fixture.saveProfile("q") }
        let other = try ApplicationID("com.example.Other")
        try await fixture.keep(other)
        let answers = Recorder<SentinelError.Code?>()
        await fixture.onQueue { [directory = fixture.directory] in
            directory.book(of: other).declare([declaration], origin: "") { answers.append($0.failureCode) }
            directory.book(of: other).set(declaration.key, to: .text(text), origin: "") {
                answers.append($0.failureCode)
            }
        }
        #expect(try await answers.wait(for: 2) == [nil, .limitsExceeded])
        try await fixture.reset(nil)
        try await fixture.set("a", .text(text))
        try await fixture.deleteProfile("p")
        try await fixture.saveProfile("q")
    }

    @Test("no call names more preferences than there can be, and of many problems the first are told")
    func counts() async throws {
        var limits = PreferenceLimits()
        limits.preferences = 30
        let fixture = try await PreferenceFixture(limits: limits)
        try await fixture.declare(try .of("a", .integer(0)))
        func keys(_ count: Int) throws -> [Name] { try (0..<count).map { try Name("unknown-\($0)") } }
        func members(_ keys: [Name]) -> String { keys.map { "\"\($0)\": 1" }.joined(separator: ", ") }
        let calls: [([Name]) async throws -> Void] = [
            { keys in
                try await fixture.setMany(Dictionary(uniqueKeysWithValues: keys.map { ($0.text, .integer(1)) }))
            },
            { keys in
                let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, PreferenceValue?.some(.integer(1))) })
                try await fixture.ask { $0.update(values, completion: $1) }
            },
            { keys in try await fixture.reset(keys.map(\.text)) },
            { keys in try await fixture.ask { $0.remove(keys, completion: $1) } },
            { keys in
                try await fixture.take(
                    #"{"application": "com.example.App", "version": 1, "preferences": {\#(members(keys))}}"#)
            },
        ]
        for call in calls {
            await expectFailure(.limitsExceeded, mentioning: "31 preferences", "at most 30") {
                try await call(try keys(31))
            }
            await expectFailure(.unknownPreference, mentioning: "unknown-0 ", "and 10 more") {
                try await call(try keys(30))
            }
        }
    }

    @Test("what was declared is taken as it was at the next start, patterns included")
    func patternsOfEarlierStarts() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("a", .text("x")) { $0.pattern = "x*" })
        try await fixture.set("a", .text("xx"))
        try await fixture.restart {
            try Tampering.run(
                "UPDATE preference_declarations SET document = replace(document, 'x*', '(x*)*')", in: fixture.database)
        }
        // It would be refused now.
        #expect(await fixture.warnings.isEmpty)
        #expect(try await fixture.layers("a") == [#"stored "xx""#, #"default "x""#])
    }

    @Test("limits are kept and said")
    func limits() async throws {
        var limits = PreferenceLimits()
        (limits.preferences, limits.profiles, limits.history, limits.documentBytes) = (3, 2, 5, 100)
        let fixture = try await PreferenceFixture(limits: limits)
        try await fixture.declare(try .of("a", .integer(0)), try .of("b", .integer(0)), try .of("c", .integer(0)))
        await expectFailure(.limitsExceeded, mentioning: "3") { try await fixture.declare(try .of("d", .integer(0))) }
        try await fixture.declare(try .of("a", .integer(1)))
        try await fixture.saveProfile("1")
        try await fixture.saveProfile("2")
        await expectFailure(.limitsExceeded, mentioning: "2") { try await fixture.saveProfile("3") }
        try await fixture.saveProfile("2")
        for number in 1...9 {
            try await fixture.set("a", .integer(Int64(number * 10)))
        }
        #expect(try await fixture.history().map(\.new) == [90, 80, 70, 60, 50].map { .integer($0) })
        let long = String(repeating: " ", count: 101)
        await expectFailure(.limitsExceeded) { try await fixture.take(long) }
        try await fixture.declare(try .of("b", .text("")))
        await expectFailure(.limitsExceeded, mentioning: "65536") {
            try await fixture.set("b", .text(String(repeating: "x", count: 65_537)))
        }
        try await fixture.set("b", .text(String(repeating: "x", count: 65_536)))
    }

    @Test("a forgotten application leaves nothing, and its preferences refuse all")
    func forgotten() async throws {
        let fixture = try await PreferenceFixture()
        let other = try ApplicationID("com.example.Other")
        try await fixture.keep(other)
        try await fixture.declare(try .of("a", .integer(0)))
        try await fixture.set("a", .integer(1), for: 60)
        try await fixture.set("a", .integer(2))
        try await fixture.saveProfile("p")
        try await fixture.applyProfile("p")
        let book = await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in directory.book(of: id) }
        try await withCheckedContinuation { continuation in
            fixture.store.forget(fixture.id) { continuation.resume(returning: $0) }
        }.get()
        for table in ["declarations", "values", "profiles", "profile_values", "changes"] {
            #expect(try Tampering.count(of: "preference_\(table)", in: fixture.database) == 0, "\(table)")
        }
        await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in directory.forget(id) }
        #expect(fixture.nextEnd == nil)
        let key = try Name("a")
        let answer = Recorder<SentinelError.Code?>()
        await fixture.onQueue {
            book.set(key, to: .integer(1), origin: "") { result in
                if case .failure(let error) = result { answer.append(error.code) } else { answer.append(nil) }
            }
            book.history(nil, before: nil, limit: 1) { result in
                if case .failure(let error) = result { answer.append(error.code) } else { answer.append(nil) }
            }
        }
        #expect(try await answer.wait(for: 2) == [.unknownApplication, .unknownApplication])
        // One that comes back begins with nothing.
        try await fixture.keep(fixture.id)
        #expect(try await fixture.ask { $0.list(completion: $1) }.isEmpty)
        try await fixture.declare(try .of("a", .integer(0)))
        #expect(try await fixture.value("a") == .integer(0))
    }

    @Test("an application that the store does not know is said to be forgotten")
    func unknown() async throws {
        let fixture = try await PreferenceFixture()
        try await withCheckedContinuation { continuation in
            fixture.store.forget(fixture.id) { continuation.resume(returning: $0) }
        }.get()
        await expectFailure(.unknownApplication) { try await fixture.declare(try .of("a", .integer(0))) }
        #expect(try await fixture.ask { $0.list(completion: $1) }.isEmpty)
    }
}

extension Result where Failure == SentinelError {
    /// The code that it failed with; nil if it did not.
    fileprivate var failureCode: SentinelError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
