// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Finds events by their ids, and those that are open.
enum EventLookup {
    /// The row of an event's id, nil without one.
    ///
    /// - Parameter mayBeGiven: whether there can be events whose id is not their key.
    static func row(
        of id: EventID, mayBeGiven: Bool = true, in connection: Connection
    ) throws(SQLiteError) -> EventRow? {
        let key = EventKey(id)
        if mayBeGiven,
            let given = try connection.first("SELECT key FROM given_ids WHERE id = ?", key, as: EventKey.self)
        {
            return try row(at: given, in: connection)
        }
        // The key of an event with another id is no event's id.
        guard let row = try row(at: key, in: connection), row.givenID == nil else { return nil }
        return row
    }

    /// The row of a key, nil without one.
    static func row(at key: EventKey, in connection: Connection) throws(SQLiteError) -> EventRow? {
        let rows = try connection.prepare("SELECT \(EventRow.columns) FROM events WHERE key = ?")
        try rows.bind(key, at: 1)
        return try rows.step() ? EventRow(from: rows) : nil
    }

    /// The rows of open events, at most so many.
    static func openRows(limit: Int = .max, in connection: Connection) throws(SQLiteError) -> [EventRow] {
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
