// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// What looks for a text that is nowhere looks at every event.
    @Suite("Reads that take long", .serialized, .timeLimit(.minutes(5)))
    struct LongReadTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
            let pad = Value.options(["pad": .string(String(repeating: "aB", count: 500))])
            for _ in 0..<10 {
                _ = try await fixture.client.events.recordBatch(
                    events: (0..<500).map { _ in
                        EventRecord(type: "test", source: "s", timestamp: 0, duration: -1, options: ["data": pad])
                    })
            }
        }

        /// As many as leave room for others.
        private static let readCount = 60

        /// Begins reads of each kind, which take a minute together.
        private func readLong(_ reader: TestClient, _ outcomes: Recorder<Result<Message, DBusError>>) throws {
            let filter: [Key: Value] = ["text": .string("nowhere")]
            for number in 0..<Self.readCount {
                let member: MemberName = ["Query", "Count", "ExportText"][number % 3]
                let message = try Message.methodCall(
                    to: TestClient.service, "/org/sentinel", Events1.name, member
                ) { (writer) throws(DBusError) in
                    if member == "ExportText" {
                        try writer.write("csv")
                    }
                    try writer.write(filter)
                    if member == "Query" {
                        try writer.write(UInt32(0))
                    }
                    if member != "Count" {
                        try writer.write("")
                    }
                }
                reader.connection.call(message, timeout: .seconds(100)) { outcomes.append($0) }
            }
        }

        @Test("end with their client")
        func client() async throws {
            let reader = try TestClient(on: fixture.bus)
            let outcomes = Recorder<Result<Message, DBusError>>()
            try readLong(reader, outcomes)
            // When it is answered all have come.
            _ = try await reader.sentinel.version()
            reader.close()
            #expect(try await client.events.query(filter: [:], limit: 1, cursor: "").events.count == 1)
            let nobody: [Key: Value] = ["source": .string("nobody")]
            #expect(try await client.events.count(filter: nobody) == 0)
            #expect(try await client.events.exportText(format: "csv", filter: nobody, cursor: "").nextCursor == "")
        }

        @Test("end with the service, and are told so")
        func service() async throws {
            let reader = try TestClient(on: fixture.bus)
            let outcomes = Recorder<Result<Message, DBusError>>()
            try readLong(reader, outcomes)
            _ = try await reader.sentinel.version()
            try fixture.stop()
            #expect(!fixture.service.process.errors.contains("gave up"))
            let ended = try await outcomes.wait(for: Self.readCount).compactMap(\.errorCode)
            #expect(ended.allSatisfy { $0 == "org.sentinel.Error.Unavailable" })
            #expect(!ended.isEmpty)
        }
    }
}
