// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The preferences as rows.
enum PreferenceTables {
    /// A page of changes ends with the one that brings it past so many bytes.
    static let pageBytes = 4 << 20

    /// Reads all but the history. Rows that hold no such thing are left out.
    ///
    /// - Parameter application: whose; nil for all.
    static func all(
        of application: ApplicationID? = nil, in connection: Connection
    ) throws(SQLiteError) -> [ApplicationID: StoredPreferences] {
        var found: [ApplicationID: StoredPreferences] = [:]
        try forEachRow(
            "SELECT application, key, position, document, source, origin, time FROM preference_declarations",
            of: application, order: "application, position, key", in: connection
        ) { row, id throws(SQLiteError) in
            let declaration = StoredPreferences.Declaration(
                key: try row.name(1), position: try row.position(2),
                document: try row.column(3), source: try row.column(4), origin: try row.column(5), time: try row.time(6)
            )
            found[id, default: StoredPreferences()].declarations.append(declaration)
        }
        try forEachRow(
            "SELECT application, layer, key, value, origin, time, ends FROM preference_values", of: application,
            in: connection
        ) { row, id throws(SQLiteError) in
            let (key, value) = (try row.name(2), try row.value(from: 3, end: 6))
            switch PreferenceWrite.Layer(rawValue: try row.column(1)) {
            case .stored: found[id, default: StoredPreferences()].stored[key] = value
            case .temporary: found[id, default: StoredPreferences()].temporary[key] = value
            case nil: break
            }
        }
        try forEachRow(
            "SELECT application, name, is_applied FROM preference_profiles", of: application, in: connection
        ) { row, id throws(SQLiteError) in
            let name = try row.name(1)
            found[id, default: StoredPreferences()].profiles[name] = [:]
            if try row.column(2, as: Int64.self) != 0 {
                found[id]?.appliedProfile = name
            }
        }
        try forEachRow(
            "SELECT application, profile, key, value, origin, time FROM preference_profile_values", of: application,
            in: connection
        ) { row, id throws(SQLiteError) in
            let (profile, key) = (try row.name(1), try row.name(2))
            found[id]?.profiles[profile]?[key] = try row.value(from: 3, end: nil)
        }
        return found
    }

    private static func forEachRow(
        _ sql: String, of application: ApplicationID?, order: String? = nil, in connection: Connection,
        _ body: (Statement, ApplicationID) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let condition = application == nil ? "" : " WHERE application = ?"
        let rows = try connection.prepare(sql + condition + (order.map { " ORDER BY \($0)" } ?? ""))
        if let application { try rows.bind(all: application.text) }
        while try rows.step() {
            do throws(SQLiteError) {
                try body(rows, try rows.application(0))
            } catch let error where error.code == .mismatch {
                // Nothing that this version could use.
                continue
            }
        }
    }

    /// Writes in order, then lets the oldest changes go where there are more than `historyLimit` or have more than
    /// `historyBytes`; the latest stays.
    static func write(
        _ writes: [PreferenceWrite], of id: ApplicationID, historyLimit: Int, historyBytes: Int,
        in connection: Connection
    ) throws(SQLiteError) {
        var hasRecorded = false
        var largest = 0
        for write in writes {
            try self.write(write, of: id.text, in: connection)
            if case .record(let change) = write {
                hasRecorded = true
                largest = max(largest, change.byteCount)
            }
        }
        guard hasRecorded else { return }
        try connection.run(
            """
            DELETE FROM preference_changes WHERE application = ?1 AND change <= (
                SELECT change FROM preference_changes WHERE application = ?1
                ORDER BY change DESC LIMIT 1 OFFSET ?2)
            """, id.text, historyLimit)
        // Adding up reads every change. One that is small needs none: as many as there can be have half of the bytes, and
        // the other half is all that was left when the last large one came.
        guard largest > historyBytes / 2 / max(historyLimit, 1) else { return }
        try connection.run(
            """
            WITH sizes AS (
                SELECT change, length(CAST(key || origin || layer || ifnull(profile, '') || ifnull(old, '')
                    || ifnull(new, '') AS BLOB)) AS size
                FROM preference_changes WHERE application = ?1),
            totals AS (SELECT change, size, sum(size) OVER (ORDER BY change DESC) AS total FROM sizes)
            DELETE FROM preference_changes WHERE application = ?1 AND change <= (
                SELECT max(change) FROM totals WHERE total > ?2 AND total > size)
            """, id.text, historyBytes / 2)
    }

