// SPDX-License-Identifier: MIT

import CSQLite

/// A failure that SQLite, or this binding on its behalf, reports.
public struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// Kind of failure: the primary result code. Compare this one.
    public let code: Code

    /// The same failure as finely as SQLite tells it, equal to `code` where it tells no more.
    public let extendedCode: Code

    /// What was wrong, without values that were bound.
    public let message: String

    /// Text of the statement that failed, with its placeholders.
    public let sql: String?

    /// Path of the database, nil where it is in memory.
    public let path: String?

    /// `errno(3)` of the system call that failed, 0 where none did.
    public let systemErrorNumber: Int32

    /// An error with a code, primary or extended.
    public init(
        code: Code, message: String, sql: String? = nil, path: String? = nil, systemErrorNumber: Int32 = 0
    ) {
        self.code = code.primary
        self.extendedCode = code
        self.message = message
        self.sql = sql
        self.path = path
        self.systemErrorNumber = systemErrorNumber
    }

    /// Message, code, path and statement in one line, for logs.
    public var description: String {
        var text = "\(message) (SQLite \(extendedCode.rawValue))"
        if let path {
            text += " in \(path)"
        }
        if let sql {
            text += ": \(sql)"
        }
        return text
    }
}

extension SQLiteError {
    /// The failure of the last call on a connection's handle; nil where opening gave none.
    init(result: Int32, handle: OpaquePointer?, sql: String? = nil, path: String? = nil) {
        let message: String
        // The handle's message belongs to its last call. After a call that does not set it, the code's own text is
        // right.
        if let handle, sqlite3_extended_errcode(handle) == result, let text = sqlite3_errmsg(handle) {
            message = String(cString: text)
        } else if let text = sqlite3_errstr(result) {
            message = String(cString: text)
        } else {
            message = "unknown error"
        }
        var systemErrorNumber: Int32 = 0
        if let handle, [.ioError, .cannotOpen].contains(Code(rawValue: result).primary) {
            systemErrorNumber = sqlite3_system_errno(handle)
        }
        self.init(
            code: Code(rawValue: result), message: message, sql: sql, path: path, systemErrorNumber: systemErrorNumber
        )
    }
}
