// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

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

    /// The setting that is there while what was deleted is still to be overwritten, so that the next start does what
    /// this one does not get to.
    static let erasure = "erasure"

    /// Whether what was deleted is still to be overwritten.
    static func owesErasure(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.first("SELECT 1 FROM settings WHERE name = ?", erasure, as: Int64.self) != nil
    }

    /// The setting that holds when events were last changed, in microseconds since the epoch.
    static let lastCommit = "last_event_commit"

    /// When events were last changed; nil if they never were.
    static func lastCommit(in connection: Connection) throws(SQLiteError) -> Timestamp? {
        let text = try connection.first("SELECT value FROM settings WHERE name = ?", lastCommit, as: String.self)
        return text.flatMap { Int64($0) }.map { Timestamp(clamping: $0) }
    }
}
