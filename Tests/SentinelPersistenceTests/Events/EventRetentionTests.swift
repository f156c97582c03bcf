// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Events that expire", .timeLimit(.minutes(5)))
struct EventRetentionTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test("go by age, the border excluded")
    func age() async throws {
        let store = fixture.open()
        let events = try (0..<1500).map { try StoreFixture.event(at: Double($0), lasting: 5000) }
        try await store.record(events)
        #expect(try await store.oldestEvent() == StoreFixture.now)
        #expect(try await store.expireEvents(before: StoreFixture.time(1400)) == 1400)
        #expect(try await store.oldestEvent() == StoreFixture.time(1400))
        #expect(try await store.allEvents() == events[1400...].reversed())
        #expect(try await store.expireEvents(before: StoreFixture.time(1400)) == 0)
        #expect(try await store.expireEvents() == 0)
        #expect(try await store.findings() == [])
    }

    @Test("go by size, the oldest first, until database, log and copies fit together")
    func size() async throws {
        let store = fixture.open()
        let text = String(repeating: "x", count: 800)
        for round in 0..<8 {
            try await store.record(
                try (0..<500).map { try StoreFixture.event(at: Double(round * 500 + $0), text: text) })
        }
        let limit: UInt64 = 2 << 20
        #expect(store.storageBytes > 2 * limit)
        let gone = try await store.expireEvents(maxBytes: limit)
        #expect((1000..<4000).contains(gone))
        #expect(store.storageBytes <= limit)
        #expect(store.storageBytes > limit / 2)
        #expect(store.eventCount == 4000 - gone)
        #expect(try await store.oldestEvent() == StoreFixture.time(Double(gone)))
        #expect(try await store.expireEvents(maxBytes: limit) == 0)
        #expect(try await store.findings() == [])
    }

    @Test("stay where the log or a copy of the database is all that is too much")
    func other() async throws {
        fixture.open().close()
        let copy = "\(fixture.database).damaged-\(StoreFixture.date)"
        try fixture.write(Data(count: 1 << 20), to: copy)
        let store = fixture.open(limits: .init(idleDelay: .seconds(600)))
        for number in 0..<200 { try await store.record(try StoreFixture.event(at: Double(number))) }
        #expect(store.storageBytes > 2 << 20)
        #expect(try await store.expireEvents(maxBytes: 1 << 20) == 0)
        #expect(store.storageBytes <= 1 << 20)
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(store.eventCount == 200)
    }

    @Test("go with copies that are older than a week, those that are younger stay")
    func copies() async throws {
        let store = fixture.open()
        #expect(await nextCopyExpiry(store) == nil)
        let week = Timestamp(clamping: StoreFixture.now.microseconds - StoreFiles.copyLifetime)
        let older = Timestamp(clamping: week.microseconds - 1_000_000)
        for time in [week, older] {
            try fixture.write(Data(count: 10), to: "\(fixture.database).schema-1-\(time.fileNameComponent)")
            try fixture.write(Data(count: 10), to: "\(fixture.database).damaged-\(time.fileNameComponent)-wal")
        }
        #expect(await nextCopyExpiry(store) == StoreFixture.now)
        #expect(try await store.expireEvents() == 0)
        #expect(await nextCopyExpiry(store) == StoreFixture.time(1))
        #expect(
            try fixture.names().filter { $0.hasPrefix("sentinel.db.") } == [
                "sentinel.db.damaged-\(week.fileNameComponent)-wal", "sentinel.db.schema-1-\(week.fileNameComponent)",
            ])
    }

    @Test("go from a database that keeps its free pages, too", arguments: [false, true])
    func withoutVacuum(isShrunk: Bool) async throws {
        fixture.open().close()
        let connection = try Connection(.file(fixture.database))
        try connection.execute("PRAGMA journal_mode = delete; PRAGMA auto_vacuum = none; VACUUM")
        #expect(try connection.pragma("auto_vacuum", as: Int.self) == 0)
        connection.close()
        let store = fixture.open()
        let text = String(repeating: "x", count: 1000)
        try await store.record(try (0..<2000).map { try StoreFixture.event(at: Double($0), text: text) })
        if isShrunk {
            #expect((1000...2000).contains(try await store.expireEvents(maxBytes: 1 << 20)))
        } else {
            #expect(try await store.deleteEvents() == 2000)
        }
        #expect(try await store.submit { try $0.pragma("freelist_count", as: Int.self) ?? 0 } > 16)
        #expect(try await store.findings() == [])
    }

    @Test("go by size also where a damaged table makes of their number what it likes")
    func wildCount() async throws {
        let store = fixture.open()
        let text = String(repeating: "x", count: 1000)
        try await store.record(
            try (0..<2000).map { try StoreFixture.event(at: Double($0), "type.\($0 % 4)", text: text) })
        try await store.submit { try $0.run("UPDATE event_types SET uses = ?", Int64.max) }
        #expect((1000...2000).contains(try await store.expireEvents(maxBytes: 1 << 20)))
    }

    private func nextCopyExpiry(_ store: Store) async -> Timestamp? {
        await withCheckedContinuation { continuation in
            store.nextCopyExpiry { continuation.resume(returning: $0) }
        }
    }
}
