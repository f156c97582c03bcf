// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A database of an older schema", .timeLimit(.minutes(5)))
struct MigrationTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Makes a database of a dump of its schema.
    private func makeDatabase(schema version: Int) throws {
        try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: false)
        let dump = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Schemas/schema-\(version).sql")
        let connection = try Connection(.file(fixture.database))
        try connection.execute(try String(contentsOf: dump, encoding: .utf8))
        connection.close()
    }

    private var backup: String { "\(fixture.database).schema-1-\(StoreFixture.date)" }

    @Test("is brought to that of today after a private copy of it, and keeps what it holds")
    func schema1() async throws {
        try makeDatabase(schema: 1)
        let store = fixture.open()
        #expect(store.health == StoreHealth(state: .ok))
        #expect(try store.applications().map(\.id.text) == ["com.example.Notes", "org.example.Player"])
        #expect(try store.applications().map(\.build) == ["345", ""])
        try await store.record(try StoreFixture.event(at: 0))
        #expect(try await store.findings() == [])
        #expect(try fixture.permissions(backup) == 0o600)
        let copy = try Connection(.file(backup), options: .init(access: .readOnly))
        #expect(try copy.userVersion() == 1)
        #expect(try copy.first("SELECT count(*) FROM applications", as: Int.self) == 2)
        copy.close()
        store.close()
        #expect(fixture.open().eventCount == 1)
    }

    @Test("leaves a copy that goes with the first deletion")
    func deletion() async throws {
        try makeDatabase(schema: 1)
        let store = fixture.open()
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try await store.deleteEvents() == 0)
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    @Test("is copied under another name where there is something of that one")
    func occupied() throws {
        try makeDatabase(schema: 1)
        try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: false)
        #expect(fixture.open().health.state == .ok)
        #expect(FileManager.default.fileExists(atPath: backup + ".2"))
    }
}
