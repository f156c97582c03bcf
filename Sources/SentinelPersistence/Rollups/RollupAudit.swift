// SPDX-License-Identifier: MIT

import SQLite

/// Holds the rollups against the events, and makes them anew.
///
/// The events are walked in order of time. What they contribute lies in the day in which they start and in later ones,
/// so that with each day the rows up to its end are known: memory holds the rows of a day and of what reaches past it.
struct RollupAudit {
    private let connection: Connection
    private let limit: Int
    private var findings: [String] = []
    /// What the rows are to be that were not compared yet.
    private var expected = RollupLedger()
    /// Up to which quarter the rows were compared.
    private var compared: Int64 = .min

    private init(_ connection: Connection, limit: Int) {
        self.connection = connection
        self.limit = limit
    }

    // MARK: Audit

    /// Says what is not as the events have it, at most `limit` things and whether there are more; empty where all is
    /// right. The database must not change meanwhile: run it in a read transaction.
    static func findings(in connection: Connection, limit: Int = 100) throws(SQLiteError) -> [String] {
        var audit = RollupAudit(connection, limit: max(limit, 1))
        try audit.run()
        guard audit.findings.count > limit else { return audit.findings }
        return audit.findings.prefix(limit) + ["there is more that is wrong"]
    }

    private var isOver: Bool {
        findings.count > limit
    }

    private mutating func run() throws(SQLiteError) {
        try compareTiers()
        var dayEnd = Int64.min
        let rows = try connection.prepare(
            "SELECT key, duration, type, source, crossing_end FROM events ORDER BY key")
        while !isOver, try rows.step() {
            let span = try EventWalk.span(rows)
            if span.start >= dayEnd {
                if dayEnd > .min {
                    try compareRows(before: dayEnd)
                }
                dayEnd = RollupUnit(.day, holding: span.start).end
            }
            let crossingEnd: Int64? = try rows.column(4)
            if crossingEnd != span.crossingEnd {
                findings.append(
                    "an event of \(span.start): its end beyond its quarter is \(Self.text(crossingEnd)), "
                        + "\(Self.text(span.crossingEnd)) is right")
            }
            expected.add(span)
        }
        try compareRows(before: nil)
    }

    /// Finds rows of tiers that do not exist, which no comparison below meets.
    private mutating func compareTiers() throws(SQLiteError) {
        for projection in RollupProjection.allCases {
            let count: Int64? = try connection.first(
                "SELECT count(*) FROM \(projection.table) WHERE tier < 0 OR tier > ?", RollupTier.day.rawValue)
            if let count, count > 0 {
                findings.append("\(projection.table): \(count) rows of no tier")
            }
        }
    }

    /// Compares the rows of units that start before a time, or all that are left, with what is expected.
    private mutating func compareRows(before end: Int64?) throws(SQLiteError) {
        let end = end.map { $0 / RollupTier.quarterLength } ?? .max
        let changes = expected.take(before: end)
        for projection in RollupProjection.allCases {
            var rest = changes.rows(of: projection)
            for tier in RollupTier.allCases where !isOver {
                try compare(projection, tier, to: end, with: &rest)
            }
            for (key, row) in rest.sorted(by: { $0.key < $1.key }) where !isOver && !row.amount.isZero {
                findings.append("\(projection.table): no row for \(Self.text(key)), it is to hold \(row.text)")
            }
        }
        compared = end
    }

