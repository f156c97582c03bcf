// SPDX-License-Identifier: MIT

import SQLite

/// The events that start in a range of time, in order, as far as rollups need them.
struct EventWalk {
    private let rows: Statement

    /// Those that start at `start` or later, and before `end`.
    init(from start: Int64, to end: Int64, in connection: Connection) throws(SQLiteError) {
        rows = try connection.prepare(
            "SELECT key, duration, type, source FROM events WHERE key >= ? AND key < ? ORDER BY key")
        try rows.bind(all: EventKey(lowerBound: start), EventKey(lowerBound: end))
    }

    /// The next one, nil after the last.
    func next() throws(SQLiteError) -> EventSpan? {
        guard try rows.step() else { return nil }
        let key: EventKey = try rows.column(0)
        return EventSpan(
            key: key, start: key.microseconds, duration: try rows.column(1), typeID: try rows.column(2),
            sourceID: try rows.column(3))
    }
}
