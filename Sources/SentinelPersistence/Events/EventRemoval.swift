// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The steps in which events are deleted: each finds some, then deletes them.
enum EventRemoval {
    typealias Step = @Sendable (EventWriter, EventScan.Position) throws -> (count: UInt64, ending: EventScan.Ending)

    /// How many events a step changes at most.
    static let limit = 500
    /// How long a step looks for them.
    static let timeLimit = Duration.milliseconds(20)

    /// Deletes what fits a filter, the newest first.
    ///
    /// - Parameter limit: how many events a step deletes at most.
    static func step(
        _ filter: EventFilter, _ order: EventScan.Order = .newestFirst, limit: Int = Self.limit,
        where isMeant: @escaping @Sendable (EventRow) -> Bool = { _ in true }
    ) -> Step {
        { writer, position in
            var rows: [EventRow] = []
            let ending = try EventScan(filter, order, in: writer.connection, for: timeLimit)
                .rows(from: position) { found in
                    if isMeant(found.row) {
                        rows.append(found.row)
                    }
                    return rows.count < limit
                }
            try remove(rows, writer)
            return (UInt64(rows.count), ending)
        }
    }

    /// Deletes what reaches past a time from before it, in the quarter of an hour that holds the time.
    static func stepWithinQuarter(of time: Timestamp) -> Step {
        let microseconds = time.microseconds
        var filter = EventFilter()
        filter.start = Timestamp(clamping: RollupTier.quarter.start(of: microseconds))
        filter.end = time
        return step(filter) { $0.marks.contains(.open) || $0.span.end > microseconds }
    }

    /// Deletes what reaches past a time from a quarter of an hour before that which holds it, and what is open.
    static func stepReaching(past time: Timestamp) -> Step {
        let bound = EventKey(lowerBound: time.microseconds)
        return { writer, position in
            let crossing = try writer.connection.prepare(
                """
                SELECT \(EventRow.columns) FROM events INDEXED BY events_crossing
                WHERE crossing_end > ? AND key < ? LIMIT ?
                """)
            try crossing.bind(all: time.microseconds, bound, limit)
            var rows: [EventRow] = []
            while try crossing.step() {
                rows.append(try EventRow(from: crossing))
            }
            if rows.isEmpty {
                rows = try EventLookup.openRows(limit: limit, in: writer.connection)
            }
            try remove(rows, writer)
            return (UInt64(rows.count), rows.isEmpty ? .end : .pause(position))
        }
    }

    /// Deletes what rules deny, and takes away what they redact. Data that cannot be read are damage, unless a rule on
    /// type or source decides without them.
    static func step(_ rules: EventRules) -> Step {
        { writer, position in
            var denied: [EventRow] = []
            var redacted: [(EventKey, Event)] = []
            let scan = try EventScan(
                EventFilter(), .newestFirst, in: writer.connection, for: timeLimit)
            let ending = try scan.rows(from: position) { found in
                switch try verdict(of: rules, on: found) {
                case .left: break
                case .denied: denied.append(found.row)
                case .redacted(let left): redacted.append((found.row.key, left))
                }
                return denied.count + redacted.count < limit
            }
            try remove(denied, writer)
            for (key, event) in redacted {
                try writer.redact(key, to: event)
            }
            return (UInt64(denied.count + redacted.count), ending)
        }
    }

    private enum Verdict {
        case left, denied
        case redacted(Event)
    }

    private static func verdict(of rules: EventRules, on found: EventScan.Found) throws(SQLiteError) -> Verdict {
        do throws(SQLiteError) {
            let event = try found.event()
            guard let left = rules.apply(to: event) else { return .denied }
            return left == event ? .left : .redacted(left)
        } catch let error where error.code == .mismatch {
            var event = try found.eventWithoutData()
            switch rules.ruleWithoutData(for: event)?.action {
            case .deny: return .denied
            case .redact:
                event.marks.insert(.redacted)
                return .redacted(event)
            case .allow, nil: throw error
            }
        }
    }

    /// A filter for events that begin at a time or later.
    static func filter(from start: Timestamp) -> EventFilter {
        var filter = EventFilter()
        filter.start = start
        return filter
    }

    private static func remove(_ rows: [EventRow], _ writer: EventWriter) throws(SQLiteError) {
        for row in rows {
            try writer.remove(row)
        }
    }
}
