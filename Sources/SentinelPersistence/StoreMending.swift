// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Makes anew what is derived from the events.
enum StoreMending {
    /// Mends all tables beside the events, in the open transaction.
    static func mend(_ connection: Connection) throws {
        try connection.run("DELETE FROM given_ids")
        let uses = try NameUses(in: connection) { row, _ in
            if let id = row.givenID {
                try connection.run("INSERT OR REPLACE INTO given_ids (id, key) VALUES (?, ?)", id, row.key)
            }
        }
        for table in NameTable.allCases {
            try count(uses.numbers(in: table), table.table, connection)
        }
        try RollupAudit.rebuild(in: connection)
    }

    /// Sets how many events have a name. One that was lost is replaced, one that no event has goes.
    private static func count(
        _ uses: [Int64: Int64], _ table: String, _ connection: Connection
    ) throws(SQLiteError) {
        try connection.run("UPDATE \(table) SET uses = 0")
        for (number, count) in uses {
            if try connection.run("UPDATE \(table) SET uses = ? WHERE id = ?", count, number) == 0 {
                try connection.run(
                    "INSERT INTO \(table) (id, name, uses) VALUES (?, ?, ?)", number,
                    NameTable.replacement(of: number), count)
            }
        }
        try connection.run("DELETE FROM \(table) WHERE uses = 0")
    }
}
