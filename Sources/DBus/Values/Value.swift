// SPDX-License-Identifier: MIT

/// A value of any D-Bus type, which it keeps exactly.
///
/// Equality is that of the wire: text and doubles are equal if their bytes are (so that NaN equals itself), file
/// descriptors if they are the same object.
public enum Value: Sendable {
    /// An unsigned integer of 8 bits (`y`).
    case byte(UInt8)
    /// True or false (`b`).
    case boolean(Bool)
    /// An integer of 16 bits (`n`).
    case int16(Int16)
    /// An unsigned integer of 16 bits (`q`).
    case uint16(UInt16)
    /// An integer of 32 bits (`i`).
    case int32(Int32)
    /// An unsigned integer of 32 bits (`u`).
    case uint32(UInt32)
    /// An integer of 64 bits (`x`).
    case int64(Int64)
    /// An unsigned integer of 64 bits (`t`).
    case uint64(UInt64)
    /// A floating-point number (`d`).
    case double(Double)
    /// Text (`s`).
    case string(String)
    /// The path of an object (`o`).
    case objectPath(ObjectPath)
    /// A sequence of types (`g`).
    case signature(Signature)
    /// An open file descriptor (`h`).
    case fileDescriptor(FileDescriptor)
    /// An array that is no dictionary (`a…`).
    case array(ArrayValue)
    /// A dictionary (`a{…}`).
    case dictionary(DictionaryValue)
    /// A structure of one field at least (`(…)`).
    case structure([Value])
    /// A value of any type, which is known from the value alone (`v`).
    indirect case variant(Value)
}

extension Value {
    /// The value's type.
    public var type: ValueType {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .array(let array): array.type
        case .dictionary(let dictionary): dictionary.type
        case .structure(let fields): ValueType(unchecked: "(\(fields.map(\.type.text).joined()))")
        case .variant: .variant
        }
    }

    /// The value inside all layers of variant around it.
    public var unwrapped: Value {
        var value = self
        while case .variant(let inner) = value {
            value = inner
        }
        return value
    }

    /// An array of bytes (`ay`).
    public static func bytes(_ bytes: [UInt8]) -> Value {
        .array(ArrayValue(bytes: bytes))
    }

    /// An array of texts (`as`).
    public static func strings(_ texts: [String]) -> Value {
        .array(ArrayValue(unchecked: texts.map(Value.string), elementType: "s"))
    }

    /// A dictionary from text to values of any type (`a{sv}`), in the order of the keys' bytes.
    public static func options(_ options: [Key: Value]) -> Value {
        .dictionary(DictionaryValue(options))
    }
}

extension Value: Hashable {
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.byte(let left), .byte(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.int16(let left), .int16(let right)): left == right
        case (.uint16(let left), .uint16(let right)): left == right
        case (.int32(let left), .int32(let right)): left == right
        case (.uint32(let left), .uint32(let right)): left == right
        case (.int64(let left), .int64(let right)): left == right
        case (.uint64(let left), .uint64(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): Key(left) == Key(right)
        case (.objectPath(let left), .objectPath(let right)): left == right
        case (.signature(let left), .signature(let right)): left == right
        case (.fileDescriptor(let left), .fileDescriptor(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.structure(let left), .structure(let right)): left == right
        case (.variant(let left), .variant(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .byte(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        case .int16(let value): hasher.combine(value)
        case .uint16(let value): hasher.combine(value)
        case .int32(let value): hasher.combine(value)
        case .uint32(let value): hasher.combine(value)
        case .int64(let value): hasher.combine(value)
        case .uint64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(Key(value))
        case .objectPath(let value): hasher.combine(value)
        case .signature(let value): hasher.combine(value)
        case .fileDescriptor(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        case .structure(let fields): hasher.combine(fields)
        case .variant(let value): hasher.combine(value)
        }
    }
}
