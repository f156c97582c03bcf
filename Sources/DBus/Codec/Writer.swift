// SPDX-License-Identifier: MIT

import CDBus
import Glibc

/// Appends values to a message in order.
///
/// What libdbus would abort the process for, and what a peer would cut the connection for, is an error here: text with
/// a NUL, empty structures, nesting below 64 containers, arrays past 64 MiB, messages past 128 MiB (D-Bus
/// Specification, "Message Protocol"). A message whose writing failed must not be sent.
public struct Writer {
    private static let deepest = 64
    private static let longestArray = 64 << 20
    private static let longestMessage = 128 << 20
    /// Room that the length limit leaves for the header.
    static let headerAllowance = 1 << 20

    private var iterator: DBusMessageIter
    private var depth: Int
    /// The length of the body so far as it will travel, padding included.
    private var offset: Int

    /// Appends to the body of a message that has none yet.
    init(_ message: OpaquePointer) {
        iterator = DBusMessageIter()
        depth = 0
        offset = 0
        dbus_message_iter_init_append(message, &iterator)
    }

    /// Appends a value.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` for what cannot travel, `limitsExceeded` for what is too large.
    public mutating func write(_ value: some WireCodable) throws(DBusError) {
        try value.write(to: &self)
    }

    /// Appends a structure: `body` writes its fields, at least one.
    ///
    /// - Throws: ``DBusError`` with code `limitsExceeded` if it is nested too deeply; else what `body` throws.
    public mutating func structure(_ body: (inout Writer) throws(DBusError) -> Void) throws(DBusError) {
        try container(CDBUS_TYPE_STRUCT, contents: nil, alignment: 8, body)
    }

    /// Appends a variant of the given type: `body` writes what is in it.
    mutating func variant(of type: String, _ body: (inout Writer) throws(DBusError) -> Void) throws(DBusError) {
        if type.utf8.count > 1 {
            // A type that a value has made up can be too long or too deep.
            _ = try ValueType(type)
        }
        try advance(type.utf8.count + 2, alignment: 1)
        try container(CDBUS_TYPE_VARIANT, contents: type, alignment: 1, body)
    }

    /// Appends a value as a variant.
    mutating func variant(_ value: some WireCodable) throws(DBusError) {
        try variant(of: Swift.type(of: value).wireType) { (writer) throws(DBusError) in
            try value.write(to: &writer)
        }
    }

    /// Appends an array with elements of the given type: `body` writes them.
    mutating func array(of type: String, _ body: (inout Writer) throws(DBusError) -> Void) throws(DBusError) {
        try advance(4, alignment: 4)
        align(Self.alignment(of: type))
        let start = offset
        try container(CDBUS_TYPE_ARRAY, contents: type, alignment: 1, body)
        guard offset - start <= Self.longestArray else {
            throw DBusError(.limitsExceeded, "an array is longer than 64 MiB")
        }
    }

    /// Appends an entry to the dictionary that is open: `body` writes its key and its value.
    mutating func entry(_ body: (inout Writer) throws(DBusError) -> Void) throws(DBusError) {
        try container(CDBUS_TYPE_DICT_ENTRY, contents: nil, alignment: 8, body)
    }

    /// Appends an array of bytes at once.
    mutating func bytes(_ bytes: [UInt8]) throws(DBusError) {
        guard bytes.count <= Self.longestArray else {
            throw DBusError(.limitsExceeded, "an array is longer than 64 MiB")
        }
        try array(of: "y") { (writer) throws(DBusError) in
            try writer.advance(bytes.count, alignment: 1)
            let appended = bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                // libdbus wants an address also for no bytes.
                guard start != nil else { return dbus_bool_t(1) }
                return dbus_message_iter_append_fixed_array(
                    &writer.iterator, Int32(CDBUS_TYPE_BYTE), &start, Int32(buffer.count))
            }
            guard appended != 0 else { throw DBusError.outOfMemory }
        }
    }

    /// Appends a value of fixed size.
    mutating func fixed<Storage: BitwiseCopyable>(_ code: Int, _ value: Storage) throws(DBusError) {
        try advance(MemoryLayout<Storage>.size, alignment: MemoryLayout<Storage>.size)
        let appended = withUnsafeBytes(of: value) {
            dbus_message_iter_append_basic(&iterator, Int32(code), $0.baseAddress)
        }
        guard appended != 0 else { throw DBusError.outOfMemory }
    }

    /// Appends a text, path or signature that is known to be valid but for NULs.
    mutating func text(_ code: Int, _ text: String) throws(DBusError) {
        let count = text.utf8.count
        if code == CDBUS_TYPE_SIGNATURE {
            try advance(count + 2, alignment: 1)
        } else {
            try advance(4, alignment: 4)
            try advance(count + 1, alignment: 1)
        }
        let appended: dbus_bool_t? = text.withCString { start in
            guard strlen(start) == count else { return nil }
            var start: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(&iterator, Int32(code), &start)
        }
        guard let appended else { throw DBusError(.invalidArgs, "text must not contain the character NUL") }
        guard appended != 0 else { throw DBusError.outOfMemory }
    }

    private mutating func container(
        _ code: Int, contents: String?, alignment: Int, _ body: (inout Writer) throws(DBusError) -> Void
    ) throws(DBusError) {
        guard depth < Self.deepest else {
            throw DBusError(.limitsExceeded, "values are nested deeper than \(Self.deepest)")
        }
        align(alignment)
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, Int32(code), contents, &inner) != 0 else {
            throw DBusError.outOfMemory
        }
        var writer = self
        writer.iterator = inner
        writer.depth += 1
        do {
            try body(&writer)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &writer.iterator)
            throw error
        }
        offset = writer.offset
        guard dbus_message_iter_close_container(&iterator, &writer.iterator) != 0 else {
            throw DBusError.outOfMemory
        }
    }

    private mutating func align(_ alignment: Int) {
        offset = (offset + alignment - 1) / alignment * alignment
    }

    private mutating func advance(_ count: Int, alignment: Int) throws(DBusError) {
        align(alignment)
        let (sum, overflow) = offset.addingReportingOverflow(count)
        guard !overflow, sum <= Self.longestMessage - Self.headerAllowance else {
            throw DBusError(.limitsExceeded, "a message is longer than 127 MiB")
        }
        offset = sum
    }

    /// The alignment of a type (D-Bus Specification, "Summary of D-Bus marshalling").
    private static func alignment(of type: String) -> Int {
        switch type.utf8.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }
}
