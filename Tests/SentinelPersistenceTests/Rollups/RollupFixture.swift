// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import TestSupport

@testable import SentinelPersistence

/// A database in memory with events and rollups, and the events beside it as a plain model.
final class RollupFixture {
    /// 2026-11-30T00:00:00Z, the start of a day.
    static let day: Int64 = 1_796_000_000_000_000 / 86_400_000_000 * 86_400_000_000
    static let second: Int64 = 1_000_000
    static let quarter: Int64 = 900 * second
    static let hour: Int64 = 3600 * second

    let connection: Connection
    private(set) var spans: [EventKey: EventSpan] = [:]
    private var nextNumber: UInt64 = 1

    init() throws {
        connection = try Connection(.memory)
        try connection.execute(
            """
            CREATE TABLE events (
                key BLOB NOT NULL PRIMARY KEY, type INTEGER NOT NULL, source INTEGER NOT NULL, duration INTEGER,
                crossing_end INTEGER, marks INTEGER NOT NULL, given_id BLOB, data TEXT
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX events_crossing ON events (crossing_end) WHERE crossing_end IS NOT NULL;
            CREATE INDEX events_open ON events (marks) WHERE marks & 1;
            """)
        try connection.execute(RollupSchema.sql)
    }

    var model: RollupModel {
        RollupModel(spans: spans.values.sorted { $0.key < $1.key })
    }

    /// An event that is not stored yet.
    func span(_ start: Int64, _ duration: Int64?, type: Int64 = 1, source: Int64 = 1) -> EventSpan {
        let base = EventKey(lowerBound: start)
        let key = EventKey(high: base.high, low: 1 << 63 | nextNumber)
        nextNumber += 1
        return EventSpan(key: key, start: start, duration: duration, typeID: type, sourceID: source)
    }

    /// Changes of the events with their ledger, in a savepoint as the store makes them.
    struct Change {
        let fixture: RollupFixture
        var ledger = RollupLedger()

        mutating func add(_ span: EventSpan) throws {
            try fixture.insert(span)
            ledger.add(span)
        }

        mutating func remove(_ span: EventSpan) throws {
            try fixture.delete(span)
            ledger.remove(span)
        }

        mutating func replace(_ old: EventSpan, with new: EventSpan) throws {
            try fixture.delete(old)
            try fixture.insert(new)
            ledger.replace(old, with: new)
        }
    }

    func change(_ body: (inout Change) throws -> Void) throws {
        try connection.savepoint {
            var change = Change(fixture: self)
            try body(&change)
            try change.ledger.flush(in: connection)
        }
    }

    func add(_ spans: [EventSpan]) throws {
        try change { change in
            for span in spans {
                try change.add(span)
            }
        }
    }

    private func insert(_ span: EventSpan) throws {
        try connection.run(
            "INSERT INTO events (key, type, source, duration, crossing_end, marks) VALUES (?, ?, ?, ?, ?, 0)", span.key,
            span.typeID, span.sourceID, span.duration, span.crossingEnd)
        spans[span.key] = span
    }

    private func delete(_ span: EventSpan) throws {
        try connection.run("DELETE FROM events WHERE key = ?", span.key)
        spans[span.key] = nil
    }

    func rowCount(_ projection: RollupProjection) throws -> Int {
        try connection.first("SELECT count(*) FROM \(projection.table)") ?? 0
    }
}

/// What windows hold, from the events one by one.
struct RollupModel {
    var spans: [EventSpan]

    func tallies<Group: Hashable>(
        _ start: Int64, _ end: Int64, _ filter: RollupReader.Filter = .init(), by group: (EventSpan) -> Group
    ) -> [Group: RollupReader.Tally] {
        var tallies: [Group: RollupReader.Tally] = [:]
        for span in spans where filter.allows(.init(type: span.typeID, source: span.sourceID)) {
            let count: Int64 = start <= span.start && span.start < end ? 1 : 0
            let duration = max(0, min(span.end, end) - max(span.start, start))
            if count > 0 || duration > 0 {
                tallies[group(span), default: .init()].add(.init(count: count, duration: Int128(duration)))
            }
        }
        return tallies
    }

    /// The sessions that touch a window, the newest first.
    func sessions(
        _ start: Int64, _ end: Int64, gap: Int64 = 300 * RollupFixture.second, sources: Set<Int64>? = nil
    ) -> [RollupReader.Session] {
        guard start < end else { return [] }
        return Dictionary(grouping: spans, by: \.sourceID)
            .filter { sources?.contains($0.key) ?? true }
            .values.flatMap { Self.sessions($0, gap: gap) }
            .filter { session in
                session.contains { span in
                    (start..<end).contains(span.start) || min(span.end, end) > max(span.start, start)
                }
            }
            .map { Self.session($0) }
            .sorted { $0.position > $1.position }
    }

    /// The events of one source in sessions.
    private static func sessions(_ spans: [EventSpan], gap: Int64) -> [[EventSpan]] {
        var sessions: [[EventSpan]] = []
        var latest = Int64.min
        for span in spans.sorted(by: { $0.key < $1.key }) {
            if sessions.isEmpty || span.start - latest > gap {
                sessions.append([span])
            } else {
                sessions[sessions.count - 1].append(span)
            }
            latest = max(latest, span.end)
        }
        return sessions
    }

    private static func session(_ spans: [EventSpan]) -> RollupReader.Session {
        var session = RollupReader.Session(source: spans[0].sourceID, start: spans[0].start, end: spans[0].start)
        for span in spans {
            session.events += 1
            session.busy += max(0, span.end - max(span.start, session.end))
            session.end = max(session.end, span.end)
        }
        return session
    }

    func sessionCounts(_ start: Int64, _ end: Int64) -> [Int64: Int64] {
        Dictionary(grouping: sessions(start, end), by: \.source).mapValues { Int64($0.count) }
    }
}
