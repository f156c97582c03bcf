// SPDX-License-Identifier: MIT

import SQLite

/// The database's schema. Steps are only ever appended.
enum Schema {
    /// Size past which the log is begun anew; a log that was longer is cut to it.
    static let logByteLimit = 16 << 20

    static let pageSize = 4096

    /// A page and its header in the log.
    static let logFrameSize = pageSize + 24

    static let migrations = Migrations([
        Migrations.Step(
            "applications",
            sql: """
                PRAGMA application_id = 0x536E746C;  -- "Sntl"
                CREATE TABLE applications (
                    id TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    icon TEXT NOT NULL,
                    version TEXT NOT NULL,
                    build TEXT NOT NULL,
                    first_seen INTEGER NOT NULL,
                    last_seen INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        Migrations.Step("events", sql: EventSchema.sql + "\n" + RollupSchema.sql),
        Migrations.Step("preferences", sql: PreferenceSchema.sql),
        Migrations.Step("tools", sql: ToolTable.sql),
        Migrations.Step("triggers", sql: TriggerTable.sql),
    ])

    /// Sets up a connection that writes, and makes the schema where the database is new.
    static func prepare(
        _ connection: Connection, backUp: (Connection, Int) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let tables = try connection.first("SELECT count(*) FROM sqlite_schema", as: Int.self) ?? 0
        let version = try connection.userVersion()
        if tables > 0, version == 0 {
            throw SQLiteError(code: .notADatabase, message: "it is not a database of Sentinel", path: connection.path)
        }
        let isNew = tables == 0 && version == 0
        if isNew {
            // There is nothing to lose yet: one checkpoint at the end syncs what a dozen small ones would.
            try connection.setPragma("synchronous", to: "off")
            // Can't be changed later, and on a database that has it, SQLite would write it each time.
            try connection.setPragma("page_size", to: Int64(pageSize))
            try connection.setPragma("auto_vacuum", to: "incremental")
        }
        if connection.path != nil {
            guard try connection.setPragma("journal_mode", to: "wal") == .text("wal") else {
                throw SQLiteError(
                    code: .cannotOpen, message: "no write-ahead log is possible here", path: connection.path)
            }
            try connection.stopAutomaticCheckpoints()
            try connection.setPragma("journal_size_limit", to: Int64(logByteLimit))
        }
        if !isNew {
            try connection.setPragma("synchronous", to: "full")
        }
        try connection.setPragma("foreign_keys", to: 1)
        try connection.setPragma("secure_delete", to: 1)
        try connection.setPragma("cell_size_check", to: 1)
        try connection.setPragma("trusted_schema", to: 0)
        // What is sorted or may be taken back must not get into files elsewhere, where nobody would delete it.
        try connection.setPragma("temp_store", to: "memory")
        try migrations.apply(to: connection, backUp: backUp)
        if isNew {
            try connection.setPragma("synchronous", to: "full")
            // The log that made the tables is longer than most that follow.
            try connection.checkpoint(.truncate)
        }
        try check(connection)
    }

    /// Makes sure that the tables are there in the form in which they are used.
    static func check(_ connection: Connection) throws(SQLiteError) {
        do throws(SQLiteError) {
            let selections =
                EventSchema.selections + RollupSchema.selections + PreferenceSchema.selections + ToolTable.selections
            for selection in [ApplicationTable.selection, TriggerTable.selection] + selections {
                _ = try connection.prepare(selection)
            }
        } catch let error where error.code == .error {
            throw SQLiteError(code: .corrupt, message: error.message, sql: error.sql, path: error.path)
        }
    }
}
