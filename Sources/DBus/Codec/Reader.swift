// SPDX-License-Identifier: MIT

import CDBus

/// Reads the values of a message in order.
///
/// Every read checks the type that comes next, so that a wrong expectation is an error, never a wrong value. libdbus
/// has validated the message before: nesting is at most 64 deep, text is UTF-8.
public struct Reader {
    private let message: Message
    private var iterator = DBusMessageIter()

    /// Reads the body of a message.
    init(_ message: Message) {
        self.message = message
        dbus_message_iter_init(message.raw, &iterator)
    }

    private init(inside message: Message, _ iterator: DBusMessageIter) {
        self.message = message
        self.iterator = iterator
    }

    /// Reads the next value as a type.
    ///
    /// - Throws: ``DBusError`` with code `invalidSignature` if the next value has another type.
    public mutating func read<Element: WireCodable>(
        _ type: Element.Type = Element.self
    ) throws(DBusError) -> Element {
        try Element(from: &self)
    }

    /// Reads the next value if it is text (`s`); nil if it is of another type, and nothing is read then.
    public mutating func optionalText() -> String? {
        guard nextCode == CDBUS_TYPE_STRING else { return nil }
        do {
            return try read()
        } catch {
            // Its type has been looked at: there is nothing else that could be wrong.
            return nil
        }
    }

    /// Whether all has been read.
    public var isAtEnd: Bool {
        mutating get { nextCode == CDBUS_TYPE_INVALID }
    }

    /// Reads a structure: `body` reads its fields, all of them.
    ///
    /// - Throws: ``DBusError`` with code `invalidSignature` if the next value is none or has more fields; else what
    ///   `body` throws.
    public mutating func structure<Result>(
        _ body: (inout Reader) throws(DBusError) -> Result
    ) throws(DBusError) -> Result {
        try expect(CDBUS_TYPE_STRUCT)
        var inner = enter()
        let result = try body(&inner)
        guard inner.isAtEnd else { throw inner.mismatch(wanted: "the end of a structure") }
        dbus_message_iter_next(&iterator)
        return result
    }

    /// Reads an array: `body` is called at each element and reads it.
    ///
    /// - Parameter type: the type wanted of elements, which is looked at where none shows its own; nil for any.
    mutating func array(
        of type: @autoclosure () -> String? = nil, _ body: (inout Reader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect(CDBUS_TYPE_ARRAY)
        var inner = enter()
        if inner.isAtEnd, let type = type() {
            let found = try nextType()
            guard found.text == "a\(type)" else {
                throw Self.mismatch(wanted: "a value of type a\(type)", found: found.text)
            }
        }
        while !inner.isAtEnd {
            try body(&inner)
        }
        dbus_message_iter_next(&iterator)
    }

    /// Reads a dictionary: `body` is called in each entry and reads its key and its value.
    mutating func dictionary(
        of type: @autoclosure () -> String? = nil, _ body: (inout Reader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try array(of: type()) { (elements) throws(DBusError) in
            try elements.expect(CDBUS_TYPE_DICT_ENTRY)
            var entry = elements.enter()
            try body(&entry)
            dbus_message_iter_next(&elements.iterator)
        }
    }

    /// Reads a variant: `body` reads what is in it.
    mutating func variant<Result>(
        _ body: (inout Reader) throws(DBusError) -> Result
    ) throws(DBusError) -> Result {
        try expect(CDBUS_TYPE_VARIANT)
        var inner = enter()
        let result = try body(&inner)
        dbus_message_iter_next(&iterator)
        return result
    }

    /// Reads an array of bytes at once.
    mutating func bytes() throws(DBusError) -> [UInt8] {
        try expect(CDBUS_TYPE_ARRAY)
        guard Int(dbus_message_iter_get_element_type(&iterator)) == CDBUS_TYPE_BYTE else {
            throw mismatch(wanted: "a value of type ay")
        }
        var inner = enter()
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner.iterator, &start, &count)
        let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) } ?? []
        dbus_message_iter_next(&iterator)
        return bytes
    }

    /// Reads a value of fixed size into `storage`, which must have just that size.
    mutating func fixed<Storage: BitwiseCopyable>(_ code: Int, into storage: inout Storage) throws(DBusError) {
        try expect(code)
        withUnsafeMutableBytes(of: &storage) { dbus_message_iter_get_basic(&iterator, $0.baseAddress) }
        dbus_message_iter_next(&iterator)
    }

    /// Reads a text, path or signature.
    mutating func text(_ code: Int) throws(DBusError) -> String {
        var pointer: UnsafePointer<CChar>?
        try fixed(code, into: &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    /// Reads a file descriptor: the number of the duplicate that libdbus makes, which belongs to the caller.
    mutating func descriptorNumber() throws(DBusError) -> Int32 {
        var descriptor: Int32 = -1
        try fixed(CDBUS_TYPE_UNIX_FD, into: &descriptor)
        guard descriptor >= 0 else { throw DBusError(.failed, "no file descriptor could be had for the argument") }
        return descriptor
    }

    /// Closes descriptors that are read; nil for a message made here.
    var closing: DescriptorClosing? { message.closing }

    /// The type code of the next value.
    var nextCode: Int {
        mutating get { Int(dbus_message_iter_get_arg_type(&iterator)) }
    }

    /// The whole type of the next value; empty at the end.
    mutating func nextType() throws(DBusError) -> ValueType {
        guard let text = dbus_message_iter_get_signature(&iterator) else { throw DBusError.outOfMemory }
        defer { dbus_free(text) }
        return ValueType(unchecked: String(cString: text))
    }

    private mutating func expect(_ code: Int) throws(DBusError) {
        guard nextCode == code else {
            throw mismatch(wanted: "a value of type \(UnicodeScalar(UInt8(code)))")
        }
    }

    private mutating func mismatch(wanted: String) -> DBusError {
        let found = nextCode == CDBUS_TYPE_INVALID ? "the end" : String(UnicodeScalar(UInt8(nextCode)))
        return Self.mismatch(wanted: wanted, found: found)
    }

    private static func mismatch(wanted: String, found: String) -> DBusError {
        DBusError(.invalidSignature, "expected \(wanted), found \(found)")
    }

    private mutating func enter() -> Reader {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return Reader(inside: message, inner)
    }
}
