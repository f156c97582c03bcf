// SPDX-License-Identifier: MIT

import SQLite

extension RollupLedger {
    /// Writes what was gathered, in the order of the tables, and forgets it. The events table must be as it is to be.
    ///
    /// - Returns: what was written.
    /// - Throws: what the statements throw. Some are written then: the caller takes its savepoint back.
    @discardableResult
    mutating func flush(in connection: Connection) throws(SQLiteError) -> RollupChanges {
        let changes = takeAll()
        try changes.writeTypes(in: connection)
        try changes.writeSources(in: connection)
        try changes.writePairs(in: connection)
        return changes
    }
}

extension RollupChanges {
    fileprivate func writeTypes(in connection: Connection) throws(SQLiteError) {
        let upsert = try connection.prepare(
            """
            INSERT INTO type_rollups (tier, start, type, count, sum, whole) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                count = count + excluded.count, sum = sum + excluded.sum, whole = whole + excluded.whole
            """)
        for (key, amount) in types.sorted(by: { $0.key < $1.key }) where !amount.isZero {
            try upsert.bind(key.unit, at: 1)
            try upsert.bind(key.id, at: 3)
            try upsert.bind(amount, at: 4)
            try upsert.run()
            if amount.isReduction {
                try connection.run(
                    """
                    DELETE FROM type_rollups
                    WHERE tier = ? AND start = ? AND type = ? AND count = 0 AND sum = 0 AND whole = 0
                    """, key.unit.tier.rawValue, key.unit.storedStart, key.id)
            }
        }
    }

    fileprivate func writePairs(in connection: Connection) throws(SQLiteError) {
        let upsert = try connection.prepare(
            """
            INSERT INTO pair_rollups (tier, start, type, source, count, sum, whole) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                count = count + excluded.count, sum = sum + excluded.sum, whole = whole + excluded.whole
            """)
        for (key, amount) in pairs.sorted(by: { $0.key < $1.key }) where !amount.isZero {
            try upsert.bind(key.unit, at: 1)
            try upsert.bind(key.id, at: 3)
            try upsert.bind(key.second, at: 4)
            try upsert.bind(amount, at: 5)
            try upsert.run()
            if amount.isReduction {
                try connection.run(
                    """
                    DELETE FROM pair_rollups
                    WHERE tier = ? AND start = ? AND type = ? AND source = ? AND count = 0 AND sum = 0 AND whole = 0
                    """, key.unit.tier.rawValue, key.unit.storedStart, key.id, key.second)
            }
        }
    }

    fileprivate func writeSources(in connection: Connection) throws(SQLiteError) {
        var writer = try SourceRollupWriter(connection)
        let changes = sources.sorted { $0.key < $1.key }
        try writer.walkEvents(of: changes.lazy.filter { $0.value.isStale }.map(\.key))
        // Finer tiers come first: the runs of the coarser ones are made of theirs.
        for (key, change) in changes {
            try writer.write(change, to: key)
        }
    }
}

extension Statement {
    /// Binds the tier and the start of a unit to the parameter with an index from 1 on and the next.
    func bind(_ unit: RollupUnit, at index: Int) throws(SQLiteError) {
        try bind(unit.tier.rawValue, at: index)
        try bind(unit.storedStart, at: index + 1)
    }

    /// Binds count, sum and whole to the parameter with an index from 1 on and the next two.
    func bind(_ amount: RollupAmount, at index: Int) throws(SQLiteError) {
        try bind(amount.count, at: index)
        try bind(amount.sum, at: index + 1)
        try bind(amount.whole, at: index + 2)
    }
}
