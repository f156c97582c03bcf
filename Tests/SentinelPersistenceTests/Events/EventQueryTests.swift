// SPDX-License-Identifier: MIT

import Foundation
import Locking
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Asking for events", .timeLimit(.minutes(1)))
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
            let expected = Array(events.filter(filter.matches).reversed())
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
        let walked = Guarded<[Event]>([])
        try await walk(store, filter) { chunk in
            walked.withLock { $0 += chunk }
            return true
        }
        #expect(walked.withLock { $0 } == [first, last])
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
        let gate = DispatchSemaphore(value: 0)
        store.writer.queue.async { gate.wait() }
        let stuck = Recorder<@Sendable (Bool) -> Void>()
        store.walkEvents(EventFilter()) { _, proceed in
            stuck.append(proceed)
        } completion: { _ in
        }
        try await stuck.wait()
        #expect(try await store.page(limit: 1).events.count == 1)
        gate.signal()
        try await store.record(try StoreFixture.event(at: -1))
        #expect(try await store.deleteEvents(.with { $0.end = StoreFixture.time(0) }) == 1)
    }

    @Test("one chunk after the other can be stopped, and takes what fits")
    func walking() async throws {
        let events = try (0..<2500).map { try StoreFixture.event(at: Double($0), $0 % 2 == 0 ? "even" : "odd") }
        let store = try await makeStore(events)
        let chunks = Guarded<[[Event]]>([])
        let total = try await walk(store, .with { $0.typePrefix = "ev" }) { chunk in
            chunks.withLock { $0.append(chunk) }
            return true
        }
        #expect(total == 1250)
        #expect(chunks.withLock { $0.flatMap { $0 } } == events.filter { $0.type.text == "even" })
        #expect(chunks.withLock { $0.count } > 1)
        #expect(try await walk(store, EventFilter()) { _ in false } == 1000)
    }

    @discardableResult
    private func walk(
        _ store: Store, _ filter: EventFilter, _ body: @escaping @Sendable ([Event]) -> Bool
    ) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            store.walkEvents(filter) { chunk, proceed in
                proceed(body(chunk))
            } completion: {
                continuation.resume(returning: $0)
            }
        }.get()
    }
}
