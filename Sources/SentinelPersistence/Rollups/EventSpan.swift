// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// What the rollups need to know of an event.
struct EventSpan: Hashable, Sendable {
    /// The key of its row.
    var key: EventKey
    /// When it starts, in microseconds since the Unix epoch: the time that is in `key`.
    var start: Int64
    /// How long it lasts in microseconds; nil where it has no duration or is open.
    var duration: Int64?
    /// Its type's number.
    var typeID: Int64
    /// Its source's number.
    var sourceID: Int64

    /// Reads a duration from a column.
    ///
    /// - Throws: `mismatch` where no event lasts so long, so that nobody need mind what it is added to.
    static func duration(of row: Statement, at index: Int) throws(SQLiteError) -> Int64? {
        let duration: Int64? = try row.column(index)
        guard (0...Event.longestDuration).contains(duration ?? 0) else {
            throw SQLiteError(code: .mismatch, message: "an event lasts longer than is allowed", sql: row.sql)
        }
        return duration
    }

    /// When it ends; an event without a duration ends as it starts.
    var end: Int64 {
        start + (duration ?? 0)
    }

    /// Its end where it lies in a later quarter of an hour than its start, nil for others: the value of the column
    /// `crossing_end`. An end exactly on a border belongs to what it ends.
    var crossingEnd: Int64? {
        guard let duration, duration > 0 else { return nil }
        let quarter = RollupTier.quarter
        return quarter.start(of: start) == quarter.start(of: end - 1) ? nil : end
    }
}
