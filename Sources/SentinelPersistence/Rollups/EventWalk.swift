// SPDX-License-Identifier: MIT

import SQLite

/// Events as far as rollups need them.
struct EventWalk {
    private let rows: Statement

    /// Those that start at `start` or later, and before `end`, in order.
    init(from start: Int64, to end: Int64, in connection: Connection) throws(SQLiteError) {
        rows = try connection.prepare(
            "SELECT key, duration, type, source FROM events WHERE key >= ? AND key < ? ORDER BY key")
        try rows.bind(all: EventKey(lowerBound: start), EventKey(lowerBound: end))
    }

    /// Those that end between two times and started in an earlier quarter than they end in.
    init(endingAfter start: Int64, before end: Int64, in connection: Connection) throws(SQLiteError) {
        rows = try connection.prepare(
            "SELECT key, duration, type, source FROM events WHERE crossing_end > ? AND crossing_end < ?")
        try rows.bind(all: start, end)
    }

    /// Those that are open, the newest first: at most so many.
    init(openIn connection: Connection, newest limit: Int) throws(SQLiteError) {
        rows = try connection.prepare(
            """
            SELECT key, duration, type, source FROM events INDEXED BY events_open WHERE marks & 1
            ORDER BY key DESC LIMIT ?
            """)
        try rows.bind(limit, at: 1)
    }

    /// The next one, nil after the last.
    func next() throws(SQLiteError) -> EventSpan? {
        try rows.step() ? try Self.span(rows) : nil
    }

    /// The event of the current row of a statement whose first columns are key, duration, type and source.
    ///
    /// - Throws: `mismatch` where that is no event.
    static func span(_ rows: Statement) throws(SQLiteError) -> EventSpan {
        let key: EventKey = try rows.column(0)
        return EventSpan(
            key: key, start: key.microseconds, duration: try EventSpan.duration(of: rows, at: 1),
            typeID: try rows.column(2), sourceID: try rows.column(3))
    }
}
