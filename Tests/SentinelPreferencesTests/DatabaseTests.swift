// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("Another database in use", .timeLimit(.minutes(5)))
struct DatabaseTests {
    private func takeIn(_ fixture: PreferenceFixture) async throws {
        try await fixture.ask { $0.takeInDatabase(completion: $1) }
    }

    /// A database with something in every layer.
    private func other() async throws -> PreferenceFixture {
        let other = try await PreferenceFixture()
        try await other.declare(
            try .of("mode", .text("a")), try .of("volume", .integer(1)), try .of("theme", .text("light")))
        try await other.set("theme", .text("dark"))
        try await other.saveProfile("p")
        try await other.applyProfile("p")
        try await other.set("volume", .integer(7), for: 60)
        return other
    }

    @Test("shows what is there beside what was declared before, tells it, and keeps it")
    func added() async throws {
        let other = try await other()
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("fresh", .integer(3)), try .of("volume", .integer(5)))
        _ = fixture.takeChanges()
        // The declaration of the volume that is in the database stays: it is the newer one.
        try Tampering.add(from: other.database, to: fixture.database)
        try await takeIn(fixture)

        let changes = fixture.takeChanges()
        #expect(changes.count == 1)
        #expect(changes.first?.changed.map(\.text) == ["volume"])
        #expect(try changes.first?.values == [Name("volume"): .integer(7)])
        #expect(changes.first?.declared.map(\.text).sorted() == ["mode", "theme"])
        #expect(changes.first?.hasOtherProfile == true)
        #expect(changes.first?.hasOtherProfiles == true)
        #expect(fixture.nextEnd == other.nextEnd)
        #expect(fixture.nextEnd != nil)

        func check() async throws {
            #expect(try await fixture.layers("volume") == ["temporary 7", "default 5"])
            #expect(
                try await fixture.layers("theme") == [#"profile "dark""#, #"stored "dark""#, #"default "light""#])
            #expect(try await fixture.layers("mode") == [#"default "a""#])
            #expect(try await fixture.value("fresh") == .integer(3))
            #expect(try await fixture.history().count == other.history().count)
        }
        try await check()
        try await fixture.restart()
        try await check()

        // What ends by itself still does.
        fixture.go(to: 61)
        await fixture.wake()
        #expect(try await fixture.value("volume") == .integer(5))
    }

    @Test("brings nothing into force whose time was over before")
    func ended() async throws {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(try .of("volume", .integer(1)))
        let other = try await other()
        try Tampering.add(from: other.database, to: fixture.database)
        fixture.go(to: 61)
        _ = fixture.takeChanges()
        try await takeIn(fixture)
        await fixture.wake()
        #expect(fixture.takeChanges().flatMap(\.changed).isEmpty)
        #expect(try await fixture.layers("volume") == ["default 1"])
        #expect(try await fixture.history("volume").map(\.old) == [.integer(7), nil])
        #expect(try Tampering.count(of: "preference_values WHERE layer = 'temporary'", in: fixture.database) == 0)
    }

    @Test("is given what is known and it has otherwise or not at all")
    func known() async throws {
        let fixture = try await other()
        _ = fixture.takeChanges()
        try Tampering.setValue("9", of: "volume", in: fixture.database)
        try Tampering.clear("preference_declarations", in: fixture.database)
        try Tampering.clear("preference_profiles", in: fixture.database)
        try await takeIn(fixture)
        #expect(fixture.takeChanges().isEmpty)
        func check() async throws {
            #expect(try await fixture.layers("volume") == ["temporary 7", "default 1"])
            #expect(
                try await fixture.layers("theme") == [#"profile "dark""#, #"stored "dark""#, #"default "light""#])
            let keys = try await fixture.ask { $0.list(completion: $1) }.map(\.declaration.key.text)
            #expect(keys == ["mode", "volume", "theme"])
        }
        try await check()
        try await fixture.restart()
        try await check()
    }

    @Test("comes before what is asked later, and after what was asked before")
    func order() async throws {
        let fixture = try await other()
        try Tampering.clear("preference_values", in: fixture.database)
        let key = try Name("mode")
        let values = Recorder<PreferenceValue>()
        let id = fixture.id
        let directory = fixture.directory
        await fixture.onQueue {
            let book = directory.book(of: id)
            for value in ["b", "c"] {
                if value == "c" { book.takeInDatabase { _ in } }
                book.set(key, to: .text(value), origin: "setter") { result in
                    if case .success(let value) = result { values.append(value) }
                }
            }
        }
        #expect(try await values.wait(for: 2) == [.text("b"), .text("c")])
        try await fixture.restart()
        #expect(try await fixture.layers("mode") == [#"stored "c""#, #"default "a""#])
        #expect(try await fixture.layers("volume") == ["temporary 7", "default 1"])
    }
}
