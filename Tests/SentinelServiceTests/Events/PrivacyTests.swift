// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

extension LiveTests {
    @Suite("What is gone", .serialized, .timeLimit(.minutes(5)))
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
                "open-\(Self.secret)", ["open": .boolean(true), "timestamp": .int64(RecentTime.start)])
            try await client.record("old", ["timestamp": .int64(RecentTime.start), "duration": .double(1)])
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
}