    private mutating func compare(
        _ projection: RollupProjection, _ tier: RollupTier, to end: Int64,
        with expected: inout [RollupLedger.Key: RollupLedger.SourceChange]
    ) throws(SQLiteError) {
        let rows = try connection.prepare(
            """
            SELECT start, \(projection.identity), count, sum, whole, \(projection == .sources ? "runs" : "x''")
            FROM \(projection.table) WHERE tier = ? AND start >= ? AND start < ?
            """)
        try rows.bind(all: tier.rawValue, compared, end)
        while !isOver, try rows.step() {
            let start: Int64 = try rows.column(0)
            let pair = RollupReader.Pair(type: try rows.column(1), source: try rows.column(2))
            let amount = RollupAmount(
                count: try rows.column(3), sum: try rows.column(4), whole: try rows.column(5))
            let bytes: [UInt8] = try rows.column(6)
            // What starts outside of this is no unit, nor can one be made of it.
            guard (0..<1 << 32).contains(start), start % tier.quarters == 0 else {
                findings.append("\(projection.table): a row of tier \(tier.rawValue) at \(start), where no unit starts")
                continue
            }
            let unit = RollupUnit(tier, start: start * RollupTier.quarterLength)
            let key = RollupLedger.Key(unit: unit, projection, pair)
            let right = expected.removeValue(forKey: key) ?? RollupLedger.SourceChange()
            if right.amount.isZero {
                findings.append("\(projection.table): a row for \(Self.text(key)), where the events have none")
            } else if right.amount != amount {
                findings.append(
                    "\(projection.table): the row for \(Self.text(key)) holds \(amount.text), "
                        + "\(right.amount.text) is right")
            } else if projection == .sources, right.added.encoded(in: unit) != bytes {
                findings.append("\(projection.table): the row for \(Self.text(key)) holds other runs than the events")
            }
        }
    }

    // MARK: Rebuilding

    /// How many events are rolled up before what they bring is written.
    private static let chunk = 10_000

    /// Makes all rollups anew from the events, and the column that marks those which cross a border, in one savepoint.
    ///
    /// - Throws: what the statements throw; then all is as it was.
    static func rebuild(in connection: Connection) throws {
        try connection.savepoint {
            for projection in RollupProjection.allCases {
                try connection.run("DELETE FROM \(projection.table)")
            }
            var ledger = RollupLedger()
            var next: EventKey? = EventKey(high: 0, low: 0)
            while let first = next {
                // Statements of their own, since what they walk is changed in between.
                next = try roll(from: first, into: &ledger, in: connection)
                try ledger.flush(in: connection)
            }
        }
    }

    /// Rolls up a chunk of events and returns where the next begins, nil at the end.
    private static func roll(
        from first: EventKey, into ledger: inout RollupLedger, in connection: Connection
    ) throws(SQLiteError) -> EventKey? {
        var wrong: [EventSpan] = []
        var count = 0
        var next: EventKey?
        let rows = try connection.prepare(
            "SELECT key, duration, type, source, crossing_end FROM events WHERE key >= ? ORDER BY key LIMIT ?")
        try rows.bind(all: first, chunk + 1)
        while try rows.step() {
            let span = try EventWalk.span(rows)
            guard count < chunk else {
                next = span.key
                break
            }
            count += 1
            if try rows.column(4) != span.crossingEnd {
                wrong.append(span)
            }
            ledger.add(span)
        }
        rows.reset()
        for span in wrong {
            try connection.run("UPDATE events SET crossing_end = ? WHERE key = ?", span.crossingEnd, span.key)
        }
        return next
    }
}

// MARK: Texts

extension RollupAudit {
    private static func text(_ key: RollupLedger.Key) -> String {
        "tier \(key.unit.tier.rawValue), start \(key.unit.storedStart), \(key.id)"
            + (key.second == 0 ? "" : " and \(key.second)")
    }

    private static func text(_ number: Int64?) -> String {
        number.map { String($0) } ?? "none"
    }
}

extension RollupAmount {
    fileprivate var text: String {
        "count \(count), sum \(sum), whole \(whole)"
    }
}

extension RollupLedger.SourceChange {
    fileprivate var text: String {
        amount.text
    }
}

extension RollupLedger.Key {
    fileprivate init(unit: RollupUnit, _ projection: RollupProjection, _ pair: RollupReader.Pair) {
        switch projection {
        case .types: self.init(unit: unit, id: pair.type)
        case .sources: self.init(unit: unit, id: pair.source)
        case .pairs: self.init(unit: unit, id: pair.type, second: pair.source)
        }
    }
}

extension RollupChanges {
    fileprivate func rows(of projection: RollupProjection) -> [Key: RollupLedger.SourceChange] {
        switch projection {
        case .types: types.mapValues { .init(amount: $0) }
        case .sources: sources
        case .pairs: pairs.mapValues { .init(amount: $0) }
        }
    }
}
