// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Summaries on the bus", .serialized, .timeLimit(.minutes(5)))
    struct AnalyticsTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }
        /// Midnight of a past day, in microseconds.
        private let day: Int64
        private let hour: Int64 = 3_600_000_000

        init() async throws {
            fixture = try await ServiceFixture(environment: ["TZ": "UTC"])
            let length: Int64 = 86_400_000_000
            day = RecentTime.start / length * length - length
        }

        /// Three events of a past day: an hour and half an hour of one source, and nothing of another.
        private func fill() async throws {
            let records: [(String, String, Int64, Double)] = [
                ("build", "com.example.A", 9 * hour, 3600), ("build", "com.example.A", 10 * hour, 1800),
                ("note", "com.example.B", 20 * hour, -1),
            ]
            _ = try await client.events.recordBatch(
                events: records.map {
                    EventRecord(type: $0.0, source: $0.1, timestamp: day + $0.2, duration: $0.3, options: [:])
                })
        }

        @Test("a day, a window and a filter of it have their figures")
        func summaries() async throws {
            try await fill()
            let first = try await client.analytics.summary(start: day, end: day + 24 * hour, filter: [:])
            #expect(first["event_count"] == .uint64(3))
            #expect(first["total_duration"] == .double(5400))
            #expect(first["session_count"] == .uint64(2))
            #expect(first["application_count"] == .uint64(2))
            let half = try await client.analytics.summary(
                start: day + 9 * hour + hour / 2, end: day + 10 * hour, filter: ["source": .string("com.example.A")])
            #expect(half["total_duration"] == .double(1800))
            #expect(half["event_count"] == .uint64(0))
            let text: [Key: Value] = ["text": .string("x")]
            await expectError("org.freedesktop.DBus.Error.NotSupported") {
                _ = try await client.analytics.summary(start: day, end: day, filter: text)
            }
            let name = try await client.analytics.query(
                sql: "SELECT strftime('%Y-%m-%d', ? / 1000000, 'unixepoch') AS day", parameters: [.int64(day)], limit: 1
            )
            guard case .string(let date) = name.rows.first?["day"] else {
                throw TestSupportError("no day: \(name)")
            }
            let daily = try await client.analytics.dailySummary(day: date, timeZone: "")
            #expect(daily["day"] == .string(date))
            #expect(daily["time_zone"] == .string("UTC"))
            #expect(daily["start"] == .int64(day))
            #expect(daily["counts_by_type"] == first["counts_by_type"])
            // What is written since is in the next answer.
            try await client.record("late", ["timestamp": .int64(day + hour)])
            let again = try await client.analytics.dailySummary(day: date, timeZone: "UTC")
            #expect(again["event_count"] == .uint64(4))
        }

        @Test("series, ranks, sessions, quantiles, heatmap and trend tell of the same events")
        func others() async throws {
            try await fill()
            let (start, end) = (day, day + 24 * hour)
            let series = try await client.analytics.series(
                start: start, end: end, step: "hour", timeZone: "UTC", groupBy: "")
            #expect(series.count == 24)
            #expect(series[9] == SeriesEntry(start: day + 9 * hour, group: "", count: 1, duration: 3600))
            let groups = try await client.analytics.series(
                start: start, end: end, step: "day", timeZone: "UTC", groupBy: "source")
            #expect(groups.map(\.group) == ["com.example.A", "com.example.B"])
            let top = try await client.analytics.top(dimension: "type", start: start, end: end, limit: 1)
            #expect(top == [TopEntry(name: "build", count: 2, duration: 5400)])
            let sessions = try await client.analytics.sessions(start: start, end: end, gap: 300, limit: 1, cursor: "")
            #expect(sessions.sessions.map(\.source) == ["com.example.B"])
            let rest = try await client.analytics.sessions(
                start: start, end: end, gap: 300, limit: 1, cursor: sessions.nextCursor)
            #expect(
                rest.sessions == [
                    SessionEntry(
                        source: "com.example.A", start: day + 9 * hour, end: day + 10 * hour + hour / 2, eventCount: 2,
                        busySeconds: 5400)
                ])
            #expect(rest.nextCursor == "")
            let quantiles = try await client.analytics.durations(
                start: start, end: end, eventType: "", quantiles: [0, 0.5, 1])
            #expect(quantiles == [1800, 2700, 3600])
            let heatmap = try await client.analytics.heatmap(start: start, end: end, timeZone: "UTC")
            #expect(heatmap.count == 168)
            #expect(heatmap.reduce(0, +) == 3)
            let trend = try await client.analytics.trend(day: "", timeZone: "", days: 7)
            #expect(trend["event_count"] == .uint64(0))
            #expect(trend["mean_event_count"] == .double(3.0 / 7))
        }

        /// Calls that are refused as invalid.
        private static let invalid: [@Sendable (Analytics1Proxy) async throws -> Void] = [
            { _ = try await $0.dailySummary(day: "2026-02-30", timeZone: "") },
            { _ = try await $0.dailySummary(day: "", timeZone: "Nowhere/Land") },
            { _ = try await $0.dailySummary(day: "", timeZone: "../etc/passwd") },
            { _ = try await $0.summary(start: 1, end: 2, filter: [:]) },
            { _ = try await $0.summary(start: RecentTime.start, end: RecentTime.start - 1, filter: [:]) },
            { _ = try await $0.series(start: 0, end: 0, step: "hour", timeZone: "", groupBy: "") },
            {
                _ = try await $0.series(
                    start: RecentTime.start, end: RecentTime.start, step: "minute", timeZone: "", groupBy: "")
            },
            {
                _ = try await $0.series(
                    start: RecentTime.start, end: RecentTime.start, step: "hour", timeZone: "", groupBy: "id")
            },
            { _ = try await $0.top(dimension: "id", start: RecentTime.start, end: RecentTime.start, limit: 0) },
            { _ = try await $0.top(dimension: "type", start: RecentTime.start, end: RecentTime.start, limit: 10_001) },
            {
                _ = try await $0.sessions(
                    start: RecentTime.start, end: RecentTime.start, gap: .nan, limit: 0, cursor: "")
            },
            {
                _ = try await $0.sessions(
                    start: RecentTime.start, end: RecentTime.start, gap: 0, limit: 0, cursor: "")
            },
            {
                _ = try await $0.sessions(
                    start: RecentTime.start, end: RecentTime.start, gap: 1, limit: 0, cursor: "foreign")
            },
            {
                _ = try await $0.durations(
                    start: RecentTime.start, end: RecentTime.start, eventType: "", quantiles: [1.5])
            },
            {
                _ = try await $0.durations(
                    start: RecentTime.start, end: RecentTime.start, eventType: "", quantiles: [.nan])
            },
            { _ = try await $0.trend(day: "", timeZone: "", days: 0) },
            { _ = try await $0.query(sql: "DELETE FROM events", parameters: [], limit: 0) },
            { _ = try await $0.query(sql: "SELECT ?", parameters: [.double(.nan)], limit: 0) },
            {
                _ = try await $0.reportText(
                    format: "pdf", start: RecentTime.start, end: RecentTime.start, options: [:])
            },
            {
                _ = try await $0.reportText(
                    format: "text", start: RecentTime.start, end: RecentTime.start,
                    options: ["time_zone": .boolean(true)])
            },
        ]

        @Test("what is asked in a wrong way is refused", arguments: invalid.indices)
        func refused(index: Int) async throws {
            let proxy = client.analytics
            await expectError("org.freedesktop.DBus.Error.InvalidArgs") { try await Self.invalid[index](proxy) }
        }

        @Test("a series of more points than are allowed is refused")
        func tooLong() async throws {
            await expectError("org.freedesktop.DBus.Error.LimitsExceeded") {
                _ = try await client.analytics.series(
                    start: RecentTime.start - 200 * 24 * hour, end: RecentTime.start, step: "15min", timeZone: "UTC",
                    groupBy: "")
            }
        }
    }
}
