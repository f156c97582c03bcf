// SPDX-License-Identifier: MIT

/// The tables in which events are rolled up. In all of them `tier` is a ``RollupTier`` and `start` counts quarters of
/// an hour since the epoch; ``RollupAmount`` says what `count`, `sum` and `whole` are. No row is all zero.
enum RollupSchema {
    /// Makes the tables.
    ///
    /// `pair_rollups` has counts and sums of quarters alone, its rows of other tiers are there for `whole`. `runs` is
    /// a ``SessionRuns`` of the events that start in the unit, empty without any.
    static let sql = """
        CREATE TABLE type_rollups (
            tier INTEGER NOT NULL,
            start INTEGER NOT NULL,
            type INTEGER NOT NULL,
            count INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            PRIMARY KEY (tier, start, type)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE source_rollups (
            tier INTEGER NOT NULL,
            start INTEGER NOT NULL,
            source INTEGER NOT NULL,
            count INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            runs BLOB NOT NULL,
            PRIMARY KEY (tier, start, source)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pair_rollups (
            tier INTEGER NOT NULL,
            start INTEGER NOT NULL,
            type INTEGER NOT NULL,
            source INTEGER NOT NULL,
            count INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            PRIMARY KEY (tier, start, type, source)
        ) STRICT, WITHOUT ROWID;
        """

    /// Statements that can be prepared where the tables are there in the form in which they are used.
    static let selections = [
        "SELECT tier, start, type, count, sum, whole FROM type_rollups",
        "SELECT tier, start, source, count, sum, whole, runs FROM source_rollups",
        "SELECT tier, start, type, source, count, sum, whole FROM pair_rollups",
    ]
}