    private static func write(
        _ write: PreferenceWrite, of id: String, in connection: Connection
    ) throws(SQLiteError) {
        switch write {
        case .declare(let declaration):
            try connection.run(
                "INSERT OR REPLACE INTO preference_declarations VALUES (?, ?, ?, ?, ?, ?, ?)", id,
                declaration.key.text, declaration.position, declaration.document, declaration.source,
                declaration.origin, declaration.time.microseconds)
        case .removeDeclaration(let key):
            try connection.run(
                "DELETE FROM preference_declarations WHERE application = ? AND key = ?", id, key.text)
        case .set(let layer, let key, let value):
            try connection.run(
                "INSERT OR REPLACE INTO preference_values VALUES (?, ?, ?, ?, ?, ?, ?)", id, layer.rawValue,
                key.text, value.document, value.origin, value.time.microseconds, value.end?.microseconds)
        case .unset(let layer, let key):
            try connection.run(
                "DELETE FROM preference_values WHERE application = ? AND layer = ? AND key = ?", id,
                layer.rawValue, key.text)
        case .record(let change):
            try connection.run(
                """
                INSERT INTO preference_changes (application, key, time, origin, layer, profile, old, new, ends)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, id, change.key.text, change.time.microseconds, change.origin, change.layer,
                change.profile?.text, change.old, change.new, change.end?.microseconds)
        case .forgetChanges(let key):
            try connection.run(
                "DELETE FROM preference_changes WHERE application = ? AND key = ?", id, key.text)
        case .saveProfile, .deleteProfile, .applyProfile, .setInProfile, .unsetInProfile:
            try writeProfile(write, of: id, in: connection)
        }
    }

    private static func writeProfile(
        _ write: PreferenceWrite, of id: String, in connection: Connection
    ) throws(SQLiteError) {
        switch write {
        case .saveProfile(let name, let values):
            try connection.run(
                "INSERT INTO preference_profiles VALUES (?, ?, 0) ON CONFLICT (application, name) DO NOTHING", id,
                name.text)
            try connection.run(
                "DELETE FROM preference_profile_values WHERE application = ? AND profile = ?", id, name.text)
            for (key, value) in values {
                try setInProfile(name, key, value, of: id, in: connection)
            }
        case .deleteProfile(let name):
            try connection.run(
                "DELETE FROM preference_profiles WHERE application = ? AND name = ?", id, name.text)
        case .applyProfile(let name):
            try connection.run(
                """
                UPDATE preference_profiles SET is_applied = (name IS ?2)
                WHERE application = ?1 AND is_applied <> (name IS ?2)
                """, id, name?.text)
        case .setInProfile(let profile, let key, let value):
            try setInProfile(profile, key, value, of: id, in: connection)
        case .unsetInProfile(let profile, let key):
            try connection.run(
                "DELETE FROM preference_profile_values WHERE application = ? AND profile = ? AND key = ?", id,
                profile.text, key.text)
        default:
            break
        }
    }

    private static func setInProfile(
        _ profile: Name, _ key: Name, _ value: StoredPreferences.Value, of id: String, in connection: Connection
    ) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO preference_profile_values VALUES (?, ?, ?, ?, ?, ?)", id, profile.text,
            key.text, value.document, value.origin, value.time.microseconds)
    }

    // MARK: History

    /// Reads changes, the newest first; fewer than there are once they have more than ``pageBytes``.
    ///
    /// - Parameters:
    ///   - key: of this preference alone; nil for all.
    ///   - before: older than this one; nil for all.
    static func changes(
        of id: ApplicationID, key: Name?, before: Int64?, limit: Int, in connection: Connection
    ) throws(SQLiteError) -> [StoredChange] {
        let rows = try connection.prepare(
            """
            SELECT change, key, time, origin, layer, profile, old, new, ends FROM preference_changes
            WHERE application = ?1 AND (?2 IS NULL OR key = ?2) AND change < ?3 ORDER BY change DESC LIMIT ?4
            """)
        try rows.bind(all: id.text, key?.text, before ?? .max, limit)
        var changes: [StoredChange] = []
        var byteCount = 0
        while byteCount <= pageBytes, try rows.step() {
            do throws(SQLiteError) {
                let change = try change(from: rows)
                changes.append(change)
                byteCount += change.byteCount
            } catch let error where error.code == .mismatch {
                continue
            }
        }
        return changes
    }

    /// Reads the change of a number; nil if the application has none of it.
    static func change(
        _ number: Int64, of id: ApplicationID, in connection: Connection
    ) throws(SQLiteError) -> StoredChange? {
        let rows = try connection.prepare(
            """
            SELECT change, key, time, origin, layer, profile, old, new, ends FROM preference_changes
            WHERE change = ? AND application = ?
            """)
        try rows.bind(all: number, id.text)
        return try rows.step() ? try change(from: rows) : nil
    }

    private static func change(from row: Statement) throws(SQLiteError) -> StoredChange {
        let profile: String? = try row.column(5)
        let end: Int64? = try row.column(8)
        return StoredChange(
            number: try row.column(0), key: try row.name(1), time: try row.time(2), origin: try row.column(3),
            layer: try row.column(4), profile: profile == nil ? nil : try row.name(5), old: try row.column(6),
            new: try row.column(7), end: end == nil ? nil : try row.time(8))
    }
}

extension Statement {
    fileprivate func application(_ index: Int) throws(SQLiteError) -> ApplicationID {
        let text = try text(index)
        do throws(SentinelError) {
            return try ApplicationID(text)
        } catch {
            throw SQLiteError(code: .mismatch, message: error.message, sql: sql)
        }
    }

    fileprivate func name(_ index: Int) throws(SQLiteError) -> Name {
        let text = try text(index)
        do throws(SentinelError) {
            return try Name(text)
        } catch {
            throw SQLiteError(code: .mismatch, message: error.message, sql: sql)
        }
    }

    fileprivate func time(_ index: Int) throws(SQLiteError) -> Timestamp {
        Timestamp(clamping: try column(index))
    }

    /// A value whose text, origin and time are in columns one after the other.
    fileprivate func value(from index: Int, end: Int?) throws(SQLiteError) -> StoredPreferences.Value {
        var ends: Timestamp?
        if let end, try storageClass(at: end) != .null {
            ends = try time(end)
        }
        return StoredPreferences.Value(
            document: try column(index), origin: try column(index + 1), time: try time(index + 2), end: ends)
    }

    private func text(_ index: Int) throws(SQLiteError) -> String { try column(index) }
}
