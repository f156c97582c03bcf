// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The triggers of applications as rows. The service itself has some too and is no row among the applications, so that
/// what is removed with an application is removed by name.
enum TriggerTable {
    static let sql = """
        CREATE TABLE triggers (
            id TEXT NOT NULL PRIMARY KEY,
            application TEXT NOT NULL,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            options TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX triggers_by_application ON triggers (application);
        """

    /// All of them; `ORDER BY` is to follow where the order matters.
    static let selection = "SELECT id, application, position, kind, options FROM triggers"

    /// The trigger a query of `selection` is at, nil where what it holds is none.
    static func trigger(from row: Statement) throws(SQLiteError) -> StoredTrigger? {
        do {
            let text: String = try row.column(4)
            guard case .object(let members) = try JSONValue(parsing: text.utf8) else { return nil }
            var options: [Name: PreferenceValue] = [:]
            for (key, json) in members {
                guard let value = PreferenceValue(json: json) else { return nil }
                options[try Name(key)] = value
            }
            return StoredTrigger(
                id: try Name(try row.column(0)), application: try ApplicationID(try row.column(1)),
                declaration: TriggerDeclaration(kind: try Name(try row.column(3)), options: options),
                position: try row.position(2))
        } catch let error as SQLiteError where error.code != .mismatch {
            throw error
        } catch {
            return nil
        }
    }

    /// The triggers in the order in which they were added.
    ///
    /// - Parameter application: whose; nil for all.
    static func all(
        of application: ApplicationID? = nil, in connection: Connection
    ) throws(SQLiteError) -> [StoredTrigger] {
        var triggers: [StoredTrigger] = []
        let condition = application == nil ? "" : " WHERE application = ?"
        let rows = try connection.prepare("\(selection)\(condition) ORDER BY position, id")
        if let application { try rows.bind(all: application.text) }
        while try rows.step() {
            if let trigger = try trigger(from: rows) {
                triggers.append(trigger)
            }
        }
        return triggers
    }

    /// Keeps a trigger, in place of one of its id.
    static func save(_ trigger: StoredTrigger, in connection: Connection) throws(SQLiteError) {
        let options = trigger.declaration.options.sorted { $0.key < $1.key }
        try connection.run(
            """
            INSERT INTO triggers (id, application, position, kind, options) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                application = excluded.application, position = excluded.position, kind = excluded.kind,
                options = excluded.options
            """,
            trigger.id.text, trigger.application.text, trigger.position, trigger.declaration.kind.text,
            JSONValue.object(options.map { ($0.key.text, $0.value.json) }).serialized())
    }

    /// Removes a trigger, if it is there.
    static func remove(_ id: Name, in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM triggers WHERE id = ?", id.text)
    }

    /// Removes the triggers of an application.
    static func removeAll(of application: ApplicationID, in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM triggers WHERE application = ?", application.text)
    }
}
