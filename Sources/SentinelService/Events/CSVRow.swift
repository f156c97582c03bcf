// SPDX-License-Identifier: MIT

import SentinelModels

/// One row of comma-separated values (RFC 4180), read byte by byte.
struct CSVRow {
    /// Where in a field the next byte is.
    private enum Place {
        case start
        case plain
        case quoted
        /// After a quotation mark in a quoted field: it ends the field or stands for one.
        case afterQuote
        /// After a carriage return behind that: the line's end follows.
        case afterReturn
    }

    /// More columns than that are no export.
    private static let fieldLimit = 1024
    /// What programs put before the first field of a file, outside its quotation marks (U+FEFF).
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []
    private var place = Place.start
    /// How many bytes the row has so far.
    private(set) var byteCount = 0

    /// Reads a byte.
    ///
    /// - Returns: whether it completes the row.
    /// - Throws: code `invalidArgs` for a quotation mark where none can be.
    mutating func take(_ byte: UInt8) throws(SentinelError) -> Bool {
        byteCount += 1
        switch (place, byte) {
        case (.quoted, UInt8(ascii: "\"")):
            place = .afterQuote
        case (.quoted, _):
            field.append(byte)
        case (.afterReturn, let byte) where byte != UInt8(ascii: "\n"):
            throw SentinelError(.invalidArgs, "a carriage return after a quoted field does not end the line")
        case (_, UInt8(ascii: ",")):
            try endField()
        case (_, UInt8(ascii: "\n")):
            return true
        case (.start, UInt8(ascii: "\"")):
            place = .quoted
        case (.afterQuote, UInt8(ascii: "\"")):
            field.append(byte)
            place = .quoted
        case (.afterQuote, UInt8(ascii: "\r")):
            place = .afterReturn
        case (.afterQuote, _):
            throw SentinelError(.invalidArgs, "a quoted field goes on after its quotation mark")
        case (.plain, UInt8(ascii: "\"")) where fields.isEmpty && field == Self.byteOrderMark:
            field = []
            place = .quoted
        case (.plain, UInt8(ascii: "\"")):
            throw SentinelError(.invalidArgs, "a field has a quotation mark but does not begin with one")
        default:
            field.append(byte)
            place = .plain
        }
        return false
    }

    /// Reads the end of the file.
    ///
    /// - Throws: code `invalidArgs` within a quoted field.
    func end() throws(SentinelError) {
        guard place != .quoted else {
            throw SentinelError(.invalidArgs, "the file ends within a quoted field")
        }
    }

    /// Takes out the fields of the row, none for an empty line, and begins the next.
    ///
    /// - Throws: code `invalidArgs` for what is not UTF-8.
    mutating func takeFields() throws(SentinelError) -> [String] {
        defer {
            fields = []
            byteCount = 0
        }
        if place == .plain, field.last == UInt8(ascii: "\r") {
            field.removeLast()
        }
        if fields.isEmpty, field.isEmpty, place != .afterQuote, place != .afterReturn {
            place = .start
            return []
        }
        try endField()
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw SentinelError(.invalidArgs, "a field is not UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    private mutating func endField() throws(SentinelError) {
        guard fields.count < Self.fieldLimit else {
            throw SentinelError(.invalidArgs, "more than \(Self.fieldLimit) fields in a row")
        }
        fields.append(field)
        field = []
        place = .start
    }
}
