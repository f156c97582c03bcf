// SPDX-License-Identifier: MIT

import CSQLite

/// A prepared statement. It belongs to the queue of its connection, keeps the connection alive, and goes back to the
/// connection's cache when its last reference goes.
public final class Statement {
    /// Storage class of a column's value (<https://www.sqlite.org/datatype3.html>).
    public enum StorageClass: Sendable {
        case null, integer, real, text, blob
    }

    /// The text it was prepared from.
    public let sql: String

    let handle: OpaquePointer
    let connection: Connection

    init(handle: OpaquePointer, sql: String, connection: Connection) {
        self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit {
        connection.recycle(handle, sql: sql)
    }

    /// Number of columns of its rows, 0 where it gives none.
    public var columnCount: Int {
        Int(sqlite3_column_count(handle))
    }

    /// Names of its columns, in order.
    public var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    /// Number of its parameters.
    public var parameterCount: Int {
        Int(sqlite3_bind_parameter_count(handle))
    }

    /// Names of its parameters in order, each with its prefix (`:id`); nil for one that has a position alone.
    public var parameterNames: [String?] {
        (0..<sqlite3_bind_parameter_count(handle)).map { index in
            sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
        }
    }

    /// Whether it leaves the database as it is.
    public var isReadOnly: Bool {
        sqlite3_stmt_readonly(handle) != 0
    }

    // MARK: Parameters

    /// Binds a value to the parameter with an index from 1 on. The value is copied.
    ///
    /// - Throws: `range` where there is no such parameter, `misuse` between the first step and a reset.
    public func bind(_ value: some StatementValue, at index: Int) throws(SQLiteError) {
        try value.bind(to: self, at: index)
    }

    /// Binds a value to a named parameter; the name has its prefix (`:id`).
    public func bind(_ value: some StatementValue, to name: String) throws(SQLiteError) {
        let index = Int(sqlite3_bind_parameter_index(handle, name))
        guard index > 0 else {
            throw error(.range, "no parameter \(name)")
        }
        try value.bind(to: self, at: index)
    }

    /// Binds NULL to the parameter with an index from 1 on.
    public func bindNull(at index: Int) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, Self.position(index)))
    }

    /// Binds a blob of 16 bytes, given as two integers whose highest bytes come first, without an array for it.
    public func bind(sixteenBytes high: UInt64, _ low: UInt64, at index: Int) throws(SQLiteError) {
        let result = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            sqlite3_bind_blob64(handle, Self.position(index), bytes.baseAddress, UInt64(bytes.count), Self.copied)
        }
        try check(result)
    }

    /// Binds all parameters in order, as many as there are.
    ///
    /// - Throws: `range` where the numbers differ.
    public func bind<each Parameter: StatementValue>(all parameters: repeat each Parameter) throws(SQLiteError) {
        var index = 0
        for parameter in repeat each parameters {
            index += 1
            try parameter.bind(to: self, at: index)
        }
        guard index == parameterCount else {
            throw error(.range, "\(index) values for \(parameterCount) parameters")
        }
    }

    // MARK: Rows

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one. After the last row, reset before the next step.
    public func step() throws(SQLiteError) -> Bool {
        guard connection.isOpen else {
            throw error(.misuse, "the connection is closed")
        }
        let result = sqlite3_step(handle)
        switch result {
        case SQLITE_ROW:
            return true
        case SQLITE_DONE:
            return false
        default:
            let failure = connection.error(result, sql: sql)
            // Ends the statement, so that it holds no lock; the result repeats the step's.
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Goes through all rows without reading them, then resets.
    public func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Makes it ready to run again; bindings stay.
    public func reset() {
        // The result repeats that of the last step, which its caller has had.
        sqlite3_reset(handle)
    }

    /// Reads the column with an index from 0 on of the current row.
    ///
    /// - Throws: `range` without a row or such a column, `mismatch` where the value has another type.
    public func column<Column: StatementValue>(
        _ index: Int, as type: Column.Type = Column.self
    ) throws(SQLiteError) -> Column {
        try Column.column(index, of: self)
    }

    /// Reads the bytes of a text, which need not be UTF-8, from the column with an index from 0 on.
    ///
    /// - Throws: `range` without a row or such a column, `mismatch` where the value is something else.
    public func textBytes(at index: Int) throws(SQLiteError) -> [UInt8] {
        try expect(.text, at: index)
        guard let start = sqlite3_column_text(handle, Int32(index)) else {
            throw error(.noMemory, "no memory for the text of column \(index)")
        }
        let count = Int(sqlite3_column_bytes(handle, Int32(index)))
        return [UInt8](UnsafeBufferPointer(start: start, count: count))
    }

    /// Reads a blob of 16 bytes from the column with an index from 0 on, as two integers whose highest bytes come
    /// first.
    ///
    /// - Throws: `range` without a row or such a column, `mismatch` where the value is something else.
    public func sixteenBytes(at index: Int) throws(SQLiteError) -> (high: UInt64, low: UInt64) {
        try expect(.blob, at: index)
        let start = sqlite3_column_blob(handle, Int32(index))
        guard let start, sqlite3_column_bytes(handle, Int32(index)) == 16 else {
            throw error(.mismatch, "column \(index) does not hold 16 bytes")
        }
        return (
            UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Storage class of the value in the column with an index from 0 on of the current row.
    public func storageClass(at index: Int) throws(SQLiteError) -> StorageClass {
        let count = Int(sqlite3_data_count(handle))
        guard index >= 0, index < count else {
            throw error(.range, count == 0 ? "no current row" : "no column \(index) in a row of \(count)")
        }
        return switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }
}

extension Statement {
    /// `SQLITE_TRANSIENT`, which the header makes with a cast: SQLite copies what is bound.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Where an empty text or blob begins: a null pointer would bind NULL.
    nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()

    /// An index as SQLite takes it. One that does not fit is one that does not exist: 0 is refused as out of range.
    static func position(_ index: Int) -> Int32 {
        Int32(exactly: index) ?? 0
    }

    func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else {
            throw connection.error(result, sql: sql)
        }
    }

    func expect(_ expected: StorageClass, at index: Int) throws(SQLiteError) {
        let found = try storageClass(at: index)
        guard found == expected else {
            throw error(.mismatch, "column \(index) holds \(found), not \(expected)")
        }
    }

    func error(_ code: SQLiteError.Code, _ message: String) -> SQLiteError {
        SQLiteError(code: code, message: message, sql: sql, path: connection.path)
    }
}
