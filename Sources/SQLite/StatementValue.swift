// SPDX-License-Identifier: MIT

import CSQLite

/// A type that can be bound to a parameter and read from a column. Reading is strict: a column of another storage
/// class is a `mismatch`, only `Optional` takes NULL.
public protocol StatementValue {
    /// Binds to the parameter with an index from 1 on.
    func bind(to statement: Statement, at index: Int) throws(SQLiteError)

    /// Reads the column with an index from 0 on of the current row.
    static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Self
}

extension Int64: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        try statement.check(sqlite3_bind_int64(statement.handle, Statement.position(index), self))
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Int64 {
        try statement.expect(.integer, at: index)
        return sqlite3_column_int64(statement.handle, Int32(index))
    }
}

extension Int: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        try Int64(self).bind(to: statement, at: index)
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Int {
        let value = try Int64.column(index, of: statement)
        guard let value = Int(exactly: value) else {
            throw statement.error(.mismatch, "column \(index) holds an integer wider than this machine's")
        }
        return value
    }
}

extension Double: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        // SQLite has no NaN and would store NULL.
        guard !isNaN else {
            throw statement.error(.mismatch, "a number that is bound must not be NaN")
        }
        try statement.check(sqlite3_bind_double(statement.handle, Statement.position(index), self))
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Double {
        try statement.expect(.real, at: index)
        return sqlite3_column_double(statement.handle, Int32(index))
    }
}

extension String: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        var copy = self
        let result = copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    statement.handle, Statement.position(index), characters.baseAddress ?? Statement.empty,
                    UInt64(characters.count), Statement.copied, UInt8(SQLITE_UTF8))
            }
        }
        try statement.check(result)
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> String {
        try statement.expect(.text, at: index)
        // The text first, its length afterwards: asking for the text may convert it.
        guard let start = sqlite3_column_text(statement.handle, Int32(index)) else {
            throw statement.error(.noMemory, "no memory for the text of column \(index)")
        }
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(index)))
        guard let text = String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) else {
            throw statement.error(.mismatch, "column \(index) holds text that is not UTF-8")
        }
        return text
    }
}

extension Array: StatementValue where Element == UInt8 {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        let result = withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                statement.handle, Statement.position(index), bytes.baseAddress ?? UnsafeRawPointer(Statement.empty),
                UInt64(bytes.count), Statement.copied)
        }
        try statement.check(result)
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> [UInt8] {
        try statement.expect(.blob, at: index)
        let start = sqlite3_column_blob(statement.handle, Int32(index))
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(index)))
        guard count > 0 else { return [] }
        guard let start else {
            throw statement.error(.noMemory, "no memory for the bytes of column \(index)")
        }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension Optional: StatementValue where Wrapped: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        switch self {
        case .some(let value): try value.bind(to: statement, at: index)
        case .none: try statement.bindNull(at: index)
        }
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Wrapped? {
        guard try statement.storageClass(at: index) != .null else { return nil }
        return try Wrapped.column(index, of: statement)
    }
}
