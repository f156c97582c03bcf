// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Preferences in a damaged database")
struct PreferenceSalvageTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func write(_ id: ApplicationID, _ writes: [PreferenceWrite], to store: Store) async throws {
        try await withCheckedContinuation { continuation in
            store.writePreferences(of: id, writes, historyLimit: 10, historyBytes: 1 << 20) {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    private func changes(of id: ApplicationID, in store: Store) async throws -> [StoredChange] {
        try await withCheckedContinuation { continuation in
            store.preferenceChanges(of: id, key: nil, before: nil, limit: 100) { continuation.resume(returning: $0) }
        }.get()
    }

    @Test("what can be read of them goes to the new database, numbers of changes included")
    func salvage() async throws {
        let records = try await fixture.makeDatabase()
        let id = records[0].id
        let (key, profile) = (try Name("key\u{301}"), try Name("profile"))
        let value = StoredPreferences.Value(document: "1.0", origin: "o", time: StoreFixture.now, end: StoreFixture.now)
        var store = fixture.open()
        try await write(
            id,
            [
                .declare(
                    .init(
                        key: key, position: 3, document: "{}", source: "application", origin: "o",
                        time: StoreFixture.now)),
                .set(.stored, key, .init(document: "true", origin: "o", time: StoreFixture.now)),
                .set(.temporary, key, value), .saveProfile(profile, [key: value]), .applyProfile(profile),
                .record(StoredChange(key: key, time: StoreFixture.now, origin: "o", layer: "stored", new: "true")),
                .record(StoredChange(key: key, time: StoreFixture.now, origin: "o", layer: "stored", old: "true")),
            ], to: store)
        let before = try #require(try store.preferences()[id])
        let history = try await changes(of: id, in: store)
        #expect(history.map(\.number) == [2, 1])
        store.close()

        try fixture.overwrite(page: try fixture.leaves(from: 30, count: 3), of: fixture.database, count: 3)
        store = fixture.open()
        _ = try? await store.submit { try ApplicationTable.all(in: $0).count }
        try await store.save(StoreFixture.record(70_000))
        #expect(store.health["damaged_file"] == fixture.damagedDatabase)
        let after = try #require(try store.preferences()[id])
        #expect(after.declarations.map(\.position) == before.declarations.map(\.position))
        #expect(after.stored == before.stored && after.temporary == before.temporary)
        #expect(after.profiles == before.profiles && after.appliedProfile == profile)
        #expect(try await changes(of: id, in: store) == history)
        // Numbers go on from there.
        try await write(
            id, [.record(StoredChange(key: key, time: StoreFixture.now, origin: "o", layer: "stored", new: "1"))],
            to: store)
        #expect(try await changes(of: id, in: store).first?.number == 3)
        store.close()
    }

    @Test("declarations alone are kept in memory where no disk can be used, values are not")
    func memory() async throws {
        try fixture.makeUnusable()
        let store = fixture.open()
        let record = StoreFixture.record(1)
        try await store.save(record)
        let key = try Name("key")
        try await write(
            record.id,
            [
                .declare(
                    .init(key: key, position: 1, document: "{}", source: "a", origin: "o", time: StoreFixture.now))
            ], to: store)
        let error = await #expect(throws: SentinelError.self) {
            try await write(
                record.id, [.set(.stored, key, .init(document: "1", origin: "o", time: StoreFixture.now))], to: store)
        }
        #expect(error?.code == .unavailable)
        #expect(try store.preferences()[record.id]?.declarations.count == 1)
        store.close()
    }
}

extension StoreFixture {
    /// Has something in the directory's place that is none.
    fileprivate func makeUnusable() throws {
        try write(Data(), to: directory)
    }
}
