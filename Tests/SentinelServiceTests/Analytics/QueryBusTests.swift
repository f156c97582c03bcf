// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Queries, metrics and reports on the bus", .serialized, .timeLimit(.minutes(5)))
    struct QueryBusTests {
        private let directory: TemporaryDirectory
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }
        private static let bomb = """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
            """

        init() async throws {
            directory = try TemporaryDirectory()
            try FileManager.default.createDirectory(
                atPath: directory.path(of: "sentinel/metrics"), withIntermediateDirectories: true)
            fixture = try await ServiceFixture(
                environment: ["XDG_CONFIG_HOME": directory.path, "XDG_DATA_DIRS": "/nowhere", "TZ": "UTC"])
        }

        private func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: directory.path(of: "sentinel/metrics/\(name)")), options: .atomic)
        }

        private func metrics() async throws -> [MetricEntry] { try await client.analytics.listMetrics() }

        @Test("rows have their values by column, without those that are NULL")
        func rows() async throws {
            try await client.record("a", ["timestamp": .int64(RecentTime.start), "duration": .double(2)])
            let (columns, rows) = try await client.analytics.query(
                sql: "SELECT type, duration, NULL AS missing, ? AS given FROM events",
                parameters: [.bytes([1, 2])], limit: 0)
            #expect(columns == ["type", "duration", "missing", "given"])
            #expect(rows == [["type": .string("a"), "duration": .double(2), "given": .bytes([1, 2])]])
        }

        private static let refusal: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"

        /// Begins a query that does not end by itself, and waits until it is under way.
        private func endlessQuery(of client: TestClient) async throws -> Task<Void, any Error> {
            let analytics = client.analytics
            let endless = Task {
                while true {
                    do {
                        _ = try await analytics.query(sql: Self.bomb, parameters: [], limit: 0)
                        return
                    } catch let error as DBusError where error.code == Self.refusal {
                        // The one by which it is looked whether this one runs.
                    }
                }
            }
            try await waitUntil("a second query is refused") {
                do {
                    _ = try await analytics.query(sql: "SELECT 1 AS one", parameters: [], limit: 0)
                    return false
                } catch let error as DBusError {
                    return error.code == Self.refusal
                }
            }
            return endless
        }

        @Test("a client has one query at a time, and others and summaries do not wait for it")
        func oneEach() async throws {
            let endless = try await endlessQuery(of: client)
            let summary = try await client.analytics.summary(
                start: RecentTime.start, end: RecentTime.start + 1, filter: [:])
            #expect(summary["event_count"] == .uint64(0))
            await expectError("org.freedesktop.DBus.Error.Timeout") { try await endless.value }
            let (_, rows) = try await client.analytics.query(sql: "SELECT 1 AS one", parameters: [], limit: 0)
            #expect(rows == [["one": .int64(1)]])
        }

        @Test("a query ends with the service")
        func ended() async throws {
            let endless = try await endlessQuery(of: try TestClient(on: fixture.bus))
            try fixture.stop()
            await #expect(throws: DBusError.self) { try await endless.value }
        }

        @Test("metrics are there when their files are, as they were while a file is wrong, and go with it")
        func metricFiles() async throws {
            #expect(try await metrics() == [])
            try write(
                """
                -- description: Events of a type
                -- parameter: type s
                -- parameter: least d
                SELECT count(*) AS count, :least AS least FROM events WHERE type = :type
                """, "of-type.sql")
            try await waitUntil("the metric is there") { try await metrics().count == 1 }
            let metric = MetricEntry(
                name: "of-type", description: "Events of a type",
                parameters: [MetricParameter(name: "type", type: "s"), MetricParameter(name: "least", type: "d")])
            #expect(try await metrics() == [metric])
            try await client.record("a")
            let found = try await client.analytics.runMetric(
                name: "of-type", parameters: ["type": .string("a"), "least": .int32(3)], limit: 0)
            #expect(found.columns == ["count", "least"])
            #expect(found.rows == [["count": .int64(1), "least": .double(3)]])
            await expectError("org.freedesktop.DBus.Error.InvalidArgs", mentioning: "least") {
                _ = try await client.analytics.runMetric(
                    name: "of-type", parameters: ["type": .string("a")], limit: 0)
            }
            await expectError("org.sentinel.Error.UnknownMetric") {
                _ = try await client.analytics.runMetric(name: "other", parameters: [:], limit: 0)
            }
            try write("DROP TABLE events", "of-type.sql")
            try await waitUntil("the fault is told") {
                try await client.sentinel.healthDetails()["metrics"] != nil
            }
            #expect(try await metrics() == [metric])
            try FileManager.default.removeItem(atPath: directory.path(of: "sentinel/metrics/of-type.sql"))
            try await waitUntil("the metric is gone") { try await metrics() == [] }
            #expect(try await client.sentinel.healthDetails()["metrics"] == nil)
        }

        @Test("a report is written into a file and given as text", arguments: ["html", "text", "json"])
        func reports(format: String) async throws {
            try await client.record("build", ["timestamp": .int64(RecentTime.start), "duration": .double(60)])
            let (start, end) = (RecentTime.start - 3_600_000_000, RecentTime.start + 3_600_000_000)
            let path = directory.path(of: "report")
            let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            try await client.analytics.report(
                file: FileDescriptor(owning: descriptor), format: format, start: start, end: end, options: [:])
            let written = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            #expect(written.contains("build"))
            let text = try await client.analytics.reportText(
                format: format, start: start, end: end, options: ["time_zone": .string("UTC")])
            #expect(text.contains("build"))
            // But for the time at which it was made.
            #expect(abs(text.utf8.count - written.utf8.count) < 200)
            var (master, slave): (Int32, Int32) = (-1, -1)
            try #require(openpty(&master, &slave, nil, nil, nil) == 0)
            defer { close(master) }
            await expectError("org.freedesktop.DBus.Error.InvalidArgs", mentioning: "terminal") {
                try await client.analytics.report(
                    file: FileDescriptor(owning: slave), format: format, start: start, end: end, options: [:])
            }
            let reading = open(path, O_RDONLY)
            try #require(reading >= 0)
            await expectError("org.freedesktop.DBus.Error.InvalidArgs") {
                try await client.analytics.report(
                    file: FileDescriptor(owning: reading), format: format, start: start, end: end, options: [:])
            }
        }
    }
}
