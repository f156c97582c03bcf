// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("The check of a store", .timeLimit(.minutes(5)))
struct StoreAuditTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func makeDatabase() async throws -> [Event] {
        let store = fixture.open()
        let events = try (0..<500).map { number -> Event in
            let id: EventID? = number % 2 == 0 ? StoreFixture.givenID(UInt64(number)) : nil
            return try StoreFixture.event(
                at: Double(number * 300), "type.\(number % 3)", from: "source.\(number % 5)", lasting: 400, id: id)
        }
        try await store.record(events)
        store.close()
        return events
    }

    @Test("finds nothing in a good one, also while it is used")
    func good() async throws {
        _ = try await makeDatabase()
        #expect(try StoreAudit.check(directory: fixture.directory) == [])
        let store = fixture.open()
        try await store.record(try StoreFixture.event(at: 0))
        #expect(try StoreAudit.check(directory: fixture.directory) == [])
        store.close()
        #expect(try StoreAudit.rebuild(directory: fixture.directory) == [])
        #expect(try StoreAudit.check(directory: fixture.directory) == [])
    }

    @Test(
        "finds what is wrong, and what is made anew is right",
        arguments: [
            "UPDATE type_rollups SET count = count + 1 WHERE tier = 1", "DELETE FROM source_rollups",
            "UPDATE pair_rollups SET sum = 0", "UPDATE event_types SET uses = uses + 1 WHERE id = 1",
            "DELETE FROM given_ids", "UPDATE given_ids SET key = x'00'",
            "INSERT INTO given_ids VALUES (x'01', x'02')", "UPDATE events SET crossing_end = NULL",
            "INSERT INTO event_sources VALUES (99, 'nobody', 0)", "DELETE FROM events WHERE type = 1",
        ])
    func wrong(sql: String) async throws {
        let events = try await makeDatabase()

        try Connection(.file(fixture.database)).execute(sql)
        let findings = try StoreAudit.check(directory: fixture.directory)
        #expect(!findings.isEmpty)
        #expect(try StoreAudit.rebuild(directory: fixture.directory) == findings)
        #expect(try StoreAudit.check(directory: fixture.directory) == [])
        let store = fixture.open()
        #expect(Set(try await store.allEvents()).isSubset(of: events))
        #expect(store.eventCount == UInt64(try await store.allEvents().count))
    }

    @Test("is refused where there is nothing to check, and while a service has open what is to be made anew")
    func refusals() async throws {
        #expect(throws: SentinelError.self) { try StoreAudit.check(directory: fixture.directory) }
        _ = try await makeDatabase()
        let store = fixture.open()
        try await store.record(try StoreFixture.event(at: 0))
        let error = #expect(throws: SentinelError.self) { try StoreAudit.rebuild(directory: fixture.directory) }
        #expect(error?.code == .unavailable)
        store.close()
        try Connection(.file(fixture.database)).execute("PRAGMA user_version = 1")
        #expect(throws: SentinelError.self) { try StoreAudit.check(directory: fixture.directory) }
        try fixture.write(Data(repeating: 0x42, count: 100_000), to: fixture.database)
        let damage = #expect(throws: SentinelError.self) { try StoreAudit.check(directory: fixture.directory) }
        #expect(damage?.code == .storageDamaged)
    }
}
