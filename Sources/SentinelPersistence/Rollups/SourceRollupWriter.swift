// SPDX-License-Identifier: MIT

import SQLite

/// Writes rows of sources with their runs.
struct SourceRollupWriter {
    private let connection: Connection
    private let selectRuns: Statement
    private let upsertAmount: Statement
    private let upsertRuns: Statement
    /// Runs of quarters that were made anew from the events.
    private var walked: [RollupLedger.Key: SessionRuns] = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        selectRuns = try connection.prepare(
            "SELECT runs FROM source_rollups WHERE tier = ? AND start = ? AND source = ?")
        upsertAmount = try connection.prepare(
            """
            INSERT INTO source_rollups (tier, start, source, count, sum, whole, runs) VALUES (?, ?, ?, ?, ?, ?, x'')
            ON CONFLICT DO UPDATE SET
                count = count + excluded.count, sum = sum + excluded.sum, whole = whole + excluded.whole
            """)
        upsertRuns = try connection.prepare(
            """
            INSERT INTO source_rollups (tier, start, source, count, sum, whole, runs) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                count = count + excluded.count, sum = sum + excluded.sum, whole = whole + excluded.whole,
                runs = excluded.runs
            """)
    }

    /// Makes runs of quarters anew from the events, each quarter walked once; rows of other tiers are left out.
    mutating func walkEvents(of rows: some Sequence<RollupLedger.Key>) throws(SQLiteError) {
        var quarters: [RollupUnit: [Int64: SessionRuns]] = [:]
        for row in rows where row.unit.tier == .quarter {
            quarters[row.unit, default: [:]][row.id] = SessionRuns()
        }
        for (quarter, wanted) in quarters {
            var runs = wanted
            let spans = try EventWalk(from: quarter.start, to: quarter.end, in: connection)
            while let span = try spans.next() {
                runs[span.sourceID]?.insert(.init(start: span.start, end: span.end))
            }
            for (source, runs) in runs {
                walked[RollupLedger.Key(unit: quarter, id: source)] = runs
            }
        }
    }

    /// Applies a change to a row. Rows of finer tiers must be written already.
    mutating func write(_ change: RollupLedger.SourceChange, to key: RollupLedger.Key) throws(SQLiteError) {
        let amount = change.amount
        if let runs = try runs(after: change, of: key) {
            try upsertRuns.bind(key.unit, at: 1)
            try upsertRuns.bind(key.id, at: 3)
            try upsertRuns.bind(amount, at: 4)
            try upsertRuns.bind(runs.encoded(in: key.unit), at: 7)
            try upsertRuns.run()
        } else if !amount.isZero {
            try upsertAmount.bind(key.unit, at: 1)
            try upsertAmount.bind(key.id, at: 3)
            try upsertAmount.bind(amount, at: 4)
            try upsertAmount.run()
        }
        if change.isStale || amount.isReduction {
            try connection.run(
                """
                DELETE FROM source_rollups
                WHERE tier = ? AND start = ? AND source = ? AND count = 0 AND sum = 0 AND whole = 0
                """, key.unit.tier.rawValue, key.unit.storedStart, key.id)
        }
    }

    /// Runs of a row with a change, nil where they stay as they are stored.
    private mutating func runs(
        after change: RollupLedger.SourceChange, of key: RollupLedger.Key
    ) throws(SQLiteError) -> SessionRuns? {
        if !change.isStale {
            guard !change.added.isEmpty else { return nil }
            if let stored = try storedRuns(of: key) {
                var runs = stored
                runs.insert(change.added)
                return runs == stored ? nil : runs
            }
            // What is stored cannot be read: the events tell it as well.
        }
        return try freshRuns(of: key)
    }

    /// Runs of a row as they are stored: none without a row, nil where they cannot be read.
    private func storedRuns(of key: RollupLedger.Key) throws(SQLiteError) -> SessionRuns? {
        try selectRuns.bind(key.unit, at: 1)
        try selectRuns.bind(key.id, at: 3)
        defer { selectRuns.reset() }
        guard try selectRuns.step() else { return SessionRuns() }
        return SessionRuns(encoded: try selectRuns.column(0), in: key.unit)
    }

    /// Runs of a row from what is below it: quarters from the events, others from the finer tier.
    private mutating func freshRuns(of key: RollupLedger.Key) throws(SQLiteError) -> SessionRuns {
        guard let child = key.unit.tier.child else {
            if walked[key] == nil {
                try walkEvents(of: [key])
            }
            return walked[key] ?? SessionRuns()
        }
        var runs = SessionRuns()
        for start in stride(from: key.unit.start, to: key.unit.end, by: Int64.Stride(child.length)) {
            let part = RollupLedger.Key(unit: RollupUnit(child, start: start), id: key.id)
            if let stored = try storedRuns(of: part) {
                runs.insert(stored)
            } else {
                runs.insert(try freshRuns(of: part))
            }
        }
        return runs
    }
}
