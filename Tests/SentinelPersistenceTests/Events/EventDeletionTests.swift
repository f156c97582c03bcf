// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Locking
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Deleted events", .timeLimit(.minutes(5)))
struct EventDeletionTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// A text that is found in no other place.
    private static func secret(_ number: Int) -> String {
        "secret-\(1_000_000 + number)-"
    }

    /// Numbers of the secrets that bytes hold.
    private static func secrets(in data: Data) -> Set<Int> {
        let mark = Array("secret-1".utf8)
        return data.withUnsafeBytes { bytes in
            var found: Set<Int> = []
            var rest = bytes[...]
            // Foundation's search takes minutes for so many bytes.
            while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let hit = memchr(base, Int32(mark[0]), rest.count)
            {
                rest = rest.dropFirst(UnsafeRawPointer(hit) - base)
                if rest.starts(with: mark),
                    let number = Int(String(decoding: rest.dropFirst(8).prefix(6), as: UTF8.self))
                {
                    found.insert(number)
                }
                rest = rest.dropFirst()
            }
            return found
        }
    }

    /// Events in no order, of different sizes, so that pages are split and joined.
    private func events(_ count: Int, _ random: inout SeededGenerator) throws -> [Event] {
        try (0..<count).map { number in
            let padding = String(repeating: "x", count: [0, 10, 50, 200, 900, 9000].randomElement(using: &random) ?? 0)
            return try StoreFixture.event(
                at: Double(Int.random(in: 0..<1_000_000, using: &random)), "type",
                from: number % 10 == 0 ? Self.secret(number) + "source" : "source",
                text: Self.secret(number) + padding, id: number % 3 == 0 ? StoreFixture.givenID(UInt64(number)) : nil)
        }
    }

    @Test("are in no file any more, pages that were split and joined included", arguments: [1, 2] as [UInt64])
    func bytes(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = fixture.open()
        let events = try events(4000, &random)
        for chunk in 0..<40 {
            try await store.record(Array(events[chunk * 100..<chunk * 100 + 100]))
        }
        let numbers = Array(0..<4000).shuffled(using: &random)
        let (gone, kept) = (numbers.prefix(2000), Set(numbers.dropFirst(2000)))
        let before = Self.secrets(in: try fixture.allBytes())
        #expect(before == Set(0..<4000))
        #expect(try await store.deleteEvents(.with { $0.ids = gone.map { events[$0].id } }) == 2000)
        #expect(Self.secrets(in: try fixture.allBytes()) == kept)
        #expect(try fixture.contents(fixture.database + "-wal").isEmpty)
        #expect(try await store.findings() == [])
        #expect(try await store.submit { try $0.quickCheck() } == [])
        // What the connection remembers of pages does not bring it back.
        try await store.record(try self.events(500, &random))
        #expect(try await store.deleteEvents(.with { $0.ids = [events[gone[0]].id] }) == 0)
        #expect(Self.secrets(in: try fixture.allBytes()).isDisjoint(with: gone.dropFirst().filter { $0 >= 500 }))
        #expect(try await store.deleteEvents() > 0)
        #expect(Self.secrets(in: try fixture.allBytes()).isEmpty)
        #expect(store.eventCount == 0)
        #expect(try await store.findings() == [])
    }

    @Test("take the data with them that they had before they were replaced")
    func replaced() async throws {
        let store = fixture.open()
        let id = EventID.make(at: StoreFixture.now)
        for number in 0..<50 {
            try await store.record(
                try StoreFixture.event(at: 0, Self.secret(number) + "type", text: Self.secret(100 + number), id: id))
        }
        #expect(try await store.deleteEvents(.with { $0.ids = [id] }) == 1)
        #expect(Self.secrets(in: try fixture.allBytes()) == [])
    }

    @Test("give their space back")
    func space() async throws {
        let store = fixture.open()
        let empty = try fixture.contents(fixture.database).count
        try await store.record(
            try (0..<2000).map { try StoreFixture.event(at: Double($0), text: String(repeating: "x", count: 1000)) })
        #expect(store.storageBytes > 2_000_000)
        #expect(try await store.deleteEvents() == 2000)
        #expect(try fixture.contents(fixture.database).count < empty + 32 * 4096)
        #expect(store.storageBytes < UInt64(empty) + 64 * 4096)
        #expect(store.eventCount == 0)
        try await store.record(try StoreFixture.event(at: 0))
        #expect(try await store.findings() == [])
    }

    @Test("of the last time are those that began in it, reach into it, or are open")
    func forgetting() async throws {
        let store = fixture.open()
        let kept = [
            try StoreFixture.event(at: -10, text: "no duration"),
            try StoreFixture.event(at: -10, lasting: 10),
            try StoreFixture.event(at: -5000, lasting: 5000),
            try StoreFixture.event(at: -5000, lasting: 100),
        ]
        let gone = [
            try StoreFixture.event(at: 0), try StoreFixture.event(at: 1_000_000),
            try StoreFixture.event(at: -10, lasting: 10.000001),
            try StoreFixture.event(at: -5000, lasting: 5000.000001),
            try StoreFixture.event(at: -29 * 86_400, lasting: 30 * 86_400),
            try StoreFixture.event(at: -90 * 86_400, marks: [.open], text: "open"),
            try StoreFixture.event(at: -1, marks: [.open], id: StoreFixture.givenID(1)),
        ]
        let many = try (0..<1200).map { try StoreFixture.event(at: Double(-2000 - $0), lasting: 4000) }
        try await store.record(kept + gone + many)
        #expect(try await store.forgetEvents(since: StoreFixture.now) == UInt64(gone.count + many.count))
        #expect(Set(try await store.allEvents()) == Set(kept))
        #expect(try await store.findings() == [])
    }

    @Test("by rules are those that they deny; the data that they redact is in no file any more")
    func rules() async throws {
        let store = fixture.open()
        var mail = try StoreFixture.event(at: 0, "mail", text: Self.secret(1))
        mail.data["kept"] = .integer(1)
        let denied = try StoreFixture.event(at: 1, Self.secret(2), text: Self.secret(3))
        let other = try StoreFixture.event(at: 2, "other", text: Self.secret(4), id: StoreFixture.givenID(1))
        try await store.record(mail, denied, other)
        let rules = EventRules([
            EventRule(.deny, .type, try GlobPattern("secret-*")),
            EventRule(.redact, .data("text"), try GlobPattern("secret-?00000[14]-")),
        ])
        let narrow = EventRules([EventRule(.allow, .type, try GlobPattern("other"))] + rules.rules)
        #expect(try await store.applyRules(narrow) == 2)
        #expect(Self.secrets(in: try fixture.allBytes()) == [4])
        #expect(try await store.applyRules(narrow) == 0)
        #expect(try await store.applyRules(rules) == 1)
        #expect(Self.secrets(in: try fixture.allBytes()) == [])
        var (redactedMail, redactedOther) = (mail, other)
        (redactedMail.data, redactedMail.marks) = (["kept": .integer(1)], [.redacted])
        (redactedOther.data, redactedOther.marks) = ([:], [.redacted])
        #expect(try await store.allEvents() == [redactedOther, redactedMail])
        #expect(try await store.findings() == [])
    }

    @Test("are overwritten as well where a later step fails", arguments: [false, true])
    func failing(whileReading: Bool) async throws {
        var limits = Writer.Limits()
        limits.erasure = .milliseconds(50)
        let store = fixture.open(limits: limits)
        let events = try (0..<1200).map { try StoreFixture.event(at: Double($0), text: Self.secret($0)) }
        try await store.record(events)
        // The newest go first, 500 in a step.
        let last = events[100].id.description.filter { $0 != "-" }
        try await store.submit { connection in
            try connection.execute(
                """
                CREATE TRIGGER refusal BEFORE DELETE ON events
                WHEN old.key = x'\(last)'
                BEGIN SELECT raise(ABORT, 'not this one'); END
                """)
        }
        let reader = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        if whileReading {
            try reader.begin(.deferred)
            #expect(try reader.first("SELECT count(*) FROM events", as: Int.self) == 1200)
        }
        let error = await #expect(throws: SentinelError.self) { try await store.deleteEvents() }
        #expect(error?.code == .conflict)
        let kept = Set(0..<Int(store.eventCount))
        // Where the machine is busy, a step pauses earlier; the one that fails takes nothing.
        #expect((101...600).contains(kept.count))
        if whileReading {
            reader.rollBack()
        }
        let fixture = fixture
        try await waitUntil("what was deleted is overwritten") { Self.secrets(in: try fixture.allBytes()) == kept }
        #expect(try await store.findings() == [])
    }

    @Test("fail with a timeout while somebody reads, and are overwritten once he ends")
    func busy() async throws {
        var limits = Writer.Limits()
        limits.erasure = .milliseconds(50)
        let store = fixture.open(limits: limits)
        try await store.record(try StoreFixture.event(at: 0, text: Self.secret(1)))
        let reader = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        try reader.begin(.deferred)
        #expect(try reader.first("SELECT count(*) FROM events", as: Int.self) == 1)
        let changes = Guarded(0)
        let error = await #expect(throws: SentinelError.self) {
            try await store.deleteEvents(changed: { changes.withLock { $0 += 1 } })
        }
        #expect(error?.code == .timeout)
        #expect(store.eventCount == 0)
        #expect(changes.withLock { $0 } == 1)
        #expect(Self.secrets(in: try fixture.allBytes()) == [1])
        try await store.record(try StoreFixture.event(at: 1))
        reader.rollBack()
        let fixture = fixture
        try await waitUntil("the event is overwritten") { Self.secrets(in: try fixture.allBytes()) == [] }
        #expect(try await store.countEvents() == 1)
    }

    @Test("that could not be overwritten before are when the store is closed")
    func atEnd() async throws {
        var limits = Writer.Limits()
        limits.erasure = .milliseconds(50)
        let store = fixture.open(limits: limits)
        try await store.record(try StoreFixture.event(at: 0, text: Self.secret(1)))
        let reader = try Connection(
            .file(fixture.database), options: .init(access: .readOnly, checkpointsOnClose: false))
        try reader.begin(.deferred)
        #expect(try reader.first("SELECT count(*) FROM events", as: Int.self) == 1)
        await #expect(throws: SentinelError.self) { try await store.deleteEvents() }
        reader.rollBack()
        reader.close()
        store.close()
        #expect(Self.secrets(in: try fixture.allBytes()) == [])
    }

    @Test("that could not be overwritten before the end are by the next process")
    func owed() async throws {
        var random = SeededGenerator(seed: 1)
        var limits = Writer.Limits()
        limits.erasure = .milliseconds(50)
        let store = fixture.open(limits: limits)
        let events = try events(2000, &random)
        for chunk in 0..<40 { try await store.record(Array(events[chunk * 50..<chunk * 50 + 50])) }
        let numbers = Array(0..<2000).shuffled(using: &random)
        let (gone, kept) = (numbers.prefix(1000), Set(numbers.dropFirst(1000)))
        let reader = try Connection(.file(fixture.database))
        try reader.begin(.deferred)
        #expect(try reader.first("SELECT count(*) FROM events", as: Int.self) == 2000)
        let error = await #expect(throws: SentinelError.self) {
            try await store.deleteEvents(.with { $0.ids = gone.map { events[$0].id } })
        }
        #expect(error?.code == .timeout)
        store.close()
        // The log goes with whoever was last to have it open, so that nothing else tells of what is owed.
        reader.rollBack()
        reader.close()
        #expect(try fixture.names() == ["sentinel.db"])
        #expect(Self.secrets(in: try fixture.allBytes()).isStrictSuperset(of: kept))

        limits.idleDelay = .milliseconds(10)
        let next = fixture.open(limits: limits)
        #expect(try next.setting(SettingsTable.erasure) != nil)
        let fixture = fixture
        try await waitUntil("they are overwritten") { Self.secrets(in: try fixture.allBytes()) == kept }
        // What is owed no more is taken back with the next write, or at the end.
        try await waitUntil("nothing is owed") {
            try await next.setSettings(["number": String(UInt64.random(in: 0...UInt64.max))])
            return try next.setting(SettingsTable.erasure) == nil
        }
        next.close()
    }

    @Test("are owed no more once they are overwritten", arguments: [false, true])
    func paid(isClosed: Bool) async throws {
        let store = fixture.open()
        for number in 0..<2 {
            try await store.record(try StoreFixture.event(at: Double(number)))
            #expect(try store.setting(SettingsTable.erasure) == nil)
            #expect(try await store.deleteEvents() == 1)
            #expect(try store.setting(SettingsTable.erasure) != nil)
        }
        if isClosed {
            store.close()
            let next = fixture.open()
            #expect(try next.setting(SettingsTable.erasure) == nil)
        } else {
            // It costs no write of its own.
            #expect(try fixture.contents(fixture.database + "-wal").isEmpty)
            try await store.setSettings(["a": "write"])
            #expect(try store.setting(SettingsTable.erasure) == nil)
        }
    }

    @Test("are refused while too many deletions wait; what expires is not")
    func bounds() async throws {
        var limits = Writer.Limits()
        limits.deletions = 2
        let store = fixture.open(limits: limits)
        try await store.record(try StoreFixture.event(at: 0), try StoreFixture.event(at: 1))
        let (replies, expired) = (Guarded<[SentinelError.Code?]>([]), Guarded<Int>(0))
        let note: @Sendable (Result<UInt64, SentinelError>) -> Void = { result in
            if case .failure(let error) = result {
                replies.withLock { $0.append(error.code) }
            } else {
                replies.withLock { $0.append(nil) }
            }
        }
        store.writer.queue.suspend()
        store.deleteEvents(EventFilter(), completion: note)
        store.forgetEvents(since: StoreFixture.now, completion: note)
        store.applyRules(EventRules(), completion: note)
        store.deleteEvents(EventFilter(), completion: note)
        for _ in 0..<2 {
            store.expireEvents(before: StoreFixture.now, maxBytes: nil) { result in
                if case .success = result { expired.withLock { $0 += 1 } }
            }
        }
        store.writer.queue.resume()
        try await waitUntil("all are answered") { replies.withLock { $0.count } == 4 && expired.withLock { $0 } == 2 }
        #expect(replies.withLock { $0.count { $0 == .limitsExceeded } } == 2)
        #expect(replies.withLock { $0.count { $0 == nil } } == 2)
        #expect(try await store.deleteEvents() == 0)
    }

    @Test("by rules on type or source go though their data cannot be read; other rules take that for damage")
    func unreadableData() async throws {
        let store = fixture.open()
        let events = try ["denied", "redacted", "allowed"].enumerated().map { index, type in
            try StoreFixture.event(at: Double(index), type, text: Self.secret(index))
        }
        try await store.record(events)
        try await store.submit { try $0.run("UPDATE events SET data = data || 'x'") }
        let byData = EventRule(.deny, .data("text"), try GlobPattern("none"))
        let byType = [
            EventRule(.deny, .type, try GlobPattern("denied")), EventRule(.redact, .type, try GlobPattern("redacted")),
        ]
        let end = EventRule(.deny, .type, try GlobPattern("allowed"))
        #expect(try await store.applyRules(EventRules(byType + [end, byData])) == 3)
        #expect(Self.secrets(in: try fixture.allBytes()) == [])
        var redacted = events[1]
        (redacted.data, redacted.marks) = ([:], [.redacted])
        #expect(try await store.allEvents() == [redacted])

        try await store.submit { try $0.run("UPDATE events SET data = 'x'") }
        let error = await #expect(throws: SentinelError.self) { try await store.applyRules(EventRules([byData])) }
        #expect(error?.code == .storageDamaged)
        try await store.setSettings(["next": "write"])
        try await waitUntil("the others are salvaged") { store.health["salvaged_events"] == "0" }
        #expect(try await store.applyRules(EventRules([byData])) == 0)
    }

    @Test("are not said to be gone where copies of the database cannot be looked for")
    func hiddenCopies() throws {
        try fixture.write(Data(), to: "\(fixture.root)/file")
        let files = StoreFiles(directory: "\(fixture.root)/file")
        let error = #expect(throws: SentinelError.self) { try files.removeCopies() }
        #expect(error?.code == .unavailable)
        #expect(throws: SentinelError.self) { try files.removeCopies(expiredAt: StoreFixture.now) }
        #expect(files.copyByteCount == 0)
        #expect(files.nextCopyExpiry == nil)
        // Where there is no directory there are none.
        try StoreFiles(directory: "\(fixture.root)/nothing").removeCopies()
    }

    @Test("are in no copy of the database either")
    func copies() async throws {
        fixture.open().close()
        for name in [
            "damaged-\(StoreFixture.date)", "damaged-\(StoreFixture.date)-wal", "schema-1-\(StoreFixture.date).2",
        ] {
            try fixture.write(Data(Self.secret(1).utf8), to: "\(fixture.database).\(name)")
        }
        try fixture.write(Data(), to: "\(fixture.database).other")
        let store = fixture.open()
        #expect(store.storageBytes >= UInt64(3 * Self.secret(1).utf8.count))
        #expect(try await store.forgetEvents(since: StoreFixture.now) == 0)
        #expect(
            try fixture.names() == ["sentinel.db", "sentinel.db-shm", "sentinel.db-wal", "sentinel.db.other"])
    }

    @Test("are all that were there, while others are stored")
    func concurrently() async throws {
        let store = fixture.open()
        let old = try (0..<3000).map {
            try StoreFixture.event(at: Double($0), "old", id: StoreFixture.givenID(UInt64($0)))
        }
        try await store.record(old)
        async let deleted = store.deleteEvents(try .with { $0.type = try Name("old") })
        for number in 0..<200 {
            try await store.record(try StoreFixture.event(at: Double(number), "new"))
        }
        #expect(try await deleted == 3000)
        #expect(store.eventCount == 200)
        #expect(try await store.countEvents(try .with { $0.type = try Name("old") }) == 0)
        #expect(try await store.findings() == [])
    }
}
