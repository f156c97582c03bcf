// SPDX-License-Identifier: MIT

import CDBus

/// An integer type of the wire.
private protocol WireInteger: FixedWidthInteger, BitwiseCopyable {
    static var code: Int { get }
}

extension WireInteger {
    fileprivate init(readingFrom reader: inout Reader) throws(DBusError) {
        self = 0
        try reader.fixed(Self.code, into: &self)
    }
}

extension UInt8: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_BYTE }
    public static var wireType: String { "y" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension Int16: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_INT16 }
    public static var wireType: String { "n" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension UInt16: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_UINT16 }
    public static var wireType: String { "q" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension Int32: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_INT32 }
    public static var wireType: String { "i" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension UInt32: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_UINT32 }
    public static var wireType: String { "u" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension Int64: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_INT64 }
    public static var wireType: String { "x" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension UInt64: WireKey, WireInteger {
    static var code: Int { CDBUS_TYPE_UINT64 }
    public static var wireType: String { "t" }
    public init(from reader: inout Reader) throws(DBusError) { try self.init(readingFrom: &reader) }
    public init(_ value: Value) throws(DBusError) { self = try value.integer() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(Self.code, self) }
}

extension Double: WireCodable {
    public static var wireType: String { "d" }
    public init(from reader: inout Reader) throws(DBusError) {
        self = 0
        try reader.fixed(CDBUS_TYPE_DOUBLE, into: &self)
    }
    public init(_ value: Value) throws(DBusError) { self = try value.finiteDouble() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(CDBUS_TYPE_DOUBLE, self) }
}

extension Bool: WireCodable {
    public static var wireType: String { "b" }
    public init(from reader: inout Reader) throws(DBusError) {
        var number: dbus_bool_t = 0
        try reader.fixed(CDBUS_TYPE_BOOLEAN, into: &number)
        self = number != 0
    }
    public init(_ value: Value) throws(DBusError) { self = try value.truth() }
    public func write(to writer: inout Writer) throws(DBusError) {
        try writer.fixed(CDBUS_TYPE_BOOLEAN, dbus_bool_t(self ? 1 : 0))
    }
}

extension String: WireCodable {
    public static var wireType: String { "s" }
    public init(from reader: inout Reader) throws(DBusError) { self = try reader.text(CDBUS_TYPE_STRING) }
    public init(_ value: Value) throws(DBusError) { self = try value.text() }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.text(CDBUS_TYPE_STRING, self) }
}

extension Key: WireKey {
    public static var wireType: String { "s" }
    public init(from reader: inout Reader) throws(DBusError) { self.init(try reader.text(CDBUS_TYPE_STRING)) }
    public init(_ value: Value) throws(DBusError) { self.init(try value.text()) }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.text(CDBUS_TYPE_STRING, text) }
}

/// A kind of checked text that has a wire type of its own.
public protocol WireTextSyntax: TextSyntax {
    /// The wire type: one character.
    static var wireType: String { get }

    /// Takes the text out of a value of that type; nil for every other value.
    static func text(in value: Value) -> Checked<Self>?
}

extension ObjectPathSyntax: WireTextSyntax {
    public static let wireType = "o"

    public static func text(in value: Value) -> ObjectPath? {
        guard case .objectPath(let path) = value else { return nil }
        return path
    }
}

extension SignatureSyntax: WireTextSyntax {
    public static let wireType = "g"

    public static func text(in value: Value) -> Signature? {
        guard case .signature(let signature) = value else { return nil }
        return signature
    }
}

extension Checked: WireCodable, WireKey where Syntax: WireTextSyntax {
    private static var code: Int { Syntax.wireType.utf8.first.map(Int.init) ?? CDBUS_TYPE_INVALID }
    public static var wireType: String { Syntax.wireType }
    public init(from reader: inout Reader) throws(DBusError) {
        // libdbus has checked what arrives.
        self.init(unchecked: try reader.text(Self.code))
    }
    public init(_ value: Value) throws(DBusError) {
        guard let text = Syntax.text(in: value.unwrapped) else { throw Self.refuse(value) }
        self = text
    }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.text(Self.code, text) }
}

extension FileDescriptor: WireCodable {
    public static var wireType: String { "h" }
    public convenience init(from reader: inout Reader) throws(DBusError) {
        self.init(owning: try reader.descriptorNumber(), closing: reader.closing)
    }
    public convenience init(_ value: Value) throws(DBusError) {
        guard case .fileDescriptor(let descriptor) = value.unwrapped else { throw Self.refuse(value) }
        try self.init(duplicating: descriptor.rawValue)
    }
    public func write(to writer: inout Writer) throws(DBusError) { try writer.fixed(CDBUS_TYPE_UNIX_FD, rawValue) }
}
