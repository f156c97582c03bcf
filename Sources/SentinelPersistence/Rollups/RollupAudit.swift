// SPDX-License-Identifier: MIT

import SQLite

/// Holds the rollups against the events, and makes them anew.
///
/// The events are walked in order of time. What a day's events contribute lies in that day and later ones, so that
/// after each day the rows that end with it are known: memory holds the rows of a day and of what reaches beyond it.
struct RollupAudit {
    /// Says what in the rollups is not as the events have it, at most `limit` things; empty where all is right. The
    /// database must not change meanwhile: run it in a read transaction.
    static func findings(in connection: Connection, limit: Int = 100) throws(SQLiteError) -> [String] {
        []
    }

    /// Makes all rollups anew from the events, in one savepoint.
    static func rebuild(in connection: Connection) throws {
    }
}
