// SPDX-License-Identifier: MIT

import Foundation
import Locking
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A store")
struct StoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test("keeps applications over a restart, byte by byte")
    func restart() async throws {
        var record = StoreFixture.record(1)
        record.name = "e\u{301}\0 \r\n👩‍👩‍👧"
        record.icon = ""
        let first = fixture.open()
        #expect(first.health == StoreHealth(state: .ok))
        try await first.save(record)
        first.close()
        let second = fixture.open()
        let read = try second.applications()
        #expect(read == [record])
        #expect(read.first.map { Array($0.name.utf8) } == Array(record.name.utf8))
        second.close()
    }

    @Test("updates an application and lets the time between first and last seen grow only")
    func update() async throws {
        let store = fixture.open()
        var record = StoreFixture.record(1)
        try await store.save(record)
        record.version = "2"
        record.firstSeen = Timestamp(clamping: StoreFixture.now.microseconds + 5)
        record.lastSeen = Timestamp(clamping: StoreFixture.now.microseconds + 5)
        try await store.save(record)
        let later = Timestamp(clamping: StoreFixture.now.microseconds + 9)
        let unknown = try ApplicationID("com.example.Unknown")
        try await store.touch([record.id, unknown], lastSeen: later)
        try await store.touch([record.id], lastSeen: .earliest)
        let read = try store.applications()
        #expect(read.map(\.version) == ["2"])
        #expect(read.map(\.firstSeen) == [StoreFixture.now])
        #expect(read.map(\.lastSeen) == [later])
    }

    @Test("forgets an application, and one that it does not know")
    func forget() async throws {
        let store = fixture.open()
        for number in 1...3 { try await store.save(StoreFixture.record(number)) }
        try await store.forget(StoreFixture.record(2).id)
        try await store.forget(StoreFixture.record(2).id)
        #expect(try store.applications() == [StoreFixture.record(1), StoreFixture.record(3)])
    }

    @Test("lists applications in the order of their ids' bytes")
    func order() async throws {
        let store = fixture.open()
        for id in ["b.a", "a.b", "a.B", "a.b-c"] {
            try await store.save(
                ApplicationRecord(id: ApplicationID(id), firstSeen: StoreFixture.now, lastSeen: StoreFixture.now))
        }
        #expect(try store.applications().map(\.id.text) == ["a.B", "a.b", "a.b-c", "b.a"])
    }

    @Test("is opened and closed without a write")
    func untouched() async throws {
        _ = try await fixture.makeDatabase(applications: 10)
        let before = try fixture.contents(fixture.database)
        let store = fixture.open()
        #expect(try fixture.contents(fixture.database + "-wal").isEmpty)
        #expect(try store.applications().count == 10)
        store.close()
        #expect(try fixture.contents(fixture.database) == before)
    }

    @Test("writes nothing where nothing is new")
    func unchanged() async throws {
        let store = fixture.open()
        let record = StoreFixture.record(1)
        try await store.save(record)
        let before = try fixture.contents(fixture.database + "-wal")
        try await store.save(record)
        try await store.touch([record.id], lastSeen: record.lastSeen)
        try await store.forget(ApplicationID("com.example.Unknown"))
        #expect(try fixture.contents(fixture.database + "-wal") == before)
    }

    @Test("is for its owner alone: directories 0700, files 0600")
    func permissions() async throws {
        let nested = "\(fixture.directory)/a/b"
        let store = fixture.open(nested + "//")
        try await store.save(StoreFixture.record(1))
        for path in [fixture.directory, "\(fixture.directory)/a", nested] {
            #expect(try fixture.permissions(path) == 0o700, "\(path)")
        }
        #expect(try fixture.names(in: nested) == ["sentinel.db", "sentinel.db-shm", "sentinel.db-wal"])
        for name in try fixture.names(in: nested) {
            #expect(try fixture.permissions("\(nested)/\(name)") == 0o600, "\(name)")
        }
    }

    @Test("takes others' permissions from what is there already")
    func loosePermissions() async throws {
        _ = try await fixture.makeDatabase(applications: 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.directory)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.database)
        let store = fixture.open()
        #expect(store.health.state == .ok)
        #expect(try fixture.permissions(fixture.directory) == 0o700)
        #expect(try fixture.permissions(fixture.database) == 0o600)
    }

    @Test("has the settings that durability and deletion need")
    func settings() async throws {
        let store = fixture.open()
        let settings = try await store.submit { connection in
            try ["journal_mode", "synchronous", "secure_delete", "foreign_keys", "auto_vacuum", "application_id"]
                .map { try connection.pragma($0, as: Value.self) }
        }
        #expect(
            settings == [.text("wal"), .integer(2), .integer(1), .integer(1), .integer(2), .integer(0x536E_746C)])
    }

    @Test("in memory leaves no file and counts as well")
    func memory() async throws {
        let store = Store.open(location: .memory)
        #expect(store.health.state == .ok)
        try await store.submit { try ApplicationTable.save(StoreFixture.record(1), in: $0) }
        #expect(try store.applications() == [StoreFixture.record(1)])
        store.close()
        #expect(!FileManager.default.fileExists(atPath: fixture.directory))
    }

    @Test("serves what was handed in before it is closed, closes twice, and refuses what comes after")
    func close() async throws {
        let store = fixture.open()
        let acknowledged = Guarded(0)
        for number in 0..<100 {
            store.save(StoreFixture.record(number)) { result in
                if case .success = result { acknowledged.withLock { $0 += 1 } }
            }
        }
        store.close()
        #expect(acknowledged.withLock { $0 } == 100)
        store.close()
        #expect(try fixture.names() == ["sentinel.db"])
        let error = await #expect(throws: SentinelError.self) { try await store.save(StoreFixture.record(0)) }
        #expect(error?.code == .unavailable)
        #expect(throws: SentinelError.self) { try store.applications() }
        #expect(try fixture.open().applications().count == 100)
    }

    @Test("copies its log into the database once nothing is written for a while", .timeLimit(.minutes(5)))
    func idleCheckpoint() async throws {
        let store = fixture.open(limits: .init(idleDelay: .milliseconds(20)))
        let empty = try fixture.contents(fixture.database).count
        try await store.submit { connection in
            for number in 0..<500 { try ApplicationTable.save(StoreFixture.record(number), in: connection) }
        }
        while try fixture.contents(fixture.database).count == empty { await Task.yield() }
        #expect(store.health.state == .ok)
    }

    @Test("begins its log anew when it has grown past the limit")
    func forcedCheckpoint() async throws {
        let store = fixture.open(limits: .init(idleDelay: .seconds(600), logBytes: 1 << 20))
        var longest = 0
        for round in 0..<40 {
            let frames = try await store.submit { connection in
                for number in 0..<500 {
                    var record = StoreFixture.record(number)
                    record.version = "\(round)"
                    try ApplicationTable.save(record, in: connection)
                }
                return connection.logFrameCount
            }
            longest = max(longest, frames)
        }
        #expect(longest < 2 * (1 << 20) / 4096)
    }
}
