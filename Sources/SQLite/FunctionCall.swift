// SPDX-License-Identifier: MIT

import CSQLite

/// A call of a function that was added to a connection. Valid while the function runs.
public struct FunctionCall {
    let context: OpaquePointer?
    private let count: Int32
    private let arguments: UnsafeMutablePointer<OpaquePointer?>?

    init(context: OpaquePointer?, count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.count = count
        self.arguments = arguments
    }

    /// Number of its arguments.
    public var argumentCount: Int {
        Int(count)
    }

    /// Storage class of the argument with an index from 0 on; null for one that there is not.
    public func storageClass(at index: Int) -> Statement.StorageClass {
        guard let argument = argument(index) else { return .null }
        return switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// Gives `body` the bytes of the argument with an index from 0 on: of a blob as they are, of anything else as text in
    /// UTF-8. None for NULL.
    public func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard let argument = argument(index) else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // The pointer first, the length afterwards: asking for the text may convert it.
        let start =
            sqlite3_value_type(argument) == SQLITE_BLOB
            ? sqlite3_value_blob(argument) : sqlite3_value_text(argument).map { UnsafeRawPointer($0) }
        let count = start == nil ? 0 : Int(sqlite3_value_bytes(argument))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    // MARK: Results

    /// Gives an integer back.
    public func give(_ value: Int64) {
        sqlite3_result_int64(context, value)
    }

    /// Gives text in UTF-8 back.
    public func give(text bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            sqlite3_result_text64(
                context, characters.baseAddress ?? Statement.empty, UInt64(characters.count), Statement.copied,
                UInt8(SQLITE_UTF8))
        }
    }

    /// Gives the argument with an index from 0 on back.
    public func give(argument index: Int) {
        if let argument = argument(index) {
            sqlite3_result_value(context, argument)
        }
    }

    /// Has the statement fail because the result would be longer than the limit.
    public func failTooBig() {
        sqlite3_result_error_toobig(context)
    }

    /// Has the statement fail with a message.
    public func fail(_ message: String) {
        sqlite3_result_error(context, message, -1)
    }

    /// How long a text or blob may be.
    public var longestValue: Int {
        guard let handle = sqlite3_context_db_handle(context) else { return 0 }
        return Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1))
    }

    private func argument(_ index: Int) -> OpaquePointer? {
        guard index >= 0, index < Int(count), let arguments else { return nil }
        return arguments[index]
    }
}

extension Connection {
    /// Adds a function to SQL, in place of one of the same name and number of arguments.
    ///
    /// - Parameters:
    ///   - argumentCount: how many arguments it takes; -1 for any number.
    ///   - isDeterministic: whether it always gives the same for the same arguments, so that it need not be called again.
    ///   - body: gives its result to the call, which is NULL where it gives none.
    public func addFunction(
        _ name: String, argumentCount: Int, isDeterministic: Bool = true, _ body: @escaping (FunctionCall) -> Void
    ) throws(SQLiteError) {
        let handle = try usableHandle()
        let function = Unmanaged.passRetained(Function(body))
        // Released by SQLite, also where this fails.
        let result = sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount),
            SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0), function.toOpaque(),
            { context, count, arguments in
                guard let data = sqlite3_user_data(context) else { return }
                let function = Unmanaged<Function>.fromOpaque(data).takeUnretainedValue()
                function.body(FunctionCall(context: context, count: count, arguments: arguments))
            }, nil, nil,
            { data in
                if let data {
                    Unmanaged<Function>.fromOpaque(data).release()
                }
            })
        guard result == SQLITE_OK else {
            throw error(result)
        }
    }
}

/// Holds the closure of a function.
private final class Function {
    let body: (FunctionCall) -> Void

    init(_ body: @escaping (FunctionCall) -> Void) {
        self.body = body
    }
}
