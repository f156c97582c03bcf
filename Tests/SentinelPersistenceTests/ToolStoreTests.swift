// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Stored tools", .timeLimit(.minutes(5)))
struct ToolStoreTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private static func tool(
        _ id: String, position: Int64 = 0, value: Int64 = 1, origin: StoredTool.Origin = .manifest
    ) throws -> StoredTool {
        let item = ToolItem(
            id: try Name("i"), kind: .value(.integer), title: "I", value: .integer(value), rule: try ValueRule(.integer)
        )
        return StoredTool(
            application: StoreFixture.record(0).id,
            tool: Tool(
                id: try Name(id), name: "T", kind: .table,
                sections: [ToolSection(id: try Name("s"), title: "S", items: [item])]),
            position: position, origin: origin)
    }

    private func wait<Value: Sendable>(
        _ body: (@escaping @Sendable (Result<Value, SentinelError>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }.get()
    }

    private func fill(_ store: Store) async throws {
        let tools = try [Self.tool("b", position: 1), Self.tool("a", position: 2)]
        try await wait { store.change(StoreFixture.record(0), declaring: tools, removing: [], completion: $0) }
        let (item, tool) = (try Name("i"), try Name("a"))
        try await wait {
            store.set([item: .integer(7)], of: tool, of: StoreFixture.record(0).id, completion: $0)
        }
    }

    private func check(_ stored: [StoredTool]) throws {
        #expect(stored.map(\.tool.id.text) == ["b", "a"])
        #expect(stored.map(\.origin) == [.manifest, .manifest])
        #expect(try stored.map(\.tool) == [Self.tool("b").tool, Self.tool("a").tool])
        #expect(stored[0].values == [:])
        #expect(try stored[1].values == [Name("i"): .integer(7)])
    }

    @Test("come back in declared order with their values, and go with their application")
    func kept() async throws {
        var store = fixture.open()
        try await fill(store)
        store.close()
        store = fixture.open()
        try check(try store.tools())
        // Declared again as it is, whoever does it, a tool keeps its values; declared anew it has those that it declares.
        let again = try Self.tool("a", position: 2, origin: .application)
        try await wait { store.change(StoreFixture.record(0), declaring: [again], removing: [], completion: $0) }
        #expect(try store.tools()[1].values == [Name("i"): .integer(7)])
        #expect(try store.tools()[1].origin == .application)
        let anew = try Self.tool("a", position: 2, value: 2)
        try await wait { store.change(StoreFixture.record(0), declaring: [anew], removing: [], completion: $0) }
        #expect(try store.tools()[1].values == [:])
        let b = try Name("b")
        try await wait { store.change(StoreFixture.record(0), declaring: [], removing: [b], completion: $0) }
        #expect(try store.tools().map(\.tool.id.text) == ["a"])
        try await wait { store.forget(StoreFixture.record(0).id, completion: $0) }
        #expect(try store.tools() == [])
        store.close()
    }

    @Test("that are declared again in memory have on the disk the values that they had, and what is repeatable since")
    func memory() async throws {
        var store = fixture.open()
        let (id, i) = (StoreFixture.record(0).id, try Name("i"))
        let tools = try ["same", "updated", "other", "own"].map { name in
            var tool = try Self.tool(name, origin: .application)
            tool.values = [i: .integer(7)]
            return tool
        }
        try await wait { store.change(StoreFixture.record(0), declaring: tools, removing: [], completion: $0) }
        store.close()
        let aside = fixture.root + "/aside"
        try FileManager.default.moveItem(atPath: fixture.directory, toPath: aside)
        try fixture.write(Data(), to: fixture.directory)

        store = fixture.open()
        let again = try [
            Self.tool("same", origin: .application), Self.tool("updated", origin: .application),
            Self.tool("other", value: 2, origin: .application), Self.tool("own", value: 2),
        ]
        try await wait {
            store.change(
                StoreFixture.record(0), declaring: again, removing: [], isRepeatable: true, completion: $0)
        }
        for tool in try [Name("updated"), Name("own")] {
            try await wait { store.set([i: .integer(8)], of: tool, of: id, isRepeatable: true, completion: $0) }
        }
        // Nobody would say these again.
        let same = try Name("same")
        await #expect(throws: SentinelError.self) {
            try await wait { store.set([i: .integer(9)], of: same, of: id, completion: $0) }
        }
        await #expect(throws: SentinelError.self) {
            try await wait {
                store.change(StoreFixture.record(0), declaring: [], removing: [same], completion: $0)
            }
        }
        try FileManager.default.removeItem(atPath: fixture.directory)
        try FileManager.default.moveItem(atPath: aside, toPath: fixture.directory)
        try await store.save(StoreFixture.record(1))
        let values = Dictionary(uniqueKeysWithValues: try store.tools().map { ($0.tool.id.text, $0.values[i]) })
        #expect(values == ["same": .integer(7), "updated": .integer(8), "other": nil, "own": .integer(7)])
        store.close()
    }

    @Test("are salvaged out of a damaged database")
    func salvaged() async throws {
        let store = fixture.open()
        try await fill(store)
        let source = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        let target = try Connection(.memory)
        try Schema.prepare(target) { _, _ in }
        let salvage = Salvage(source)
        _ = try salvage.copyApplications(to: target)
        try salvage.copyTools(to: target)
        try check(try ToolTable.all(in: target))
        store.close()
    }

    @Test("that are not what they should be are left out")
    func nonsense() async throws {
        let store = fixture.open()
        try await fill(store)
        try await store.submit { connection in
            try connection.execute("UPDATE tools SET declaration = '{\"id\": 3' WHERE id = 'b'")
            try connection.execute("UPDATE tool_values SET value = '[1]'")
        }
        let stored = try store.tools()
        #expect(stored.map(\.tool.id.text) == ["a"])
        #expect(stored[0].values == [:])
        store.close()
    }

    @Test("leave room for a next one, whatever the database says of their places", arguments: [Int64.max, .min])
    func damagedPlaces(_ position: Int64) async throws {
        let store = fixture.open()
        try await fill(store)
        try await store.submit { connection in
            try connection.run("UPDATE tools SET position = ?", position)
        }
        for tool in try store.tools() {
            #expect(tool.position >= 0)
            #expect(!tool.position.addingReportingOverflow(1).overflow)
        }
        store.close()
    }

    @Test("the audit log keeps the newest")
    func audit() async throws {
        let store = fixture.open()
        let entries = (0..<10).map {
            AuditEntry(time: StoreFixture.now, caller: "c", object: "/o", member: "m\($0)")
        }
        try await wait { store.note(Array(entries[..<6]), keeping: 4, completion: $0) }
        #expect(try store.auditEntries(limit: 9).map(\.member) == ["m5", "m4", "m3", "m2"])
        try await wait { store.note(Array(entries[6...]), keeping: 4, completion: $0) }
        #expect(try store.auditEntries(limit: 2).map(\.member) == ["m9", "m8"])
        #expect(try store.auditEntries(limit: 9) == entries[6...].reversed())
        store.close()
    }
}
