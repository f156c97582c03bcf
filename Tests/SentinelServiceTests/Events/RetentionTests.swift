// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

extension LiveTests {
    @Suite("Retention", .serialized, .timeLimit(.minutes(5)))
    struct RetentionTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        @Test("what is older than wanted goes when that is said, and at the next start")
        func age() async throws {
            #expect(try await client.events.retentionDays() == 90)
            let (changes, subscription) = try await client.eventChanges()
            let day: Int64 = 86_400_000_000
            let now = WallClock.system.now().microseconds
            for age in [1, 10, 89] as [Int64] {
                try await client.record("age \(age)", ["timestamp": .int64(now - age * day)])
            }
            try await client.events.setRetentionDays(5)
            try await client.events.setRetentionDays(5)
            try await waitUntil("old events have gone") { try await client.events.eventCount() == 1 }
            #expect(try await client.allEvents().map(\.type) == ["age 1"])
            #expect(
                try changes.elements.map { try PropertyChange($0).changed } == [["RetentionDays": .uint32(5)]])
            try await client.record("old", ["timestamp": .int64(now - 6 * day)])
            try fixture.stop()
            let service = try await SentinelProcess.started(
                on: fixture.bus, dataDirectory: fixture.service.dataDirectory)
            let later = try TestClient(on: fixture.bus)
            try await waitUntil("the old event has gone") { try await later.events.eventCount() == 1 }
            #expect(try await later.events.retentionDays() == 5)
            #expect(try service.stop() == .exited(0))
            withExtendedLifetime(subscription) {}
        }

        @Test("the store stays within the size that is wanted, and the oldest go first")
        func size() async throws {
            let limit: UInt64 = 2 << 20
            // The events are of a fixed day.
            try await client.events.setRetentionDays(0)
            try await client.events.setMaxBytes(limit)
            var number: Int64 = 0
            for _ in 0..<16 {
                _ = try await client.events.recordBatch(
                    events: (0..<400).map { _ in
                        number += 1
                        return EventRecord(
                            type: "test", source: "s", timestamp: 1_790_000_000_000_000 + number, duration: -1,
                            options: ["data": .options(["pad": .bytes([UInt8](repeating: 1, count: 1000))])])
                    })
            }
            try await waitUntil("the store is small enough") { try await client.events.storageBytes() <= limit }
            let left = try await client.allEvents(limit: 10_000).map(\.timestamp)
            #expect(!left.isEmpty)
            #expect(left.count < 16 * 400)
            #expect(left.first == 1_790_000_000_000_000 + number)
            #expect(left.last == 1_790_000_000_000_000 + number - Int64(left.count) + 1)
        }

        @Test("what an import brings is removed where it is too old, also if the import fails later")
        func imported() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path(of: "file")
            let now = WallClock.system.now().microseconds
            // So many are stored together; what comes after them is at fault.
            let old = (0..<10_000).map { number in
                #"{"id":"\#(UUID())","timestamp":\#(1_700_000_000_000_000 + number),"type":"old","source":"s"}"#
            }
            let new = #"{"id":"\#(UUID())","timestamp":\#(now),"type":"new","source":"s"}"#
            try (old + ["]"]).joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
            await expectError(.invalidArgs, mentioning: "10000 events were recorded") {
                let file = FileDescriptor(owning: open(path, O_RDONLY))
                _ = try await client.events.import(file: file, format: "jsonl", options: [:])
            }
            try await waitUntil("the old events have gone") { try await client.events.eventCount() == 0 }

            try (old.prefix(10) + [new]).joined(separator: "\n").write(
                toFile: path, atomically: false, encoding: .utf8)
            let file = FileDescriptor(owning: open(path, O_RDONLY))
            #expect(try await client.events.import(file: file, format: "jsonl", options: [:]).recorded == 11)
            try await waitUntil("the old events have gone") { try await client.events.eventCount() == 1 }
            #expect(try await client.allEvents().map(\.type) == ["new"])
        }

        @Test("a size or age that is out of range is refused")
        func ranges() async throws {
            for bytes in [1, (1 << 20) - 1, UInt64(Int64.max) + 1, .max] as [UInt64] {
                await expectError(.invalidArgs, mentioning: "1048576") { try await client.events.setMaxBytes(bytes) }
            }
            await expectError(.invalidArgs, mentioning: "100 years") {
                try await client.events.setRetentionDays(36_526)
            }
            #expect(try await client.events.maxBytes() == 0)
            try await client.events.setMaxBytes(1 << 20)
            try await client.events.setMaxBytes(0)
            try await client.events.setRetentionDays(0)
            try await client.events.setRetentionDays(36_525)
            #expect(try await client.events.location() == "\(fixture.service.dataDirectory)/sentinel.db")
            #expect(try await client.events.storageBytes() > 0)
        }

        @Test("Describe tells how events are kept")
        func described() async throws {
            try await client.record()
            try await client.events.setRules([RuleEntry(action: "deny", field: "type", pattern: "x")])
            let document = try #require(try JSON(try await client.sentinel.describe(options: [:]))["events"])
            #expect(document["location"]?.text == "\(fixture.service.dataDirectory)/sentinel.db")
            #expect(document["rules"]?[0]?[1]?.text == "type")
            let keys = ["capturing", "paused_until", "retention_days", "max_bytes", "event_count", "storage_bytes"]
            for key in keys {
                #expect(document[key] != nil, "\(key)")
            }
            #expect(try await client.sentinel.features().contains("events"))
        }
    }
}
