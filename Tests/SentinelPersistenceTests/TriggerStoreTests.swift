// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Stored triggers", .timeLimit(.minutes(5)))
struct TriggerStoreTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private static func trigger(
        _ id: String, of application: ApplicationID = StoreFixture.record(0).id, position: Int64 = 0,
        path: String = "/a"
    ) throws -> StoredTrigger {
        StoredTrigger(
            id: try Name(id), application: application,
            declaration: TriggerDeclaration(
                kind: try Name("file"),
                options: [try Name("path"): .text(path), try Name("present"): .boolean(false)]),
            position: position)
    }

    private func wait<Value: Sendable>(
        _ body: (@escaping @Sendable (Result<Value, SentinelError>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }.get()
    }

    private func save(_ triggers: [StoredTrigger], in store: Store) async throws {
        try await wait { store.save(triggers, completion: $0) }
    }

    @Test("come back in the order in which they were added, and go with their application")
    func kept() async throws {
        var store = fixture.open()
        try await store.save(StoreFixture.record(0))
        let triggers = try [
            Self.trigger("b"), Self.trigger("own", of: .sentinel, position: 1), Self.trigger("a", position: 2),
        ]
        try await save(triggers.reversed(), in: store)
        store.close()
        store = fixture.open()
        #expect(try store.triggers() == triggers)
        let own = try await wait { store.triggers(of: .sentinel, completion: $0) }
        #expect(own == [triggers[1]])
        let changed = try Self.trigger("a", position: 2, path: "/é\" 'x'")
        try await save([changed], in: store)
        #expect(try store.triggers().last == changed)
        try await wait { store.removeTrigger(changed.id, completion: $0) }
        #expect(try store.triggers() == Array(triggers.prefix(2)))
        try await wait { store.forget(StoreFixture.record(0).id, completion: $0) }
        #expect(try store.triggers() == [triggers[1]])
        store.close()
    }

    @Test("are not taken where no disk keeps them, and those of an application that was forgotten are gone after")
    func memory() async throws {
        var store = fixture.open()
        for number in 0..<2 { try await store.save(StoreFixture.record(number)) }
        let (first, second) = (
            try Self.trigger("a"), try Self.trigger("b", of: StoreFixture.record(1).id, position: 1)
        )
        try await save([first, second], in: store)
        store.close()
        let aside = fixture.root + "/aside"
        try FileManager.default.moveItem(atPath: fixture.directory, toPath: aside)
        try fixture.write(Data(), to: fixture.directory)

        store = fixture.open()
        let third = try Self.trigger("c", position: 2)
        await #expect(throws: SentinelError.self) { try await save([third], in: store) }
        await #expect(throws: SentinelError.self) {
            try await wait { store.removeTrigger(first.id, completion: $0) }
        }
        try await wait { store.save([third], isRepeatable: true, completion: $0) }
        try await wait { store.forget(StoreFixture.record(0).id, completion: $0) }
        try await store.save(StoreFixture.record(2))
        let fourth = try Self.trigger("d", of: StoreFixture.record(2).id, position: 3)
        try await wait { store.save([fourth], isRepeatable: true, completion: $0) }
        try FileManager.default.removeItem(atPath: fixture.directory)
        try FileManager.default.moveItem(atPath: aside, toPath: fixture.directory)
        try await store.save(StoreFixture.record(3))
        #expect(try store.triggers().map(\.id.text) == ["b", "d"])
        store.close()
    }

    @Test("are salvaged out of a damaged database, with the applications that they belong to")
    func salvaged() async throws {
        let store = fixture.open()
        try await store.save(StoreFixture.record(0))
        let triggers = try [Self.trigger("a"), Self.trigger("own", of: .sentinel, position: 1)]
        let lost = try Self.trigger("lost", of: StoreFixture.record(5).id, position: 2)
        try await save(triggers + [lost], in: store)
        let source = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        let target = try Connection(.memory)
        try Schema.prepare(target) { _, _ in }
        let salvage = Salvage(source)
        #expect(try salvage.copyApplications(to: target) == 1)
        try salvage.copyTriggers(to: target)
        #expect(try TriggerTable.all(in: target) == triggers)
        store.close()
    }

    @Test("that are not what they should be are left out")
    func nonsense() async throws {
        let store = fixture.open()
        try await save([try Self.trigger("a"), try Self.trigger("b", position: 1)], in: store)
        for (column, value) in [
            ("options", "[1]"), ("options", "{"), ("options", "{\"a\": [1]}"), ("kind", ""), ("application", "x"),
            ("id", ""),
        ] {
            let before = try store.triggers()
            try await store.submit { connection in
                try connection.run("INSERT INTO triggers VALUES ('c', 'a.b', 9, 'file', '{}')")
                try connection.run("UPDATE triggers SET \(column) = ? WHERE id = 'c'", value)
            }
            #expect(try store.triggers() == before)
            try await store.submit { connection in try connection.run("DELETE FROM triggers WHERE position = 9") }
        }
        store.close()
    }
}
