// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Batches of events", .serialized, .timeLimit(.minutes(5)))
    struct BatchTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func entry(_ number: Int, timestamp: Int64 = 0) -> EventRecord {
            EventRecord(
                type: "test", source: "com.example.Test", timestamp: timestamp, duration: -1,
                options: ["data": .options(["number": .int64(Int64(number))])])
        }

        @Test("as many as are allowed are recorded by one call, and one more is refused")
        func limit() async throws {
            let events = (0..<10_000).map { entry($0, timestamp: RecentTime.start + Int64($0)) }
            #expect(try await client.events.recordBatch(events: events) == 10_000)
            #expect(try await client.events.eventCount() == 10_000)
            await expectError(.limitsExceeded, mentioning: "10000") {
                _ = try await client.events.recordBatch(events: events + [entry(0)])
            }
            #expect(try await client.events.eventCount() == 10_000)
            #expect(try await client.allEvents(limit: 10_000).count == 10_000)
        }

        @Test("no event is no error")
        func empty() async throws {
            #expect(try await client.events.recordBatch(events: []) == 0)
        }

        @Test("one bad event keeps all others out, and the message names its index")
        func allOrNothing() async throws {
            var events = (0..<10).map { entry($0) }
            events[7].timestamp = 5
            events[8].type = ""
            await expectError(.invalidArgs, mentioning: "event 7") {
                _ = try await client.events.recordBatch(events: events)
            }
            #expect(try await client.events.eventCount() == 0)
        }

        @Test("events of a batch replace by id as single ones do")
        func ids() async throws {
            var event = entry(1)
            event.options["id"] = .string("01234567-89AB-CDEF-0123-456789ABCDEF")
            #expect(try await client.events.recordBatch(events: [event]) == 1)
            event.type = "other"
            #expect(try await client.events.recordBatch(events: [event, entry(2)]) == 2)
            #expect(try await client.events.eventCount() == 2)
            #expect(try await client.event(id: "01234567-89ab-cdef-0123-456789abcdef").type == "other")
        }
    }
}
