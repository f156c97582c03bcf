// SPDX-License-Identifier: MIT

import SQLite

/// Finds open events by their index.
enum OpenEvents {
    /// The rows of open events.
    static func rows(in connection: Connection, limit: Int = .max) throws(SQLiteError) -> [EventRow] {
        let rows = try connection.prepare(
            "SELECT \(EventRow.columns) FROM events INDEXED BY events_open WHERE marks & 1 LIMIT ?")
        try rows.bind(limit, at: 1)
        var found: [EventRow] = []
        while try rows.step() {
            found.append(try EventRow(from: rows))
        }
        return found
    }
}
