// SPDX-License-Identifier: MIT

import SQLite

/// What happens to a database behind the service's back.
enum Tampering {
    /// Replaces the stored value of a preference.
    static func setValue(_ document: String, of key: String, in database: String) throws {
        let connection = try Connection(.file(database))
        try connection.run("UPDATE preference_values SET value = ? WHERE key = ?", document, key)
        connection.close()
    }

    /// Removes all rows of a table, and what hangs on them.
    static func clear(_ table: String, in database: String) throws {
        let connection = try Connection(.file(database))
        try connection.run("DELETE FROM \(table)")
        connection.close()
    }

    /// Adds what another database holds of preferences, where there is nothing of the same key.
    static func add(from other: String, to database: String) throws {
        let connection = try Connection(.file(database))
        try connection.run("ATTACH ? AS other", other)
        for table in [
            "preference_declarations", "preference_values", "preference_profiles", "preference_profile_values",
            "preference_changes",
        ] {
            try connection.run("INSERT OR IGNORE INTO \(table) SELECT * FROM other.\(table)")
        }
        connection.close()
    }

    /// Changes rows.
    static func run(_ sql: String, in database: String) throws {
        let connection = try Connection(.file(database))
        defer { connection.close() }
        try connection.run(sql)
    }

    /// How many rows a table has.
    static func count(of table: String, in database: String) throws -> Int {
        let connection = try Connection(.file(database))
        defer { connection.close() }
        return try connection.first("SELECT count(*) FROM \(table)", as: Int.self) ?? 0
    }
}
