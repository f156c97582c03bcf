// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("A damaged database", .timeLimit(.minutes(5)))
struct DamageTests {
    enum Damage: CaseIterable {
        case garbage, shorterThanAHeader, truncated, schemaOverwritten, emptyWithLog, missingWithLog, directory,
            foreign, tableMissing
    }

    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func inflict(_ damage: Damage) throws {
        let database = fixture.database
        switch damage {
        case .garbage: try fixture.write(Data(repeating: 0x42, count: 100_000), to: database)
        case .shorterThanAHeader: try fixture.write(fixture.contents(database).prefix(50), to: database)
        case .truncated: try fixture.write(fixture.contents(database).dropLast(10 * 4096), to: database)
        case .schemaOverwritten:
            var data = try fixture.contents(database)
            data.replaceSubrange(100..<4096, with: Data(repeating: 0x5A, count: 3996))
            try fixture.write(data, to: database)
        case .emptyWithLog:
            try fixture.write(Data(), to: database)
            try fixture.write(Data(repeating: 1, count: 5000), to: database + "-wal")
        case .missingWithLog:
            try FileManager.default.removeItem(atPath: database)
            try fixture.write(Data(repeating: 1, count: 5000), to: database + "-wal")
        case .directory:
            try FileManager.default.removeItem(atPath: database)
            try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: false)
            try fixture.write(Data("precious".utf8), to: database + "/file")
        case .foreign:
            try FileManager.default.removeItem(atPath: database)
            try Connection(.file(database)).execute("CREATE TABLE theirs (x)")
        case .tableMissing: try Connection(.file(database)).execute("DROP TABLE applications")
        }
    }

    @Test("is set aside with its date and started anew", arguments: Damage.allCases)
    func setAside(damage: Damage) async throws {
        _ = try await fixture.makeDatabase()
        try inflict(damage)
        let isFile = damage != .directory && damage != .missingWithLog
        let before = isFile ? try fixture.contents(fixture.database) : Data()
        let store = fixture.open()
        #expect(store.health.state == .degraded)
        #expect(store.health["damaged_file"] == fixture.damagedDatabase)
        #expect(store.health["damage"]?.isEmpty == false)
        #expect(store.health["storage"] == nil)
        if isFile {
            #expect(try fixture.contents(fixture.damagedDatabase) == before)
        }
        switch damage {
        case .emptyWithLog, .missingWithLog:
            #expect(try fixture.contents(fixture.damagedDatabase + "-wal") == Data(repeating: 1, count: 5000))
        case .directory:
            #expect(try fixture.contents(fixture.damagedDatabase + "/file") == Data("precious".utf8))
        default: break
        }
        try await store.save(StoreFixture.record(70_000))
        // A store that is closed before goes on with it at its next start, and says so.
        try await waitUntil("events are salvaged") { store.health["salvaged_events"] == "0" }
        store.close()
        let next = fixture.open()
        #expect(next.health == StoreHealth(state: .ok))
        #expect(try next.applications().contains(StoreFixture.record(70_000)))
    }

    @Test("that was cut short gives back what is left of it")
    func truncated() async throws {
        let records = try await fixture.makeDatabase()
        try inflict(.truncated)
        let store = fixture.open()
        let salvaged = try store.applications()
        #expect((500..<1000).contains(salvaged.count))
        #expect(store.health["salvaged_applications"] == "\(salvaged.count)")
        #expect(Set(salvaged).isSubset(of: records))
    }

    @Test("with a page overwritten is noticed at the first read and gives back both sides of the page")
    func overwritten() async throws {
        let records = try await fixture.makeDatabase()
        try fixture.overwrite(page: 30, of: fixture.database)
        let store = fixture.open()
        let salvaged = try store.applications()
        #expect(store.health.state == .degraded)
        #expect(store.health["salvaged_applications"] == "\(salvaged.count)")
        #expect(salvaged.first == records.first)
        #expect(salvaged.last == records.last)
        #expect((900..<1000).contains(salvaged.count))
        #expect(Set(salvaged).isSubset(of: records))
    }

    @Test("is set aside with its log, and what the log holds is salvaged")
    func log() async throws {
        let records = try await fixture.makeDatabase()
        let store = fixture.open(limits: .init(idleDelay: .seconds(600)))
        try await store.save(StoreFixture.record(70_000))
        let copy = try StoreFixture()
        try FileManager.default.copyItem(atPath: fixture.directory, toPath: copy.directory)
        try copy.overwrite(page: 30, of: copy.database)
        let log = try copy.contents(copy.database + "-wal")
        #expect(!log.isEmpty)
        let next = copy.open()
        let salvaged = try next.applications()
        #expect(salvaged.first == records.first)
        #expect(salvaged.last == StoreFixture.record(70_000))
        #expect(next.health["damaged_file"] == copy.damagedDatabase)
        #expect(try copy.contents(copy.damagedDatabase + "-wal") == log)
    }

    @Test("gives back its applications without the rows that hold nonsense")
    func nonsense() async throws {
        let records = try await fixture.makeDatabase(applications: 10)
        try Connection(.file(fixture.database)).execute(
            """
            INSERT INTO applications SELECT 'not an id', '', '', '', '', first_seen, last_seen FROM applications LIMIT 1;
            INSERT INTO applications VALUES ('com.example.Old', '', '', '', '', 0, 0);
            INSERT INTO applications SELECT 'com.example.Bytes', CAST(x'ff' AS TEXT), '', '', '', first_seen, last_seen
                FROM applications LIMIT 1;
            """)
        let store = fixture.open()
        #expect(try store.applications() == records)
        #expect(store.health.state == .ok)
    }

    @Test("is found in the background after an unclean end")
    func backgroundCheck() async throws {
        let store = fixture.open(limits: .init(idleDelay: .seconds(600)))
        let records = (0..<1000).map { StoreFixture.record($0) }
        try await store.submit { connection in
            for record in records { try ApplicationTable.save(record, in: connection) }
        }
        try await store.submit { connection in
            try connection.execute("CREATE TABLE other (x)")
            for number in 0..<1000 {
                try connection.run("INSERT INTO other VALUES (?)", "\(number)" + String(repeating: "x", count: 100))
            }
        }
        store.writer.queue.sync {}
        try Connection(.file(fixture.database), options: .init(checkpointsOnClose: false)).checkpoint(.passive)
        try await store.save(StoreFixture.record(70_000))
        let copy = try StoreFixture()
        try FileManager.default.copyItem(atPath: fixture.directory, toPath: copy.directory)
        let pages = try copy.contents(copy.database).count / 4096
        try copy.overwrite(page: pages - 5, of: copy.database)
        let damaged = copy.open()
        while damaged.health.state == .ok { await Task.yield() }
        #expect(damaged.health["damaged_file"] == copy.damagedDatabase)
        #expect(try damaged.applications().count == 1001)
    }

    @Test("met in use fails that call, and the next write goes to a new one")
    func inUse() async throws {
        let records = try await fixture.makeDatabase()
        let store = fixture.open()
        #expect(try store.applications().count == records.count)
        try await store.submit { try $0.execute("PRAGMA shrink_memory") }
        try fixture.overwrite(page: try fixture.leaves(from: 30, count: 3), of: fixture.database, count: 3)
        let error = await #expect(throws: SentinelError.self) {
            try await store.submit { try ApplicationTable.all(in: $0).count }
        }
        #expect(error?.code == .storageDamaged)
        #expect(store.health.state == .degraded)
        #expect(store.health["damaged_file"] == nil)
        try await store.save(StoreFixture.record(70_000))
        #expect(store.health["damaged_file"] == fixture.damagedDatabase)
        #expect(try store.applications().last == StoreFixture.record(70_000))
        #expect(try store.applications().count > 800)
    }

    @Test("set aside twice in a second keeps both")
    func twice() async throws {
        for _ in 0..<2 {
            _ = try await fixture.makeDatabase(applications: 1)
            try inflict(.garbage)
            fixture.open().close()
        }
        #expect(
            try fixture.names() == [
                "sentinel.db", "sentinel.db.damaged-\(StoreFixture.date)", "sentinel.db.damaged-\(StoreFixture.date).2",
            ])
    }

    @Test("is not what an empty file is")
    func empty() async throws {
        try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: false)
        try fixture.write(Data(), to: fixture.database)
        let store = fixture.open()
        #expect(store.health == StoreHealth(state: .ok))
        try await store.save(StoreFixture.record(1))
    }
}
