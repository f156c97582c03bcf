// SPDX-License-Identifier: MIT

/// The steps that lead from an empty database to the schema of today. The list is only ever appended to: a database's
/// `user_version` is the number of steps that it has seen.
public struct Migrations: Sendable {
    /// One step of a schema.
    public struct Step: Sendable {
        /// What the step does, for messages.
        public let name: String

        let body: @Sendable (Connection) throws(SQLiteError) -> Void

        /// A step that runs code in its transaction.
        public init(_ name: String, body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void) {
            self.name = name
            self.body = body
        }

        /// A step that runs SQL.
        public init(_ name: String, sql: String) {
            self.init(name) { connection throws(SQLiteError) in
                try connection.execute(sql)
            }
        }
    }

    /// The steps, oldest first.
    public let steps: [Step]

    /// Migrations of these steps, oldest first.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Version of a database that has seen all steps.
    public var latestVersion: Int {
        steps.count
    }

    /// Brings a database to the latest version, each step in a transaction of its own: what fails leaves the database
    /// at the step before. Does nothing to one that is there already.
    ///
    /// `backUp` is called with the present version before the first step, unless the database is new.
    ///
    /// - Throws: `newerSchema` for a database of a later version than the latest known, which stays as it is; else what
    ///   a step or `backUp` throws.
    public func apply(
        to connection: Connection,
        backUp: (_ connection: Connection, _ version: Int) throws(SQLiteError) -> Void = { (_, _) throws(SQLiteError) in
        }
    ) throws(SQLiteError) {
        let version = try connection.userVersion()
        try check(version, of: connection)
        if version > 0, version < latestVersion {
            try backUp(connection, version)
        }
        for (index, step) in steps.enumerated().dropFirst(version) {
            try apply(step, from: index, to: connection)
        }
    }

    private func apply(_ step: Step, from version: Int, to connection: Connection) throws(SQLiteError) {
        try connection.begin(.immediate)
        do {
            // Another process may have been faster between the look at the version and the lock.
            let present = try connection.userVersion()
            try check(present, of: connection)
            if present == version {
                try step.body(connection)
                try connection.setPragma("user_version", to: Int64(version + 1))
            }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func check(_ version: Int, of connection: Connection) throws(SQLiteError) {
        guard (0...latestVersion).contains(version) else {
            throw SQLiteError(
                code: .newerSchema,
                message: "the database has schema \(version), the latest one known here is \(latestVersion)",
                path: connection.path)
        }
    }
}
