// SPDX-License-Identifier: MIT

import SQLite

/// A value that an ad-hoc query is given or gives; it has none for NULL.
public enum QueryValue: Hashable, Sendable {
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// Text. As an answer it holds no NUL.
    case text(String)
    /// Bytes. As an answer also text that is not UTF-8 or holds a NUL.
    case bytes([UInt8])
    /// A truth value; only given: to SQL it is 1 or 0.
    case boolean(Bool)
}

/// What an ad-hoc query has found.
public struct QueryRows: Equatable, Sendable {
    /// Names of the columns, no two the same.
    public var columns: [String]
    /// Rows, each with a value for each column; nil for NULL.
    public var rows: [[QueryValue?]]

    /// Rows of columns.
    public init(columns: [String], rows: [[QueryValue?]]) {
        self.columns = columns
        self.rows = rows
    }
}

/// What an ad-hoc query asks for.
package struct QueryRequest: Sendable {
    /// The values of a statement's parameters.
    package enum Parameters: Sendable {
        /// By position.
        case list([QueryValue])
        /// By name, without the colon before it.
        case named([String: QueryValue])
    }

    /// The statement.
    package var sql: String
    /// Values of its parameters, all of them.
    package var parameters: Parameters
    /// How many rows there are at most.
    package var limit: Int
    /// About how many bytes they take on the bus at most.
    package var byteLimit = 4 << 20
    /// How long it may take.
    package var duration = Duration.seconds(5)

    /// A request with these values.
    package init(_ sql: String, _ parameters: Parameters, limit: Int) {
        self.sql = sql
        self.parameters = parameters
        self.limit = limit
    }
}

extension QueryValue {
    /// Reads the column with an index from 0 on of the current row; nil for NULL.
    static func column(_ index: Int, of row: Statement) throws(SQLiteError) -> QueryValue? {
        switch try row.storageClass(at: index) {
        case .null: return nil
        case .integer: return .integer(try row.column(index))
        case .real: return .double(try row.column(index))
        case .blob: return .bytes(try row.column(index))
        case .text:
            let bytes = try row.textBytes(at: index)
            guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return .bytes(bytes) }
            return .text(text)
        }
    }

    /// Binds it to the parameter with an index from 1 on.
    func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        switch self {
        case .integer(let value): try statement.bind(value, at: index)
        case .double(let value): try statement.bind(value, at: index)
        case .text(let value): try statement.bind(value, at: index)
        case .bytes(let value): try statement.bind(value, at: index)
        case .boolean(let value): try statement.bind(Int64(value ? 1 : 0), at: index)
        }
    }

    /// About how many bytes it takes on the bus.
    var byteCount: Int {
        switch self {
        case .integer, .double, .boolean: 16
        case .text(let text): 16 + text.utf8.count
        case .bytes(let bytes): 16 + bytes.count
        }
    }
}
