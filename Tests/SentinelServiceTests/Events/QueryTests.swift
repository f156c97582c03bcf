// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Finding events", .serialized, .timeLimit(.minutes(5)))
    struct QueryTests {
        private static let start = RecentTime.start

        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        /// Records events a second apart, of alternating types, sources and texts.
        private func fill(_ count: Int, size: Int = 0) async throws {
            let events = (0..<count).map { number in
                EventRecord(
                    type: number % 2 == 0 ? "a.even" : "b.odd", source: "com.example.S\(number % 3)",
                    timestamp: Self.start + Int64(number) * 1_000_000, duration: -1,
                    options: [
                        "data": .options([
                            "text": .string("Straße \(number)"), "pad": .bytes([UInt8](repeating: 1, count: size)),
                        ])
                    ])
            }
            #expect(try await client.events.recordBatch(events: events) == UInt64(count))
        }

        @Test("pages hold each event once, the newest first, whatever comes and goes meanwhile")
        func paging() async throws {
            try await fill(250)
            let first = try await client.events.query(filter: [:], limit: 0, cursor: "")
            #expect(first.events.count == 100)
            #expect(first.events.first?.timestamp == Self.start + 249_000_000)
            try await client.record("new")
            let last = try #require(first.events.last)
            #expect(try await client.events.delete(filter: ["ids": .strings([last.id])]) == 1)
            let second = try await client.events.query(filter: [:], limit: 100, cursor: first.nextCursor)
            let third = try await client.events.query(filter: [:], limit: 100, cursor: second.nextCursor)
            #expect(third.events.count == 50)
            #expect(third.nextCursor.isEmpty)
            let times = (first.events + second.events + third.events).map(\.timestamp)
            #expect(times == (0..<250).reversed().map { Self.start + Int64($0) * 1_000_000 })
        }

        @Test("a page ends before four mebibytes")
        func pageSize() async throws {
            for _ in 0..<2 {
                try await fill(50, size: 60_000)
            }
            let page = try await client.events.query(filter: [:], limit: 10_000, cursor: "")
            #expect(!page.nextCursor.isEmpty)
            #expect(page.events.count * 60_000 <= 4 << 20)
            #expect(page.events.count * 60_000 >= 1 << 20)
            #expect(try await client.allEvents(limit: 10_000).count == 100)
        }

        /// Filters with how many of twelve events they find.
        static let filters: [(filter: [Key: Value], count: Int)] = [
            ([:], 12), (["unknown": .string("x")], 12), (["type": .string("a.even")], 6), (["type": .string("a")], 0),
            (["type_prefix": .string("a.")], 6), (["type_prefix": .string("")], 12),
            (["source": .string("com.example.S1")], 4), (["start": .int64(start + 3_000_000)], 9),
            (["end": .int64(start + 3_000_000)], 3),
            (["start": .int64(start + 3_000_000), "end": .int64(start + 3_000_000)], 0),
            (["start": .int64(start + 3_000_001), "end": .int64(start + 6_000_001)], 3),
            (["text": .string("STRASSE 11")], 0), (["text": .string("sTRAßE 11")], 1),
            (["text": .string("EXAMPLE.s2")], 4),
            (["text": .string("b.ODD")], 6), (["ids": .strings([])], 0),
            (["type": .string("a.even"), "source": .string("com.example.S0"), "text": .string("6")], 1),
        ]

        @Test("each key of a filter narrows what is found, counted and deleted", arguments: filters.indices)
        func filter(index: Int) async throws {
            let (filter, count) = Self.filters[index]
            try await fill(12)
            #expect(try await client.allEvents(filter, limit: 5).count == count)
            #expect(try await client.events.count(filter: filter) == UInt64(count))
            // Those that every event fits need more to be said for that.
            if count < 12 {
                #expect(try await client.events.delete(filter: filter) == UInt64(count))
                #expect(try await client.events.eventCount() == UInt64(12 - count))
            }
        }

        /// Filters that are refused.
        static var badFilters: [[Key: Value]] {
            [
                ["start": .string("yesterday")], ["start": .int64(0)], ["end": .double(1e15)], ["type": .int32(1)],
                ["type": .string("")], ["type_prefix": .boolean(true)], ["source": .objectPath("/")],
                ["text": .strings(["a"])], ["ids": .string("x")], ["ids": .strings(["x"])],
            ]
        }

        @Test("a filter with a known key of a wrong type or range is refused everywhere", arguments: badFilters)
        func badFilter(filter: [Key: Value]) async throws {
            try await client.record()
            let key = try #require(filter.keys.first).text
            let events = client.events
            await expectError(.invalidArgs, mentioning: key) {
                _ = try await events.query(filter: filter, limit: 0, cursor: "")
            }
            await expectError(.invalidArgs, mentioning: key) { _ = try await events.count(filter: filter) }
            await expectError(.invalidArgs, mentioning: key) { _ = try await events.delete(filter: filter) }
            await expectError(.invalidArgs, mentioning: key) { _ = try await events.subscribe(filter: filter) }
            await expectError(.invalidArgs, mentioning: key) {
                _ = try await events.exportText(format: "csv", filter: filter, cursor: "")
            }
            #expect(try await events.eventCount() == 1)
        }

        @Test("a limit past 10 000 and a foreign cursor are refused", arguments: ["x", "0", "\u{1}", "0-0-0"])
        func limits(cursor: String) async throws {
            await expectError(.invalidArgs, mentioning: "10000") {
                _ = try await client.events.query(filter: [:], limit: 10_001, cursor: "")
            }
            await expectError(.invalidArgs, mentioning: "cursor") {
                _ = try await client.events.query(filter: [:], limit: 1, cursor: cursor)
            }
            await expectError(.invalidArgs, mentioning: "cursor") {
                _ = try await client.events.exportText(format: "jsonl", filter: [:], cursor: cursor)
            }
        }

        @Test("everything is deleted only when that is said")
        func deletingEverything() async throws {
            try await fill(3)
            let filters: [[Key: Value]] = [
                [:], ["everything": .boolean(false)], ["unknown": .int32(1)], ["text": .string("")],
                ["type_prefix": .string("")], ["text": .string(""), "type_prefix": .string("")],
            ]
            for filter in filters {
                await expectError(.invalidArgs, mentioning: "everything") {
                    _ = try await client.events.delete(filter: filter)
                }
            }
            await expectError(.invalidArgs, mentioning: "everything") {
                _ = try await client.events.delete(filter: ["everything": .string("yes")])
            }
            #expect(try await client.events.eventCount() == 3)
            #expect(try await client.events.delete(filter: ["everything": .boolean(true)]) == 3)
            #expect(try await client.events.eventCount() == 0)
        }
    }
}
