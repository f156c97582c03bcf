// SPDX-License-Identifier: MIT

import Foundation
import Locking
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Asking for events", .timeLimit(.minutes(5)))
struct EventQueryTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func makeStore(_ events: [Event]) async throws -> Store {
        let store = fixture.open()
        try await store.record(events)
        return store
    }

    @Test("by each part of a filter gives what fits it, and the number is that of the list")
    func filters() async throws {
        var events: [Event] = []
        for number in 0..<2000 {
            events.append(
                try StoreFixture.event(
                    at: Double(number * 97), ["a.one", "a.two", "b"][number % 3],
                    from: number % 500 == 7 ? "rare" : "often",
                    text: number % 10 == 0 ? "Straße \(number)" : nil))
        }
        let store = try await makeStore(events)
        let filters = [
            EventFilter(),
            try .with { $0.type = try Name("b") },
            try .with { $0.type = try Name("missing") },
            .with { $0.typePrefix = "a." },
            .with { $0.typePrefix = "" },
            try .with { $0.source = try Name("rare") },
            try .with {
                $0.source = try Name("rare")
                $0.type = try Name("a.two")
            },
            try .with {
                $0.typePrefix = "a."
                $0.type = try Name("b")
            },
            .with { $0.text = "strasse 1000" },
            .with { $0.text = "STRAßE 100" },
            .with { $0.text = "RARE" },
            .with {
                $0.start = StoreFixture.time(1000)
                $0.end = StoreFixture.time(100_000)
            },
            try .with {
                $0.start = StoreFixture.time(97)
                $0.end = StoreFixture.time(97 * 1507)
                $0.source = try Name("rare")
            },
            .with {
                $0.start = StoreFixture.time(10)
                $0.end = StoreFixture.time(10)
            },
            .with {
                $0.ids = events.prefix(5).map(\.id)
                $0.start = StoreFixture.time(97)
                $0.typePrefix = "a"
            },
            .with { $0.ids = [] },
        ]
        for filter in filters {
            let expected = Array(events.filter(EventMatcher(filter).matches).reversed())
            #expect(try await store.allEvents(filter) == expected, "\(filter)")
            #expect(try await store.allEvents(filter, limit: 37) == expected, "\(filter)")
            #expect(try await store.countEvents(filter) == UInt64(expected.count), "\(filter)")
        }
        #expect(try await store.countEvents(filters[6]) == 2)
    }

    @Test("for what is rare finds it far away, in both directions")
    func rare() async throws {
        var events = try (0..<3000).map { try StoreFixture.event(at: Double($0)) }
        let first = try StoreFixture.event(at: -40 * 86_400, "rare", from: "x")
        let last = try StoreFixture.event(at: 86_400, "rare", from: "com.example.App")
        events += [first, last]
        let store = try await makeStore(events)
        let filter = try EventFilter.with { $0.type = try Name("rare") }
        #expect(try await store.allEvents(filter) == [last, first])
        let both = try EventFilter.with {
            $0.type = try Name("rare")
            $0.source = try Name("x")
        }
        #expect(try await store.allEvents(both) == [first])
        #expect(try await scan(store, filter, .oldestFirst) == [first, last])
    }

    @Test("counts them by type and source from the first day to the last, in as many transactions as it takes")
    func counting() async throws {
        let events = [Timestamp.earliest.microseconds, 0, 1, 900_000_001, Timestamp.latest.microseconds].map {
            Timestamp(clamping: $0 < 1_000_000_000 ? StoreFixture.now.microseconds + $0 : $0)
        }
        let name = try Name("a")
        let store = try await makeStore(
            events.map { Event(id: .make(at: $0), timestamp: $0, type: name, source: name) }
                + [try StoreFixture.event(at: 2, "a"), try StoreFixture.event(at: 3, "b", from: "a")])
        let filter = EventFilter.with { ($0.type, $0.source) = (name, name) }
        #expect(try await store.countEvents(filter) == 5)
        let later = EventFilter.with { ($0.type, $0.source, $0.start) = (name, name, StoreFixture.time(0.000001)) }
        #expect(try await store.countEvents(later) == 3)
        let slices = try await store.submit { connection in
            var count = try #require(EventCount(filter))
            #expect(try count.known(in: connection) == nil)
            var slices = 1
            while try !count.advance(in: connection, for: .zero) { slices += 1 }
            #expect(count.count == 5)
            return slices
        }
        // One for each day that holds events.
        #expect(slices == 3)
    }

    @Test("by pages ends with one that says so, whatever is stored and deleted between them")
    func cursors() async throws {
        let events = try (0..<10).map { try StoreFixture.event(at: Double($0)) }
        let store = try await makeStore(events)
        let first = try await store.page(limit: 5)
        #expect(first.events == Array(events[5...].reversed()))
        let cursor = try #require(first.next)
        _ = try await store.deleteEvents(.with { $0.ids = [events[5].id, events[4].id] })
        let late = try StoreFixture.event(at: 3.5)
        try await store.record(try StoreFixture.event(at: 20), late)
        let second = try await store.page(limit: 5, cursor: try EventCursor(cursor.text))
        #expect(second.events == [late] + events[0..<4].reversed())
        #expect(second.next == nil)
        #expect(try await store.page(limit: 1, byteLimit: 0).events.count == 1)
        let short = try await store.page(limit: 10, byteLimit: 500)
        #expect((1..<9).contains(short.events.count))
        #expect(short.next != nil)
    }

    @Test("refuses cursors that no page came with")
    func foreignCursors() throws {
        let text = EventCursor(EventKey(makingFor: StoreFixture.now)).text
        #expect(try EventCursor(text).text == text)
        let changed = text.dropLast() + (text.hasSuffix("0") ? "1" : "0")
        for foreign in ["", "x", text.uppercased(), String(changed), text + " ", "+" + text.dropFirst(), "-" + text] {
            #expect(throws: SentinelError.self, "\(foreign)") { try EventCursor(foreign) }
        }
    }

    @Test("waits neither for the writer nor for an export")
    func independence() async throws {
        let store = try await makeStore(try (0..<3000).map { try StoreFixture.event(at: Double($0)) })
        let (writing, exporting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        store.writer.queue.async { writing.wait() }
        store.writer.bulkLane.queue.async { exporting.wait() }
        #expect(try await store.page(limit: 1).events.count == 1)
        writing.signal()
        try await store.record(try StoreFixture.event(at: -1))
        #expect(try await store.deleteEvents(.with { $0.end = StoreFixture.time(0) }) == 1)
        async let page = store.page(limit: 1, isBulk: true)
        exporting.signal()
        #expect(try await page.events.count == 1)
    }

    @Test("ends early where it is cancelled")
    func cancelling() async throws {
        let store = try await makeStore([try StoreFixture.event(at: 0)])
        let cancellation = ReadCancellation()
        #expect(try await store.page(cancellation: cancellation).events.count == 1)
        cancellation.cancel()
        let error = await #expect(throws: SentinelError.self) { try await store.page(cancellation: cancellation) }
        #expect(error?.code == .unavailable)
        let counting = await withCheckedContinuation { continuation in
            store.countEvents(.with { $0.text = "x" }, cancellation: cancellation) {
                continuation.resume(returning: $0)
            }
        }
        #expect(throws: SentinelError.self) { try counting.get() }
    }

    @Test(
        "goes on behind what it has seen when its time is over", arguments: [EventScan.Order.newestFirst, .oldestFirst])
    func slices(order: EventScan.Order) async throws {
        var events: [Event] = []
        for number in 0..<4000 {
            events.append(
                try StoreFixture.event(
                    at: Double(number * 300), "type.\(number % 300)", from: "source.\(number % 2)",
                    id: number % 5 == 0 ? StoreFixture.givenID(UInt64(number)) : nil))
        }
        let edges = try [-1, 4000 * 300].map { try StoreFixture.event(at: $0, "type.299", from: "source.0") }
        let store = try await makeStore(events + edges)
        events = [edges[0]] + events + [edges[1]]
        let ids = events.filter { $0.type.text.hasSuffix("7") }.map(\.id)
        let filters = [
            EventFilter.with { $0.ids = (ids + ids).shuffled() },
            try .with { ($0.ids, $0.source) = (ids, try Name("source.1")) },
            // Not in the middle, where the type is of the other source alone.
            try .with { ($0.type, $0.source) = (try Name("type.299"), try Name("source.0")) },
            try .with { $0.type = try Name("type.7") },
        ]
        for filter in filters {
            let expected = events.filter(EventMatcher(filter).matches)
            #expect(!expected.isEmpty)
            let slices = try await slices(store, filter, order)
            #expect(slices.events == (order == .oldestFirst ? expected : expected.reversed()))
            #expect(slices.count > 1)
        }
        let expected = events.filter(EventMatcher(filters[0]).matches)
        #expect(try await store.allEvents(filters[0], limit: 100) == expected.reversed())
    }

    @Test("has a cursor also where the time was over as a page was full")
    func fullPage() async throws {
        let events = try (0..<100).map { try StoreFixture.event(at: Double($0)) }
        let store = try await makeStore(events)
        let filter = EventFilter.with { $0.ids = events.map(\.id) }
        let request = PageProgress.Request(
            filter: filter, limit: 64, byteLimit: 4 << 20, lane: store.writer.quickLane, cancellation: nil)
        let (page, slices) = try await store.submit { connection in
            var (progress, slices) = (PageProgress(position: .start), 0)
            while !progress.isComplete {
                try progress.read(request, in: connection, for: .zero)
                slices += 1
            }
            return (progress.page, slices)
        }
        #expect(slices > 1)
        #expect(page.events == events[36...].reversed())
        let cursor = try #require(page.next)
        #expect(try await store.page(filter, limit: 64, cursor: cursor).events == events[..<36].reversed())
    }

    @Test("looks for what is rare as long as its time lasts, and goes on from there")
    func lateSkip() async throws {
        let events = try (0..<500).map { try StoreFixture.event(at: Double($0 * 21_600), "type.\($0)") }
        let store = try await makeStore(events)
        let keys = events.map { EventKey($0.id) }
        let type = try Name("type.0")
        let late = try await store.submit { connection in
            let numbers = try EventSelection(.with { $0.type = type }, in: connection).numbers
            var (key, late) = (keys[499], 0)
            while true {
                var skip = EventSkip(numbers, .newestFirst, in: connection, until: .now)
                switch try skip.bounds(of: keys[0]..<keys[499], behind: key) {
                case .late(let reached):
                    try #require(reached < key)
                    (key, late) = (reached, late + 1)
                case .found(let bounds):
                    #expect(bounds.contains(keys[0]) && !bounds.contains(keys[1]))
                    return late
                case .nothing:
                    Issue.record("the event is not found")
                    return late
                }
            }
        }
        // Each day holds four types.
        #expect(late > 1)
    }

    @Test("takes a row that holds no event for damage, and goes on without it")
    func faults() async throws {
        let events = try (0..<3).map { try StoreFixture.event(at: Double($0 - 3)) }
        let store = try await makeStore(events)
        let key = EventKey(events[1].id)
        try await store.submit { connection in
            try connection.run("UPDATE events SET duration = ? WHERE key = ?", Int64.max, key)
        }
        let error = await #expect(throws: SentinelError.self) { try await store.allEvents() }
        #expect(error?.code == .storageDamaged)
        try await store.setSettings(["next": "write"])
        try await waitUntil("the others are salvaged") { try await store.allEvents().count == 2 }
        #expect(try await store.allEvents() == [events[2], events[0]])
        #expect(try await store.deleteEvents() == 2)
    }

    @Test(
        "takes data that cannot be read for damage, and goes on without the event",
        arguments: ["{", "[]", "{\"a\":null}", "{\"$a\":1}", "{\"a\":18446744073709551615}", ""], [false, true])
    func unreadableData(text: String, isCount: Bool) async throws {
        let events = try (0..<3).map { try StoreFixture.event(at: Double($0 - 3), text: "a text") }
        let store = try await makeStore(events)
        let key = EventKey(events[1].id)
        try await store.submit { connection in
            try connection.run("UPDATE events SET data = ? WHERE key = ?", text, key)
        }
        #expect(try await store.findings() == ["the data of the event \(events[1].id) cannot be read"])
        let error = await #expect(throws: SentinelError.self) {
            if isCount {
                _ = try await store.countEvents(.with { $0.text = "text" })
            } else {
                _ = try await store.allEvents()
            }
        }
        #expect(error?.code == .storageDamaged)
        try await store.setSettings(["next": "write"])
        try await waitUntil("the others are salvaged") { store.health["salvaged_events"] == "2" }
        #expect(try await store.allEvents() == [events[2], events[0]])
        #expect(try await store.countEvents(.with { $0.text = "text" }) == 2)
        #expect(try await store.findings() == [])
        store.close()
        let next = fixture.open()
        #expect(try await next.allEvents() == [events[2], events[0]])
        #expect(next.health.state == .ok)
    }

    @Test("takes a name that is lost for damage, and goes on with another in its place")
    func lostName() async throws {
        let events = try (0..<4).map { try StoreFixture.event(at: Double($0 - 4), "type.\($0 % 2)") }
        let store = try await makeStore(events)
        try await store.submit { try $0.run("DELETE FROM event_types WHERE name = 'type.1'") }
        let error = await #expect(throws: SentinelError.self) { try await store.allEvents() }
        #expect(error?.code == .storageDamaged)
        try await store.setSettings(["next": "write"])
        try await waitUntil("the events are salvaged") { store.health["salvaged_events"] == "4" }
        let salvaged = try await store.allEvents()
        #expect(salvaged.map(\.id) == events.reversed().map(\.id))
        #expect(Set(salvaged.map(\.type)) == [try Name("type.0"), try Name("lost.2")])
        #expect(try await store.findings() == [])
    }

    @Test("is refused while too many wait, each kind by itself, an export never")
    func bounds() async throws {
        var limits = Writer.Limits()
        limits.reads = 2
        let store = fixture.open(limits: limits)
        try await store.record(try StoreFixture.event(at: 0, text: "a text"))
        for lane in [store.writer.quickLane, store.writer.bulkLane] { lane.queue.suspend() }
        let (codes, exports) = (Guarded<[SentinelError.Code?]>([]), Guarded(0))
        let note: @Sendable (SentinelError?) -> Void = { error in codes.withLock { $0.append(error?.code) } }
        for _ in 0..<4 {
            store.events(EventFilter(), limit: 1) { note($0.error) }
            store.countEvents(.with { $0.text = "text" }) { note($0.error) }
            store.events(EventFilter(), limit: 1, isBulk: true) { page in
                if case .success = page { exports.withLock { $0 += 1 } }
            }
        }
        for lane in [store.writer.quickLane, store.writer.bulkLane] { lane.queue.resume() }
        try await waitUntil("all are answered") { codes.withLock { $0.count } == 8 && exports.withLock { $0 } == 4 }
        #expect(codes.withLock { $0.count { $0 == .limitsExceeded } } == 4)
        #expect(codes.withLock { $0.count { $0 == nil } } == 4)
        // The places are free again.
        #expect(try await store.allEvents().count == 1)
        #expect(try await store.countEvents(.with { $0.text = "text" }) == 1)
    }

    /// All that fit a filter, by a scan whose time is always over.
    private func scan(_ store: Store, _ filter: EventFilter, _ order: EventScan.Order) async throws -> [Event] {
        try await slices(store, filter, order).events
    }

    private func slices(
        _ store: Store, _ filter: EventFilter, _ order: EventScan.Order
    ) async throws -> (events: [Event], count: Int) {
        try await store.submit { connection in
            var count = 1
            var events: [Event] = []
            var position = EventScan.Position.start
            while true {
                let ending = try EventScan(filter, order, in: connection, for: .zero).events(from: position) {
                    _, event in
                    events.append(event)
                    return true
                }
                guard case .pause(let reached) = ending else { return (events, count) }
                position = reached
                count += 1
            }
        }
    }
}

extension Result where Failure == SentinelError {
    fileprivate var error: SentinelError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
