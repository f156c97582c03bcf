// SPDX-License-Identifier: MIT

import SQLite
public import SentinelModels

/// Holds what a store derives from its events against them, and makes it anew.
public enum StoreAudit {
    /// Says what is wrong in the database in a directory; nothing where all is right. Takes time in proportion to the
    /// number of events. Another process may use the database meanwhile; as all is read in one transaction, its log
    /// grows until that ends, and deletion in it fails with `timeout` though it deletes.
    ///
    /// - Throws: `unavailable` where there is no database, or one of another schema; `storageDamaged`.
    public static func check(directory: String) throws(SentinelError) -> [String] {
        try attempt {
            let connection = try Connection(
                .file(try database(in: directory)), options: .init(access: .readOnly, checkpointsOnClose: false))
            try checkSchema(connection)
            return try connection.transaction(.deferred) {
                let damage = try connection.quickCheck()
                return damage.isEmpty ? try findings(in: connection) : damage
            }
        }
    }

    /// Makes anew what is derived from the events, for a database that nobody has open: rollups, numbers of uses of
    /// names, ids that were given. An event whose data cannot be read stays: the service leaves it behind as it
    /// salvages the others, once it meets it.
    ///
    /// - Returns: what was wrong.
    /// - Throws: `unavailable` where there is no database, one of another schema, or one that another process has open;
    ///   `storageDamaged` for one whose structure is damaged, which the service salvages when it starts.
    public static func rebuild(directory: String) throws(SentinelError) -> [String] {
        try attempt {
            let connection = try Connection(
                .file(try database(in: directory)), options: .init(access: .readWrite, busyTimeout: .zero))
            do {
                // Nobody else may remember what changes.
                try connection.setPragma("locking_mode", to: "exclusive")
                try connection.setPragma("synchronous", to: "full")
                try connection.setPragma("secure_delete", to: 1)
                try connection.setPragma("temp_store", to: "memory")
                return try connection.transaction(.exclusive) {
                    try checkSchema(connection)
                    if let damage = try connection.quickCheck(limit: 1).first {
                        throw SQLiteError(code: .corrupt, message: damage)
                    }
                    let findings = try findings(in: connection)
                    try StoreMending.mend(connection)
                    return findings
                }
            } catch let error as SQLiteError where error.code == .busy {
                throw SentinelError(.unavailable, "a service has the database open, stop it first", underlying: error)
            }
        }
    }

    /// What is wrong in the events' data, and in the tables that are derived from the events.
    static func findings(in connection: Connection) throws -> [String] {
        var given: Int64 = 0
        var findings: [String] = []
        let uses = try NameUses(in: connection, columns: EventDecoder.columns) { row, statement in
            if findings.count < 100, try !EventDecoder.hasReadableData(statement) {
                findings.append("the data of the event \(row.id) cannot be read")
            }
            if let id = row.givenID {
                given += 1
                let isRight = try connection.first(
                    "SELECT key = ? FROM given_ids WHERE id = ?", row.key, id, as: Int64.self)
                if isRight != 1, findings.count < 100 {
                    findings.append("the event \(id.id) cannot be found by its id")
                }
            }
        }
        let known = try connection.first("SELECT count(*) FROM given_ids", as: Int64.self) ?? 0
        if known > given {
            findings.append("\(known) ids are kept for \(given) events that were given one")
        }
        for table in NameTable.allCases {
            findings += try compare(uses.numbers(in: table), table, in: connection)
        }
        return findings + (try RollupAudit.findings(in: connection))
    }

    private static func compare(
        _ expected: [Int64: Int64], _ table: NameTable, in connection: Connection
    ) throws(SQLiteError) -> [String] {
        var missing = expected
        var findings: [String] = []
        let rows = try connection.prepare("SELECT id, uses FROM \(table.table)")
        while try rows.step() {
            let (number, uses): (Int64, Int64) = (try rows.column(0), try rows.column(1))
            let right = missing.removeValue(forKey: number) ?? 0
            if uses != right || right == 0 {
                findings.append("\(table.table): number \(number) has \(uses) events, \(right) is right")
            }
        }
        for (number, count) in missing.sorted(by: { $0.key < $1.key }) {
            findings.append("\(table.table): number \(number) has no name, and \(count) events")
        }
        return findings
    }

    private static func database(in directory: String) throws(SentinelError) -> String {
        let database = StoreFiles(directory: directory).database
        guard try StoreFiles.hasContent(database) else {
            throw SentinelError(.unavailable, "there is no database in \(directory)")
        }
        return database
    }

    private static func checkSchema(_ connection: Connection) throws {
        let version = try connection.userVersion()
        guard version == Schema.migrations.latestVersion else {
            throw SentinelError(
                .unavailable,
                "the database has schema \(version), this version of Sentinel works with "
                    + "\(Schema.migrations.latestVersion): start the service once to update it")
        }
        try Schema.check(connection)
    }

    private static func attempt<Value>(_ body: () throws -> Value) throws(SentinelError) -> Value {
        do {
            return try body()
        } catch {
            throw SentinelError(storage: error)
        }
    }
}
