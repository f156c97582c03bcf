// SPDX-License-Identifier: MIT

/// A value in one of SQLite's storage classes, for where its type is not known beforehand.
public enum Value: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Value: StatementValue {
    public func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        switch self {
        case .null: try statement.bindNull(at: index)
        case .integer(let value): try statement.bind(value, at: index)
        case .real(let value): try statement.bind(value, at: index)
        case .text(let value): try statement.bind(value, at: index)
        case .blob(let value): try statement.bind(value, at: index)
        }
    }

    public static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> Value {
        switch try statement.storageClass(at: index) {
        case .null: .null
        case .integer: .integer(try statement.column(index))
        case .real: .real(try statement.column(index))
        case .text: .text(try statement.column(index))
        case .blob: .blob(try statement.column(index))
        }
    }
}
