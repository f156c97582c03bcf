// SPDX-License-Identifier: MIT

import SQLite

/// The settings as rows.
enum SettingsTable {
    /// Sets values; nil removes one.
    static func set(_ values: [String: String?], in connection: Connection) throws(SQLiteError) {
        for (name, value) in values {
            if let value {
                try connection.run(
                    """
                    INSERT INTO settings (name, value) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
                    """, name, value)
            } else {
                try connection.run("DELETE FROM settings WHERE name = ?", name)
            }
        }
    }
}
