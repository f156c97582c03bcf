// SPDX-License-Identifier: MIT

import CSQLite

/// A connection to a database.
///
/// It belongs to one queue, or to one thread at a time: SQLite's own locks are off. Whatever throws can throw each code
/// that SQLite reports (``SQLiteError/Code``); only those are named that mean something special.
public final class Connection {
    /// Path of the file, nil where the database is in memory.
    public let path: String?

    /// Ends running statements from other threads.
    public let interrupter: Interrupter

    /// Frames in the write-ahead log after this connection's last commit. Only kept once `stopAutomaticCheckpoints()`
    /// was called.
    public internal(set) var logFrameCount = 0

    /// The write-ahead log that was there when `hasLostLog()` was first asked.
    var log: FileIdentity?

    /// What SQLite calls on behalf of this connection.
    var authorizer: Authorizer?
    var progressHandler: ProgressHandler?

    var openHandle: OpaquePointer?
    /// Where temporary files are made; nil where SQLite chooses.
    private let temporaryFiles: TemporaryFiles?
    /// How long a statement waits for a lock.
    var busyTimeout = Duration.zero
    private var cache: StatementCache

    /// Opens a database, and creates it where it is missing and `options` allow it.
    ///
    /// - Throws: `cannotOpen`, also where a symbolic link is in the file's place (`cannotOpenSymbolicLink`). Whether
    ///   the file is a database shows with the first statement.
    public init(_ location: Location, options: Options = Options()) throws(SQLiteError) {
        let access: Int32 =
            switch options.access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let common = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        temporaryFiles = try options.temporaryDirectory.map { directory throws(SQLiteError) in
            try TemporaryFiles(in: directory, byteLimit: options.temporaryByteLimit)
        }
        let handle: OpaquePointer
        switch location {
        case .memory:
            path = nil
            handle = try Self.open(
                ":memory:", flags: common | SQLITE_OPEN_MEMORY, path: nil, system: temporaryFiles?.name)
        case .file(let file):
            let database = try DatabasePath(file)
            path = database.resolved
            if options.access == .readWriteCreate {
                try database.createFile()
            }
            // A name that begins with a slash is never read as a URI, which builds of SQLite may do by default.
            handle = try Self.open(
                options.isImmutable ? database.immutableURI : database.resolved,
                flags: common | SQLITE_OPEN_NOFOLLOW | (options.isImmutable ? SQLITE_OPEN_URI : 0),
                path: database.resolved, system: temporaryFiles?.name)
        }
        openHandle = handle
        interrupter = Interrupter(handle: handle)
        cache = StatementCache(capacity: options.statementCacheCapacity)
        try setBusyTimeout(options.busyTimeout)
        if !options.checkpointsOnClose {
            try setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: true)
        }
    }

    deinit {
        close()
    }

    /// Sets up the library, once, before its first use.
    static let setUp: Void = {
        // Refused where another part of the process has used it already, which costs nothing but time.
        _ = csqlite_stop_memory_statistics()
        MemoryBudget.setUp()
    }()

    private static func open(
        _ name: String, flags: Int32, path: String?, system: String?
    ) throws(SQLiteError) -> OpaquePointer {
        setUp
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, system)
        guard result == SQLITE_OK, let handle else {
            let failure = SQLiteError(result: result, handle: handle, path: path)
            sqlite3_close_v2(handle)
            throw failure
        }
        return handle
    }

    /// Whether `close()` has not been called.
    public var isOpen: Bool {
        openHandle != nil
    }

    /// Closes the connection; what is used of it afterwards fails with `misuse`. A transaction that is open is rolled
    /// back. Statements that are still held delay the release of the file until they go.
    public func close() {
        guard let handle = openHandle else { return }
        interrupter.invalidate()
        cache.removeAll()
        openHandle = nil
        sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Prepares one statement, or takes it from the cache. Comments may follow it.
    ///
    /// - Throws: `error` for a mistake in it, `misuse` where it is empty or more than one statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        let handle = try usableHandle(for: sql)
        if let cached = cache.take(sql) {
            return Statement(handle: cached, sql: sql, connection: self)
        }
        guard !sql.utf8.contains(0) else {
            throw SQLiteError(code: .misuse, message: "a statement must not hold NUL", sql: sql, path: path)
        }
        var prepared: OpaquePointer?
        var isWhole = false
        var copy = sql
        let result = copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                var rest: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    handle, characters.baseAddress, Int32(clamping: characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared, &rest)
                guard result == SQLITE_OK, let start = characters.baseAddress, let rest else { return result }
                isWhole = Self.isEmpty(UnsafeBufferPointer(rebasing: characters[(rest - start)...]), handle)
                return result
            }
        }
        guard result == SQLITE_OK else {
            throw error(result, sql: sql)
        }
        guard let prepared, isWhole else {
            sqlite3_finalize(prepared)
            throw SQLiteError(code: .misuse, message: "exactly one statement is wanted here", sql: sql, path: path)
        }
        return Statement(handle: prepared, sql: sql, connection: self)
    }

    /// Whether SQL holds no statement: nothing but spaces, comments and semicolons.
    private static func isEmpty(_ sql: UnsafeBufferPointer<CChar>, _ handle: OpaquePointer) -> Bool {
        var sql = sql
        while true {
            while let first = sql.first, [0x20, 0x09, 0x0A, 0x0D, 0x3B].contains(first) {
                sql = UnsafeBufferPointer(rebasing: sql.dropFirst())
            }
            guard let start = sql.baseAddress, !sql.isEmpty else { return true }
            var prepared: OpaquePointer?
            var rest: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v3(handle, start, Int32(clamping: sql.count), 0, &prepared, &rest)
            guard result == SQLITE_OK, prepared == nil, let rest, rest > start else {
                sqlite3_finalize(prepared)
                return false
            }
            sql = UnsafeBufferPointer(rebasing: sql[(rest - start)...])
        }
    }

    /// Runs any number of statements that take no parameters; rows are not read.
    public func execute(_ sql: String) throws(SQLiteError) {
        let handle = try usableHandle(for: sql)
        guard !sql.utf8.contains(0) else {
            throw SQLiteError(code: .misuse, message: "a statement must not hold NUL", sql: sql, path: path)
        }
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw error(result, sql: sql)
        }
    }

    /// Runs one statement with its parameters in order.
    ///
    /// - Returns: how many rows it inserted, changed or deleted.
    @discardableResult
    public func run<each Parameter: StatementValue>(
        _ sql: String, _ parameters: repeat each Parameter
    ) throws(SQLiteError) -> Int {
        let before = totalChangeCount
        let statement = try prepare(sql)
        try statement.bind(all: repeat each parameters)
        try statement.run()
        return totalChangeCount == before ? 0 : changeCount
    }

    /// Runs one query with its parameters in order.
    ///
    /// - Returns: the first column of the first row, nil without a row.
    public func first<Column: StatementValue, each Parameter: StatementValue>(
        _ sql: String, _ parameters: repeat each Parameter, as type: Column.Type = Column.self
    ) throws(SQLiteError) -> Column? {
        let statement = try prepare(sql)
        try statement.bind(all: repeat each parameters)
        guard try statement.step() else { return nil }
        return try statement.column(0)
    }

    // MARK: State

    /// Rows that the last INSERT, UPDATE or DELETE touched, without those of triggers and foreign keys.
    public var changeCount: Int {
        openHandle.map { Int(sqlite3_changes64($0)) } ?? 0
    }

    /// Rows touched since the connection was opened.
    public var totalChangeCount: Int {
        openHandle.map { Int(sqlite3_total_changes64($0)) } ?? 0
    }

    /// Key of the last row inserted into a table with rowids.
    public var lastInsertedRow: Int64 {
        openHandle.map { sqlite3_last_insert_rowid($0) } ?? 0
    }

    /// Failure of the last call, nil where it succeeded.
    public var lastError: SQLiteError? {
        guard let openHandle else { return nil }
        let result = sqlite3_extended_errcode(openHandle)
        return [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(result) ? nil : error(result)
    }

    /// Whether a transaction is open. Some failures, a full disk among them, end it on their own.
    public var isInTransaction: Bool {
        openHandle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }
}

extension Connection {
    func usableHandle(for sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
        guard let openHandle else {
            throw SQLiteError(code: .misuse, message: "the connection is closed", sql: sql, path: path)
        }
        return openHandle
    }

    func error(_ result: Int32, sql: String? = nil) -> SQLiteError {
        SQLiteError(result: result, handle: openHandle, sql: sql, path: path)
    }

    /// Takes back the handle of a statement that is no longer used.
    func recycle(_ statement: OpaquePointer, sql: String) {
        if isOpen {
            cache.put(statement, for: sql)
        } else {
            sqlite3_finalize(statement)
        }
    }
}
