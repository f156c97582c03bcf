// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Events of a damaged database", .timeLimit(.minutes(5)))
struct EventSalvageTests {
    let fixture: StoreFixture
    let events: [Event]

    init() throws {
        fixture = try StoreFixture()
        events = try (0..<3000).map { number -> Event in
            let marks: Event.Marks = number == 5 ? [.open] : []
            let id: EventID? = number % 4 == 0 ? StoreFixture.givenID(UInt64(number)) : nil
            return try StoreFixture.event(
                at: Double(number * 60), "type.\(number % 3)", from: "source.\(number % 7)",
                lasting: number == 5 ? nil : 90, marks: marks, text: "event \(number)", id: id)
        }
    }

    private func makeDatabase() async throws {
        let store = fixture.open()
        try await store.record(events)
        try await store.setSettings(["kept": "yes"])
        store.close()
    }

    /// A page in the middle of the events.
    private func pageOfEvents() throws -> Int {
        let connection = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        // The pages of the last events are those of the highest numbers; the ones before belong to them as well.
        let pages = try #require(try connection.pragma("page_count", as: Int.self))
        return pages / 3
    }

    private func awaitSalvage(_ store: Store) async throws -> Int {
        try await waitUntil("events are salvaged") { store.health["salvaged_events"] != nil }
        return Int(store.health["salvaged_events"] ?? "") ?? -1
    }

    private func expected(_ event: Event) -> Event {
        guard event.marks.contains(.open) else { return event }
        var closed = event
        closed.marks = [.interrupted]
        closed.duration = 0
        return closed
    }

    @Test("are copied from both sides of the damage, with rollups that fit them")
    func overwritten() async throws {
        try await makeDatabase()
        try fixture.overwrite(page: try pageOfEvents(), of: fixture.database, count: 2)
        let store = fixture.open()
        // Damage shows when it is read.
        do {
            _ = try await store.countEvents(.with { $0.text = "event" })
        } catch let error as SentinelError {
            #expect(error.code == .storageDamaged)
        }
        try await store.save(StoreFixture.record(1))
        #expect(store.health["damaged_file"] == fixture.damagedDatabase)
        let count = try await awaitSalvage(store)
        #expect((2000..<3000).contains(count))
        let salvaged = try await store.allEvents()
        #expect(salvaged.count == count)
        #expect(Set(salvaged).isSubset(of: events.map(expected)))
        #expect(try await store.findings() == [])
        store.close()
        let next = fixture.open()
        #expect(next.eventCount == UInt64(count))
        #expect(next.health.state == .ok)
    }

    @Test("are all copied where only another table is damaged, with settings and what is open closed")
    func otherTable() async throws {
        try await makeDatabase()
        try Connection(.file(fixture.database)).execute("DROP TABLE type_rollups")
        let store = fixture.open()
        #expect(try await awaitSalvage(store) == 3000)
        #expect(try await store.allEvents() == events.reversed().map(expected))
        #expect(try store.setting("kept") == "yes")
        #expect(try store.setting("salvage") == nil)
        #expect(try await store.findings() == [])
    }

    @Test("are copied without one that lasts longer than any may, or less than nothing")
    func badDuration() async throws {
        try await makeDatabase()
        let connection = try Connection(.file(fixture.database))
        for (number, duration) in [(1, Int64.max), (2, .min), (1503, Event.longestDuration + 1)] {
            try connection.run(
                "UPDATE events SET duration = ? WHERE key = ?", duration, EventKey(events[number].id))
        }
        try connection.execute("DROP TABLE type_rollups")
        connection.close()
        let store = fixture.open()
        #expect(try await awaitSalvage(store) == 2997)
        #expect(store.eventCount == 2997)
        #expect(try store.setting("salvage") == nil)
        #expect(try await store.findings() == [])
    }

    @Test("of a file that holds none are none", arguments: [Data(repeating: 0x42, count: 100_000), Data(count: 50)])
    func garbage(contents: Data) async throws {
        try await makeDatabase()
        try fixture.write(contents, to: fixture.database)
        let store = fixture.open()
        #expect(try await awaitSalvage(store) == 0)
        try await store.record(events[0])
        #expect(try await store.allEvents() == [events[0]])
    }

    @Test("are copied by the next process where one did not get to the end, and not once they are deleted")
    func interrupted() async throws {
        try await makeDatabase()
        try Connection(.file(fixture.database)).execute("DROP TABLE type_rollups")
        let store = fixture.open()
        store.close()
        let next = fixture.open()
        try await waitUntil("events are salvaged") { next.eventCount == 3000 }
        #expect(try await next.deleteEvents() == 3000)
        next.close()
        let last = fixture.open()
        #expect(try await last.countEvents() == 0)
        #expect(try fixture.names().filter { $0.contains("damaged") } == [])
    }

    @Test("that are deleted while others are still salvaged do not come back")
    func deletion() async throws {
        try await makeDatabase()
        try Connection(.file(fixture.database)).execute("DROP TABLE type_rollups")
        let store = fixture.open()
        #expect(try await store.deleteEvents(.with { $0.end = StoreFixture.time(60 * 2000) }) == 2000)
        #expect(try await store.allEvents() == events[2000...].reversed())
    }

    @Test("are salvaged where a value of one has a type that its column does not allow")
    func wrongType() async throws {
        try await makeDatabase()
        try editSchema(from: ") STRICT, WITHOUT ROWID", to: ") WITHOUT ROWID")
        let loose = try Connection(.file(fixture.database))
        try loose.execute("UPDATE events SET given_id = 'x' WHERE key = (SELECT min(key) FROM events)")
        loose.close()
        try editSchema(from: ") WITHOUT ROWID", to: ") STRICT, WITHOUT ROWID")

        let store = fixture.open()
        let error = await #expect(throws: SentinelError.self) { try await store.allEvents() }
        #expect(error?.code == .storageDamaged)
        try await store.setSettings(["next": "write"])
        #expect(try await awaitSalvage(store) == events.count - 1)
        #expect(try await store.allEvents().count == events.count - 1)
        #expect(try await store.deleteEvents() == UInt64(events.count - 1))
    }

    private func editSchema(from: String, to: String) throws {
        let connection = try Connection(.file(fixture.database))
        try connection.execute(
            """
            PRAGMA writable_schema = 1;
            UPDATE sqlite_schema SET sql = replace(sql, '\(from)', '\(to)') WHERE name = 'events';
            """)
        connection.close()
    }
}
