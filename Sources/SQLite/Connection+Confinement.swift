// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Something that a statement is to do, as an authorizer is asked for it while the statement is prepared
    /// (<https://www.sqlite.org/c3ref/c_alter_table.html>).
    public enum Action: Hashable, Sendable {
        /// Selects.
        case select
        /// Uses a common table expression that refers to itself.
        case recursion
        /// Reads a column of a table. Without a column where none of its columns is read; the name may be that of a
        /// common table expression then.
        case read(table: String, column: String?)
        /// Calls a function of SQL.
        case function(String)
        /// Anything else, by its number.
        case other(Int32)
    }

    /// Has `isAllowed` decide what statements may do that are prepared from now on; nil allows everything. What it
    /// refuses fails with `authorization`.
    public func setAuthorizer(_ isAllowed: ((Action) -> Bool)?) throws(SQLiteError) {
        let handle = try usableHandle()
        let authorizer = isAllowed.map(Authorizer.init)
        let context = authorizer.map { Unmanaged.passUnretained($0).toOpaque() }
        let result = sqlite3_set_authorizer(handle, authorizer == nil ? nil : Authorizer.callback, context)
        guard result == SQLITE_OK else {
            throw error(result)
        }
        self.authorizer = authorizer
    }

    /// Has `isOver` be asked while statements run, and end them with `interrupt` once it says so. It is not asked
    /// within a function.
    ///
    /// - Parameter steps: about how many instructions of SQLite's machine run between two questions.
    public func setProgressHandler(every steps: Int = 1000, _ isOver: @escaping () -> Bool) throws(SQLiteError) {
        let handle = try usableHandle()
        let handler = ProgressHandler(isOver)
        sqlite3_progress_handler(
            handle, Int32(clamping: steps), ProgressHandler.callback, Unmanaged.passUnretained(handler).toOpaque())
        progressHandler = handler
    }

    /// Has nothing be asked any more while statements run; on a connection that is closed nothing runs.
    public func removeProgressHandler() {
        if let openHandle {
            sqlite3_progress_handler(openHandle, 0, nil, nil)
        }
        progressHandler = nil
    }

    /// Something of which there is a largest value (<https://www.sqlite.org/c3ref/c_limit_attached.html>).
    public enum Limit: CaseIterable, Sendable {
        /// Bytes of a text, a blob or a row.
        case valueLength
        /// Bytes of a statement.
        case statementLength
        /// Columns of a table, a result, or the terms of a GROUP BY or ORDER BY.
        case columns
        /// Depth of an expression's tree.
        case expressionDepth
        /// Terms of a compound SELECT.
        case compoundTerms
        /// Instructions of a prepared statement.
        case instructions
        /// Arguments of a function.
        case functionArguments
        /// Attached databases.
        case attachedDatabases
        /// Bytes of the pattern of SQLite's own LIKE and GLOB.
        case patternLength
        /// The largest number of a parameter.
        case parameterNumber
        /// Levels of triggers that call each other.
        case triggerDepth
        /// Threads that a statement may start.
        case workerThreads

        var number: Int32 {
            switch self {
            case .valueLength: SQLITE_LIMIT_LENGTH
            case .statementLength: SQLITE_LIMIT_SQL_LENGTH
            case .columns: SQLITE_LIMIT_COLUMN
            case .expressionDepth: SQLITE_LIMIT_EXPR_DEPTH
            case .compoundTerms: SQLITE_LIMIT_COMPOUND_SELECT
            case .instructions: SQLITE_LIMIT_VDBE_OP
            case .functionArguments: SQLITE_LIMIT_FUNCTION_ARG
            case .attachedDatabases: SQLITE_LIMIT_ATTACHED
            case .patternLength: SQLITE_LIMIT_LIKE_PATTERN_LENGTH
            case .parameterNumber: SQLITE_LIMIT_VARIABLE_NUMBER
            case .triggerDepth: SQLITE_LIMIT_TRIGGER_DEPTH
            case .workerThreads: SQLITE_LIMIT_WORKER_THREADS
            }
        }
    }

    /// Lowers or raises a limit, at most to what SQLite was built with.
    ///
    /// - Returns: the limit before.
    @discardableResult
    public func setLimit(_ limit: Limit, to value: Int) throws(SQLiteError) -> Int {
        Int(sqlite3_limit(try usableHandle(), limit.number, Int32(clamping: max(value, 0))))
    }

    /// Refuses what could damage the database file or run code that its schema names
    /// (<https://www.sqlite.org/security.html>).
    public func setDefensive() throws(SQLiteError) {
        try setFlag(SQLITE_DBCONFIG_DEFENSIVE, to: true)
        try setFlag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: false)
    }
}

/// Holds the closure that decides what statements may do.
final class Authorizer {
    private let isAllowed: (Connection.Action) -> Bool

    init(_ isAllowed: @escaping (Connection.Action) -> Bool) {
        self.isAllowed = isAllowed
    }

    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { context, code, first, second, _, _ in
            guard let context else { return SQLITE_DENY }
            let first = first.map { String(cString: $0) } ?? ""
            let second = second.map { String(cString: $0) } ?? ""
            let action: Connection.Action =
                switch code {
                case SQLITE_SELECT: .select
                case SQLITE_RECURSIVE: .recursion
                case SQLITE_READ: .read(table: first, column: second.isEmpty ? nil : second)
                case SQLITE_FUNCTION: .function(second)
                default: .other(code)
                }
            let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
            return authorizer.isAllowed(action) ? SQLITE_OK : SQLITE_DENY
        }
}

/// Holds the closure that ends statements.
final class ProgressHandler {
    private let isOver: () -> Bool

    init(_ isOver: @escaping () -> Bool) {
        self.isOver = isOver
    }

    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        return Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
    }
}
