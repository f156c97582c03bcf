// SPDX-License-Identifier: MIT

import SentinelModels

/// Reads events out of the bytes of a file, as they come.
///
/// Lines may end with LF or CRLF; empty ones are skipped.
struct EventFileReader {
    /// The longest that a line of a file, or a row of it, may be: the largest event has less.
    static let recordLimit = 1 << 20

    private let format: EventFormat
    private var line: [UInt8] = []
    private var row = CSVRow()
    private var columns: EventColumns?
    /// The line that is being read, and the one at which the record begins that is.
    private var currentLine: UInt64 = 1
    private var recordLine: UInt64 = 1

    init(_ format: EventFormat) {
        self.format = format
    }

    /// Reads more of the file.
    ///
    /// - Parameter body: called with each event that is complete.
    /// - Throws: code `invalidArgs` that names the line, or what `body` throws.
    mutating func read(_ bytes: some Collection<UInt8>, _ body: (Event) throws -> Void) throws {
        for byte in bytes {
            let isComplete: Bool
            switch format {
            case .jsonLines: isComplete = takeLineByte(byte)
            case .csv: isComplete = try located { (reader) throws(SentinelError) in try reader.row.take(byte) }
            }
            if byte == UInt8(ascii: "\n") {
                currentLine += 1
            }
            if isComplete {
                try finishRecord(body)
            }
            guard line.count <= Self.recordLimit, row.byteCount <= Self.recordLimit else {
                throw failure("longer than \(Self.recordLimit) bytes")
            }
        }
    }

    /// Reads the end of the file, where the last line's end may be missing.
    ///
    /// - Throws: as ``read(_:_:)``.
    mutating func finish(_ body: (Event) throws -> Void) throws {
        if format == .csv {
            try located { (reader) throws(SentinelError) in try reader.row.end() }
        }
        try finishRecord(body)
        if format == .csv, columns == nil {
            throw failure("the names of the columns are missing")
        }
    }

    private mutating func takeLineByte(_ byte: UInt8) -> Bool {
        guard byte != UInt8(ascii: "\n") else { return true }
        line.append(byte)
        return false
    }

    private mutating func finishRecord(_ body: (Event) throws -> Void) throws {
        let event = try located { (reader) throws(SentinelError) in
            switch reader.format {
            case .jsonLines: try reader.finishLine()
            case .csv: try reader.finishRow()
            }
        }
        if let event {
            try body(event)
        }
        recordLine = currentLine
    }

    private mutating func finishLine() throws(SentinelError) -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if line.last == UInt8(ascii: "\r") {
            line.removeLast()
        }
        guard !line.isEmpty else { return nil }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: line)
        } catch {
            throw SentinelError(.invalidArgs, error.reason, underlying: error)
        }
        return try EventFields(value).event()
    }

    private mutating func finishRow() throws(SentinelError) -> Event? {
        let fields = try row.takeFields()
        guard !fields.isEmpty else { return nil }
        if let columns {
            return try columns.fields(of: fields).event()
        }
        columns = try EventColumns(fields)
        return nil
    }

    /// Names the line in what goes wrong.
    private mutating func located<Result>(
        _ body: (inout EventFileReader) throws(SentinelError) -> Result
    ) throws(SentinelError) -> Result {
        do throws(SentinelError) {
            return try body(&self)
        } catch {
            throw failure(error.message)
        }
    }

    private func failure(_ message: String) -> SentinelError {
        SentinelError(.invalidArgs, "line \(recordLine): \(message)")
    }
}
