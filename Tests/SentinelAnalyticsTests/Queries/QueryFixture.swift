// SPDX-License-Identifier: MIT

import SentinelAnalytics
import SentinelModels
import SentinelPersistence
import TestSupport

/// A store in a directory with questions to it.
final class QueryFixture: Sendable {
    static let now = Timestamp(clamping: 1_796_015_400_000_000)
    /// A start of a day.
    static let day: Int64 = 1_795_996_800_000_000 / 86_400_000_000 * 86_400_000_000

    let temporary: TemporaryDirectory
    let store: Store
    let analytics: Analytics

    init() throws {
        temporary = try TemporaryDirectory()
        store = Store.open(
            location: .directory("\(temporary.path)/data"), clock: WallClock { QueryFixture.now })
        analytics = Analytics(
            store: store, zones: ZoneDatabase { nil }, clock: WallClock { QueryFixture.now })
    }

    deinit {
        store.close()
    }

    @discardableResult
    func record(
        _ type: String, from source: String = "com.example.App", at start: Int64, lasting seconds: Double? = nil,
        text: String? = nil, id: EventID? = nil
    ) async throws -> Event {
        let timestamp = Timestamp(clamping: start)
        let event = Event(
            id: id ?? .make(at: timestamp), timestamp: timestamp, type: try Name(type), source: try Name(source),
            duration: seconds.map { Int64($0 * 1_000_000) }, data: text.map { ["text": .text($0)] } ?? [:])
        _ = try await withCheckedContinuation { continuation in
            store.record([event]) { continuation.resume(returning: $0) }
        }.get()
        return event
    }

    func query(
        _ sql: String, _ parameters: [QueryValue] = [], limit: Int = 10_000, cancellation: ReadCancellation? = nil
    ) async throws -> QueryRows {
        try await withCheckedContinuation { continuation in
            analytics.query(sql, parameters: parameters, limit: limit, cancellation: cancellation) {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    func run(_ metric: Metric, _ parameters: [String: QueryValue]) async throws -> QueryRows {
        try await withCheckedContinuation { continuation in
            analytics.run(metric, parameters: parameters, limit: 100) { continuation.resume(returning: $0) }
        }.get()
    }

    func summary(_ window: Range<Int64>) async throws -> Summary {
        try await withCheckedContinuation { continuation in
            analytics.summary(of: window, filter: EventFilter()) { continuation.resume(returning: $0) }
        }.get()
    }
}
