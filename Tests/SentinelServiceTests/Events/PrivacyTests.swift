// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

extension LiveTests {
    @Suite("What is gone", .serialized, .timeLimit(.minutes(2)))
    struct PrivacyTests {
        private static let secret = "correct-horse-battery"

        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        /// The files in the data directory that hold some bytes.
        private func files(with text: String) throws -> [String] {
            let directory = fixture.service.dataDirectory
            return try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
                let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
                return data.range(of: Data(text.utf8)) != nil
            }
        }

        private func recordSecrets() async throws {
            try await client.record("before")
            let id = try await client.record(
                "type-\(Self.secret)", source: "source-\(Self.secret)",
                ["data": .options([Key("key-\(Self.secret)"): .string("value-\(Self.secret)")])])
            // A duplicate that is merged into it.
            try await client.record("type-\(Self.secret)", source: "source-\(Self.secret)", ["id": .string(id)])
            try await client.record("after")
            #expect(try !files(with: Self.secret).isEmpty)
        }

        @Test("what is deleted is gone from all files when the call is answered")
        func deleted() async throws {
            try await recordSecrets()
            #expect(try await client.events.delete(filter: ["text": .string(Self.secret)]) == 1)
            #expect(try files(with: Self.secret) == [])
            #expect(try await client.allEvents().map(\.type).sorted() == ["after", "before"])
        }

        @Test("what is forgotten is gone from all files, open or not")
        func forgotten() async throws {
            try await recordSecrets()
            try await client.record(
                "open-\(Self.secret)", ["open": .boolean(true), "timestamp": .int64(1_700_000_000_000_000)])
            try await client.record("old", ["timestamp": .int64(1_700_000_000_000_000), "duration": .double(1)])
            let now = WallClock.system.now().microseconds
            try await client.record(
                "reaching", ["timestamp": .int64(now - 7_200_000_000), "duration": .double(7000)])
            #expect(try await client.events.forget(seconds: 3600) == 5)
            #expect(try files(with: Self.secret) == [])
            #expect(try await client.allEvents().map(\.type) == ["old"])
        }

        @Test("what a rule redacts or denies is gone from all files")
        func redacted() async throws {
            try await recordSecrets()
            try await client.events.setRules([RuleEntry(action: "deny", field: "type", pattern: "type-*")])
            #expect(try await client.events.applyRules(options: [:]) == 1)
            #expect(try files(with: Self.secret) == [])
        }

        @Test("what may not be recorded never reaches a file")
        func neverStored() async throws {
            try await client.events.setRules([RuleEntry(action: "redact", field: "data.k", pattern: "*")])
            try await client.record("test", ["data": .options(["k": .string(Self.secret)])])
            try await client.events.setRules([RuleEntry(action: "deny", field: "data.k", pattern: "*")])
            await expectError("org.sentinel.Error.Denied") {
                try await client.record("test", ["data": .options(["k": .string(Self.secret)])])
            }
            try await client.events.pause(seconds: 0)
            await expectError("org.sentinel.Error.Paused") { try await client.record(Self.secret) }
            #expect(try files(with: Self.secret) == [])
            #expect(!fixture.service.process.errors.contains(Self.secret))
        }
    }

    @Suite("Retention", .serialized, .timeLimit(.minutes(2)))
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
