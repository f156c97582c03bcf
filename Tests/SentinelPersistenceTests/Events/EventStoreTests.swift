// SPDX-License-Identifier: MIT

import Foundation
import Locking
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Events in a store", .timeLimit(.minutes(5)))
struct EventStoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func data() -> [DataKey: DataValue] {
        [
            "b": .boolean(false), "x": .integer(.min), "one": .integer(1), "d": .double(1), "s": .text("e\u{301}\0\n"),
            "ay": .bytes([0, 255]), "$bytes": .text("AA=="), "av": .array([.integer(0), .boolean(true), .array([])]),
            "nested": .dictionary(["$": .double(0.1), "": .dictionary([:])]),
        ]
    }

    @Test("come back over a restart as they were, types of their data included")
    func restart() async throws {
        let store = fixture.open()
        var first = try StoreFixture.event(at: 0, lasting: 12.5)
        first.data = data()
        let second = try StoreFixture.event(at: 1, marks: [.open], id: StoreFixture.givenID(1))
        try await store.record(first, second)
        #expect(store.eventCount == 2)
        store.close()
        let next = fixture.open()
        #expect(next.eventCount == 2)
        #expect(try await next.allEvents() == [second, first])
        #expect(try await next.findings() == [])
    }

    @Test("of an id that says their time have that as their key, whoever made it; all others are looked up")
    func keys() async throws {
        let store = fixture.open()
        let own = try StoreFixture.event(at: 0)
        let other = try StoreFixture.event(at: 2, id: .make(at: StoreFixture.time(1)))
        let random = try StoreFixture.event(at: 3, id: StoreFixture.givenID(7))
        try await store.record(own, other, random)
        let given = try await store.submit { connection in
            try connection.first("SELECT count(*) FROM given_ids", as: Int.self)
        }
        #expect(given == 2)
        #expect(try await store.allEvents() == [random, other, own])
        let ids = EventFilter.with { $0.ids = [own.id, random.id, .make(at: StoreFixture.now), random.id] }
        #expect(try await store.allEvents(ids, limit: 1) == [random, own])
        #expect(try await store.countEvents(ids) == 2)
    }

    @Test("of the same id take each other's place, at any time and whatever the id", arguments: [nil, UInt64(3)])
    func replacement(given: UInt64?) async throws {
        let store = fixture.open()
        let id = given.map { StoreFixture.givenID($0) } ?? .make(at: StoreFixture.time(10))
        let versions = [
            try StoreFixture.event(at: 10, "a", lasting: 1, text: "first", id: id),
            try StoreFixture.event(at: 10, "b", from: "other", text: "second", id: id),
            try StoreFixture.event(at: 5000, "a", lasting: 86_400, id: id),
            try StoreFixture.event(at: 5000, "a", marks: [.open], id: id),
            try StoreFixture.event(at: 10, "c", id: id),
            try StoreFixture.event(at: -100_000, "c", lasting: 0, id: id),
        ]
        let bystander = try StoreFixture.event(at: 0, "z")
        try await store.record(bystander)
        for version in versions {
            try await store.record(version)
            #expect(Set(try await store.allEvents()) == [bystander, version])
            #expect(store.eventCount == 2)
            #expect(try await store.findings() == [])
        }
        try await store.record(versions)
        #expect(Set(try await store.allEvents()) == [bystander, versions[5]])
        #expect(try await store.findings() == [])
    }

    @Test("whose id is the key of another event are events of their own")
    func foreignKey() async throws {
        let store = fixture.open()
        let given = try StoreFixture.event(at: 0, "given", id: StoreFixture.givenID(1))
        try await store.record(given)
        let key = try await store.submit { connection in
            try #require(try connection.first("SELECT key FROM events", as: EventKey.self))
        }
        let thief = try StoreFixture.event(at: 0, "thief", id: key.id)
        try await store.record(thief)
        #expect(Set(try await store.allEvents()) == [given, thief])
        try await store.record(thief)
        #expect(try await store.importEvents([thief, given]) == (0, 2))
        #expect(Set(try await store.allEvents()) == [given, thief])
        #expect(try await store.deleteEvents(.with { $0.ids = [key.id] }) == 1)
        #expect(try await store.allEvents() == [given])
    }

    @Test("are stored all or none")
    func atomicity() async throws {
        let store = fixture.open()
        let good = try StoreFixture.event(at: 0, "good", from: "good.source")
        let bad = try StoreFixture.event(at: 0, lasting: 31 * 86_400)
        let error = await #expect(throws: SentinelError.self) { try await store.record(good, bad) }
        #expect(error?.code == .invalidArgs)
        #expect(store.eventCount == 0)
        #expect(try await store.allEvents().isEmpty)
        // The names that were given numbers are not remembered with them.
        try await store.record(try StoreFixture.event(at: 1, "other", from: "other.source"))
        try await store.record(good)
        #expect(try await store.countEvents(.with { $0.type = try Name("good") }) == 1)
        #expect(try await store.findings() == [])
    }

    @Test("that are imported are kept once, and those that are there stay as they are")
    func importing() async throws {
        let store = fixture.open()
        let old = try StoreFixture.event(at: 0, "old", id: StoreFixture.givenID(1))
        try await store.record(old)
        var changed = old
        changed.type = try Name("changed")
        let new = try StoreFixture.event(at: 1)
        #expect(try await store.importEvents([changed, new, new]) == (1, 2))
        #expect(try await store.allEvents() == [new, old])
        #expect(try await store.importEvents([changed, new]) == (0, 2))
        #expect(try await store.findings() == [])
    }

    @Test("that are open get their duration together with the event that closes them")
    func closing() async throws {
        let store = fixture.open()
        let open = try StoreFixture.event(at: 0, "app.launch", marks: [.open], text: "kept")
        let early = try StoreFixture.event(at: 50, "app.launch", marks: [.open], id: StoreFixture.givenID(1))
        let old = try StoreFixture.event(at: -40 * 86_400, "app.launch", marks: [.open])
        let closed = try StoreFixture.event(at: 1, lasting: 2)
        try await store.record(open, early, old, closed)
        let closing = try StoreFixture.event(at: 1800, "app.exit")
        try await store.closeEvent(open.id, at: closing.timestamp, with: closing)
        try await store.closeEvent(early.id, at: StoreFixture.time(0), with: nil)
        try await store.closeEvent(old.id, at: StoreFixture.time(0), with: nil)
        try await store.closeEvent(closed.id, at: StoreFixture.time(0), with: nil)
        let alone = try StoreFixture.event(at: 1900, "app.exit")
        try await store.closeEvent(.make(at: StoreFixture.now), at: alone.timestamp, with: alone)
        var expected = [open, early, old]
        expected[0].duration = 1_800_000_000
        expected[1].duration = 0
        expected[2].duration = Event.longestDuration
        for index in expected.indices { expected[index].marks = [] }
        #expect(Set(try await store.allEvents()) == Set(expected + [closed, closing, alone]))
        #expect(try await store.closeOpenEvents() == 0)
        #expect(try await store.findings() == [])
    }

    @Test("that are open stay so where what closes them would replace one of another source")
    func closingWithOthers() async throws {
        let store = fixture.open()
        let open = try StoreFixture.event(at: 0, "app.foreground", from: "com.example.Boxed", marks: [.open])
        let other = try StoreFixture.event(at: 1, from: "com.example.Other", id: StoreFixture.givenID(1))
        try await store.record(open, other)
        let own = try Name("com.example.Boxed")
        let wrong = try StoreFixture.event(
            at: 2, "app.background", from: "com.example.Boxed", id: StoreFixture.givenID(1))
        let error = await #expect(throws: SentinelError.self) {
            try await store.closeEvent(open.id, at: wrong.timestamp, with: wrong, replacingOnly: own)
        }
        #expect(error?.code == .accessDenied)
        #expect(Set(try await store.allEvents()) == [open, other])
        let right = try StoreFixture.event(at: 3, "app.background", from: "com.example.Boxed")
        try await store.closeEvent(open.id, at: right.timestamp, with: right, replacingOnly: own)
        var closed = open
        (closed.marks, closed.duration) = ([], 3_000_000)
        #expect(Set(try await store.allEvents()) == [closed, other, right])
        #expect(try await store.findings() == [])
    }

    @Test("that are open at the start are closed at the time of the last commit, and marked")
    func interrupted() async throws {
        let store = fixture.open()
        let open = try StoreFixture.event(at: -600, "session.unlock", marks: [.open])
        let future = try StoreFixture.event(at: 600, "session.unlock", marks: [.open])
        try await store.record(open, future)
        store.close()
        let next = fixture.open()
        #expect(try await next.closeOpenEvents() == 2)
        let events = try await next.allEvents()
        #expect(events.map(\.duration) == [0, 600_000_000])
        #expect(events.map(\.marks) == [[.interrupted], [.interrupted]])
        #expect(try await next.findings() == [])
    }

    @Test("that go on stay open while the others are closed")
    func goingOn() async throws {
        let store = fixture.open()
        let own = try StoreFixture.event(at: -600, "app.launch", marks: [.open])
        let given = try StoreFixture.event(at: -500, "app.launch", marks: [.open], id: StoreFixture.givenID(1))
        let other = try StoreFixture.event(at: -400, "app.launch", marks: [.open])
        try await store.record(own, given, other)
        #expect(try await store.closeOpenEvents(except: [own.id, given.id]) == 1)
        #expect(try await store.allEvents().map(\.marks) == [[.interrupted], [.open], [.open]])
        #expect(try await store.findings() == [])
    }

    @Test("that are open are closed at the last commit, also where what it wrote is deleted since")
    func lastCommit() async throws {
        let clock = Guarded(StoreFixture.now)
        let location = StoreLocation.directory(fixture.directory)
        let store = Store(Writer(location: location, clock: WallClock { clock.withLock { $0 } }))
        let open = try StoreFixture.event(at: 0, "session.unlock", marks: [.open])
        let later = try StoreFixture.event(at: 600, "later")
        try await store.record(open)
        clock.withLock { $0 = StoreFixture.time(600) }
        try await store.record(later)
        #expect(try await store.deleteEvents(.with { $0.ids = [later.id] }) == 1)
        store.close()
        clock.withLock { $0 = StoreFixture.time(9000) }
        let next = Store(Writer(location: location, clock: WallClock { clock.withLock { $0 } }))
        #expect(try await next.closeOpenEvents() == 1)
        #expect(try await next.allEvents().map(\.duration) == [600_000_000])
    }

    @Test("of another source are not replaced where that is not allowed, and nothing else is stored then")
    func sources() async throws {
        let store = fixture.open()
        let ids = [EventID.make(at: StoreFixture.now), StoreFixture.givenID(1)]
        let own = try ids.map { try StoreFixture.event(at: 0, from: "own", text: "1", id: $0) }
        let others = try ids.map { try StoreFixture.event(at: 0, from: "other", text: "2", id: $0) }
        let (new, name) = (try StoreFixture.event(at: 1, from: "own"), try Name("own"))
        for (own, other) in zip(own, others) {
            try await store.record(other)
            for source in [name, try Name("unknown")] {
                let error = await #expect(throws: SentinelError.self) {
                    try await store.record([new, own], replacingOnly: source)
                }
                #expect(error?.code == .accessDenied)
            }
            #expect(try await store.allEvents() == [other])
            #expect(try await store.record([own]) == [own])
            #expect(try await store.record([own], replacingOnly: name) == [own])
            #expect(try await store.allEvents() == [own])
            #expect(try await store.deleteEvents() == 1)
        }
        #expect(try await store.findings() == [])
    }

    @Test("begin when those did in whose place they come, where that is asked for")
    func keptStarts() async throws {
        let store = fixture.open()
        let ids = [EventID.make(at: StoreFixture.now), StoreFixture.givenID(1)]
        try await store.record(try ids.map { try StoreFixture.event(at: 0, marks: [.open], id: $0) })
        let closing = try ids.map { try StoreFixture.event(at: 60, lasting: 60, id: $0) }
        let other = try StoreFixture.event(at: 70)
        var expected = closing + [other]
        (expected[0].timestamp, expected[1].timestamp) = (StoreFixture.now, StoreFixture.now)
        let keeping = Set(ids + [other.id])
        for _ in 0..<2 {
            #expect(try await store.record(closing + [other], keepingStartsOf: keeping) == expected)
            #expect(Set(try await store.allEvents()) == Set(expected))
        }
        #expect(try await store.record(closing) == closing)
        #expect(Set(try await store.allEvents()) == Set(closing + [other]))
        #expect(try await store.findings() == [])
    }

    @Test("count in the size of the storage, after each commit and once the log is in the database")
    func size() async throws {
        let store = fixture.open(limits: .init(idleDelay: .milliseconds(10)))
        let empty = store.storageBytes
        try await store.record(try (0..<2000).map { try StoreFixture.event(at: Double($0), text: "a text") })
        #expect(store.storageBytes > empty + 100_000)
        let fixture = fixture
        try await waitUntil("the size is that of the files") {
            let sizes = try fixture.names().map { try fixture.contents("\(fixture.directory)/\($0)").count }
            return try fixture.contents(fixture.database).count > 100_000
                && store.storageBytes == UInt64(sizes.reduce(0, +))
        }
    }

    @Test("in a store in memory work as well")
    func memory() async throws {
        let store = Store(Writer(location: .memory, clock: WallClock { StoreFixture.now }))
        let events = try (0..<100).map { try StoreFixture.event(at: Double($0), text: "\($0)") }
        try await store.record(events)
        #expect(try await store.allEvents(limit: 7) == events.reversed())
        #expect(try await store.deleteEvents(.with { $0.end = StoreFixture.time(50) }) == 50)
        #expect(try await store.countEvents() == 50)
        #expect(store.eventCount == 50)
        #expect(store.storageBytes > 0)
        #expect(try await store.oldestEvent() == StoreFixture.time(50))
        #expect(try await store.expireEvents(before: StoreFixture.time(60)) == 10)
        #expect(try await store.findings() == [])
    }

    @Test("leave no names behind that no event has any more")
    func names() async throws {
        let store = fixture.open()
        let id = StoreFixture.givenID(1)
        try await store.record(try StoreFixture.event(at: 0, "first", from: "a", id: id))
        try await store.record(try StoreFixture.event(at: 0, "second", from: "b", id: id))
        _ = try await store.importEvents([try StoreFixture.event(at: 0, "third", from: "c", id: id)])
        let names = try await store.submit { connection in
            try [
                connection.first("SELECT group_concat(name) FROM event_types", as: String.self),
                connection.first("SELECT group_concat(name) FROM event_sources", as: String.self),
            ]
        }
        #expect(names == ["second", "b"])
    }

    @Test("come after settings that are kept, and set back, over a restart")
    func settings() async throws {
        let store = fixture.open()
        try await store.setSettings(["a": "1", "b": "2"])
        try await store.setSettings(["a": nil, "b": "3", "c": nil])
        store.close()
        let next = fixture.open()
        #expect(try next.setting("a") == nil)
        #expect(try next.setting("b") == "3")
    }

    @Test("have their own names and count where two processes write into one database")
    func shared() async throws {
        let first = fixture.open()
        let second = fixture.open()
        try await first.record(try StoreFixture.event(at: 0, "x", from: "a"))
        try await second.record(try StoreFixture.event(at: 1, "x", from: "a"))
        #expect(try await first.deleteEvents() == 2)
        try await first.record(try StoreFixture.event(at: 2, "y", from: "b"))
        try await second.record(try StoreFixture.event(at: 3, "x", from: "a"))
        #expect(second.eventCount == 2)
        #expect(try await first.allEvents().map(\.type.text) == ["x", "y"])
        #expect(try await first.allEvents().map(\.source.text) == ["a", "b"])
        #expect(try await first.findings() == [])
    }
}
