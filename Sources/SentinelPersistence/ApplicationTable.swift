// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The applications as rows.
enum ApplicationTable {
    /// All of them; `ORDER BY` is to follow where the order matters.
    static let selection = "SELECT id, name, icon, version, build, first_seen, last_seen FROM applications"

    /// The row a query of `selection` is at, nil where what it holds is no application.
    static func record(from row: Statement) throws(SQLiteError) -> ApplicationRecord? {
        do {
            let (firstSeen, lastSeen): (Int64, Int64) = (try row.column(5), try row.column(6))
            return ApplicationRecord(
                id: try ApplicationID(try row.column(0)),
                name: try row.column(1), icon: try row.column(2), version: try row.column(3), build: try row.column(4),
                firstSeen: try Timestamp(microseconds: firstSeen), lastSeen: try Timestamp(microseconds: lastSeen))
        } catch let error as SQLiteError where error.code != .mismatch {
            throw error
        } catch {
            return nil
        }
    }

    /// All applications, ordered by id.
    static func all(in connection: Connection) throws(SQLiteError) -> [ApplicationRecord] {
        let rows = try connection.prepare("\(selection) ORDER BY id")
        var records: [ApplicationRecord] = []
        while try rows.step() {
            if let record = try record(from: rows) {
                records.append(record)
            }
        }
        return records
    }

    /// The application of an id; nil if it is not known.
    static func find(_ id: ApplicationID, in connection: Connection) throws(SQLiteError) -> ApplicationRecord? {
        let rows = try connection.prepare("\(selection) WHERE id = ?")
        try rows.bind(all: id.text)
        return try rows.step() ? try record(from: rows) : nil
    }

    /// Inserts an application or updates it. The time between first and last seen only grows; a record that brings
    /// nothing new is not written.
    static func save(_ record: ApplicationRecord, in connection: Connection) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO applications (id, name, icon, version, build, first_seen, last_seen)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, icon = excluded.icon, version = excluded.version, build = excluded.build,
                first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)
            WHERE (name, icon, version, build) IS NOT (excluded.name, excluded.icon, excluded.version, excluded.build)
                OR first_seen > excluded.first_seen OR last_seen < excluded.last_seen
            """,
            record.id.text, record.name, record.icon, record.version, record.build, record.firstSeen.microseconds,
            record.lastSeen.microseconds)
    }

    /// Notes when applications were last seen; ids that are not known are left out.
    static func touch(
        _ ids: [ApplicationID], lastSeen: Timestamp, in connection: Connection
    ) throws(SQLiteError) {
        for id in ids {
            try connection.run(
                "UPDATE applications SET last_seen = ?1 WHERE id = ?2 AND last_seen < ?1", lastSeen.microseconds,
                id.text)
        }
    }

    /// Removes an application with what belongs to it, if it is there.
    static func forget(_ id: ApplicationID, in connection: Connection) throws(SQLiteError) {
        try TriggerTable.removeAll(of: id, in: connection)
        try connection.run("DELETE FROM applications WHERE id = ?", id.text)
    }
}
