// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The tools of applications as rows: declarations in the form of manifests, and the values that items have been given
/// since.
enum ToolTable {
    static let sql = """
        CREATE TABLE tools (
            application TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
            id TEXT NOT NULL,
            position INTEGER NOT NULL,
            origin TEXT NOT NULL,
            declaration TEXT NOT NULL,
            PRIMARY KEY (application, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tool_values (
            application TEXT NOT NULL,
            tool TEXT NOT NULL,
            item TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (application, tool, item),
            FOREIGN KEY (application, tool) REFERENCES tools (application, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """ + AuditTable.sql

    /// All of them; `ORDER BY` is to follow where the order matters.
    static let selection = "SELECT application, id, position, origin, declaration FROM tools"
    static let valueSelection = "SELECT application, tool, item, value FROM tool_values"

    static var selections: [String] { [selection, valueSelection, AuditTable.selection] }

    /// The tool a query of `selection` is at, nil where what it holds is none.
    static func tool(from row: Statement) throws(SQLiteError) -> StoredTool? {
        do {
            guard let origin = StoredTool.Origin(rawValue: try row.column(3)) else { return nil }
            let declaration: String = try row.column(4)
            // It was within the limits when it was declared, whatever they are now.
            var reader = ToolReader(.declaration, limits: .none)
            return StoredTool(
                application: try ApplicationID(try row.column(0)),
                tool: try reader.tool(try JSONValue(parsing: declaration.utf8), at: "declaration"),
                position: try row.position(2), origin: origin)
        } catch let error as SQLiteError where error.code != .mismatch {
            throw error
        } catch {
            return nil
        }
    }

    /// The value a query of `valueSelection` is at, nil where what it holds is none.
    static func value(
        from row: Statement
    ) throws(SQLiteError) -> (application: ApplicationID, tool: Name, item: Name, value: PreferenceValue)? {
        do {
            let text: String = try row.column(3)
            guard let value = PreferenceValue(json: try JSONValue(parsing: text.utf8)) else { return nil }
            return (
                try ApplicationID(try row.column(0)), try Name(try row.column(1)), try Name(try row.column(2)), value
            )
        } catch let error as SQLiteError where error.code != .mismatch {
            throw error
        } catch {
            return nil
        }
    }

    /// The tools with their values, each application's in declared order.
    ///
    /// - Parameter application: whose; nil for all.
    static func all(
        of application: ApplicationID? = nil, in connection: Connection
    ) throws(SQLiteError) -> [StoredTool] {
        let condition = application == nil ? "" : " WHERE application = ?"
        var tools: [StoredTool] = []
        var places: [ApplicationID: [Name: Int]] = [:]
        let rows = try connection.prepare("\(selection)\(condition) ORDER BY application, position, id")
        if let application { try rows.bind(all: application.text) }
        while try rows.step() {
            guard let tool = try tool(from: rows) else { continue }
            places[tool.application, default: [:]][tool.tool.id] = tools.count
            tools.append(tool)
        }
        let values = try connection.prepare(valueSelection + condition)
        if let application { try values.bind(all: application.text) }
        while try values.step() {
            guard let row = try value(from: values), let place = places[row.application]?[row.tool] else { continue }
            tools[place].values[row.item] = row.value
        }
        return tools
    }

    /// Puts a tool in the place of one of the same id, or after all others. Its values are those that it comes with, over
    /// those of one that was declared just so.
    static func declare(_ stored: StoredTool, in connection: Connection) throws(SQLiteError) {
        let declaration = stored.tool.json.serialized()
        try connection.run(
            """
            DELETE FROM tool_values WHERE application = ?1 AND tool = ?2 AND EXISTS
                (SELECT 1 FROM tools WHERE application = ?1 AND id = ?2 AND declaration != ?3)
            """,
            stored.application.text, stored.tool.id.text, declaration)
        try connection.run(
            """
            INSERT INTO tools (application, id, position, origin, declaration) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (application, id) DO UPDATE SET
                position = excluded.position, origin = excluded.origin, declaration = excluded.declaration
            WHERE (position, origin, declaration) IS NOT (excluded.position, excluded.origin, excluded.declaration)
            """,
            stored.application.text, stored.tool.id.text, stored.position, stored.origin.rawValue, declaration)
        try set(stored.values, of: stored.tool.id, of: stored.application, in: connection)
    }

    /// Removes a tool, if it is there.
    static func remove(_ id: Name, of application: ApplicationID, in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM tools WHERE application = ? AND id = ?", application.text, id.text)
    }

    /// Keeps values of items; one that is kept already is not written.
    static func set(
        _ values: [Name: PreferenceValue], of tool: Name, of application: ApplicationID, in connection: Connection
    ) throws(SQLiteError) {
        for (item, value) in values {
            try connection.run(
                """
                INSERT INTO tool_values (application, tool, item, value) VALUES (?, ?, ?, ?)
                ON CONFLICT (application, tool, item) DO UPDATE SET value = excluded.value
                WHERE value != excluded.value
                """,
                application.text, tool.text, item.text, value.json.serialized())
        }
    }
}
