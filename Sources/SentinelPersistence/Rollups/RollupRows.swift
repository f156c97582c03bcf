// SPDX-License-Identifier: MIT

import SQLite

/// Rows of a projection.
struct RollupRows {
    struct Row {
        /// Start of the unit, in quarters since the epoch.
        var start: Int64
        var pair: RollupReader.Pair
        var amount: RollupAmount
    }

    private let rows: Statement

    /// Those of a tier between two times; with `wholeOnly` those alone that some event covers.
    init(
        _ projection: RollupProjection, _ tier: RollupTier, from start: Int64, to end: Int64, wholeOnly: Bool = false,
        in connection: Connection
    ) throws(SQLiteError) {
        rows = try connection.prepare(
            """
            SELECT start, \(projection.identity), count, sum, whole FROM \(projection.table)
            WHERE tier = ? AND start >= ? AND start < ?\(wholeOnly ? " AND whole <> 0" : "")
            """)
        try rows.bind(
            all: tier.rawValue, RollupUnit(tier, start: start).storedStart, RollupUnit(tier, start: end).storedStart)
    }

    /// Those of a type, and of a source where one is given, in the quarters between two times: each quarter that holds
    /// the type is looked up by itself, so that other pairs cost nothing.
    init(
        type: Int64, source: Int64?, from start: Int64, to end: Int64, in connection: Connection
    ) throws(SQLiteError) {
        rows = try connection.prepare(
            """
            SELECT pair.start, pair.type, pair.source, pair.count, pair.sum, pair.whole
            FROM type_rollups AS quarter CROSS JOIN pair_rollups AS pair
            WHERE quarter.tier = 0 AND quarter.start >= ?1 AND quarter.start < ?2 AND quarter.type = ?3
                AND pair.tier = 0 AND pair.start = quarter.start AND pair.type = ?3\(
                    source == nil ? "" : " AND pair.source = ?4")
            """)
        try rows.bind(RollupUnit(.quarter, start: start).storedStart, at: 1)
        try rows.bind(RollupUnit(.quarter, start: end).storedStart, at: 2)
        try rows.bind(type, at: 3)
        if let source {
            try rows.bind(source, at: 4)
        }
    }

    /// The next one, nil after the last.
    func next() throws(SQLiteError) -> Row? {
        guard try rows.step() else { return nil }
        return Row(
            start: try rows.column(0), pair: .init(type: try rows.column(1), source: try rows.column(2)),
            amount: .init(count: try rows.column(3), sum: try rows.column(4), whole: try rows.column(5)))
    }
}
