// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The calls that have changed something, as rows; only the newest are kept.
enum AuditTable {
    static let sql = """

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,
            caller TEXT NOT NULL,
            object TEXT NOT NULL,
            member TEXT NOT NULL
        ) STRICT;
        """

    static let selection = "SELECT time, caller, object, member FROM audit"

    /// The newest entries, the newest first.
    static func newest(_ limit: Int, in connection: Connection) throws(SQLiteError) -> [AuditEntry] {
        let rows = try connection.prepare("\(selection) ORDER BY number DESC LIMIT ?")
        try rows.bind(all: Int64(limit))
        var entries: [AuditEntry] = []
        while try rows.step() {
            let time: Int64 = try rows.column(0)
            entries.append(
                AuditEntry(
                    time: Timestamp(clamping: time), caller: try rows.column(1), object: try rows.column(2),
                    member: try rows.column(3)))
        }
        return entries
    }

    /// Adds entries, the oldest first, and lets go of all but the newest.
    static func add(
        _ entries: [AuditEntry], keeping limit: Int, in connection: Connection
    ) throws(SQLiteError) {
        for entry in entries {
            try connection.run(
                "INSERT INTO audit (time, caller, object, member) VALUES (?, ?, ?, ?)", entry.time.microseconds,
                entry.caller, entry.object, entry.member)
        }
        try connection.run(
            "DELETE FROM audit WHERE number <= (SELECT max(number) FROM audit) - ?", Int64(limit))
    }
}
