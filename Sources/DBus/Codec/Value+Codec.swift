// SPDX-License-Identifier: MIT

import CDBus

/// As an argument a value is a variant: reading takes one layer off, writing puts one on.
extension Value: WireCodable {
    public static var wireType: String { "v" }

    public init(from reader: inout Reader) throws(DBusError) {
        self = try reader.variant { (reader) throws(DBusError) in try reader.anyValue() }
    }

    /// Takes one layer of variant off where there is one, as reading does.
    public init(_ value: Value) throws(DBusError) {
        guard case .variant(let inner) = value else {
            self = value
            return
        }
        self = inner
    }

    public func write(to writer: inout Writer) throws(DBusError) {
        try writer.variant(of: type.text) { (writer) throws(DBusError) in
            try writer.bare(self)
        }
    }
}

extension Reader {
    /// Reads the next value whatever its type is.
    ///
    /// - Throws: ``DBusError`` with code `invalidSignature` at the end.
    public mutating func anyValue() throws(DBusError) -> Value {
        switch nextCode {
        case CDBUS_TYPE_BYTE: .byte(try read())
        case CDBUS_TYPE_BOOLEAN: .boolean(try read())
        case CDBUS_TYPE_INT16: .int16(try read())
        case CDBUS_TYPE_UINT16: .uint16(try read())
        case CDBUS_TYPE_INT32: .int32(try read())
        case CDBUS_TYPE_UINT32: .uint32(try read())
        case CDBUS_TYPE_INT64: .int64(try read())
        case CDBUS_TYPE_UINT64: .uint64(try read())
        case CDBUS_TYPE_DOUBLE: .double(try read())
        case CDBUS_TYPE_STRING: .string(try read())
        case CDBUS_TYPE_OBJECT_PATH: .objectPath(try read())
        case CDBUS_TYPE_SIGNATURE: .signature(try read())
        case CDBUS_TYPE_UNIX_FD: .fileDescriptor(try read())
        case CDBUS_TYPE_VARIANT: .variant(try read())
        case CDBUS_TYPE_STRUCT: try anyStructure()
        case CDBUS_TYPE_ARRAY: try anyArray()
        default: throw DBusError(.invalidSignature, "expected a value, found the end")
        }
    }

    private mutating func anyStructure() throws(DBusError) -> Value {
        try structure { (reader) throws(DBusError) in
            var fields: [Value] = []
            while !reader.isAtEnd {
                fields.append(try reader.anyValue())
            }
            return .structure(fields)
        }
    }

    private mutating func anyArray() throws(DBusError) -> Value {
        let type = try nextType()
        if let (keyType, valueType) = type.entryTypes {
            var entries: [DictionaryValue.Entry] = []
            try dictionary { (entry) throws(DBusError) in
                entries.append(DictionaryValue.Entry(key: try entry.anyValue(), value: try entry.anyValue()))
            }
            return .dictionary(DictionaryValue(unchecked: entries, keyType: keyType, valueType: valueType))
        }
        guard let elementType = type.elementType, elementType.text != "y" else {
            return .bytes(try bytes())
        }
        var elements: [Value] = []
        try array { (reader) throws(DBusError) in
            elements.append(try reader.anyValue())
        }
        return .array(ArrayValue(unchecked: elements, elementType: elementType))
    }
}

extension Writer {
    /// Appends a value as the type it has, without a variant around it.
    ///
    /// The type must be known to be valid: one of many structures in each other is not.
    mutating func bare(_ value: Value) throws(DBusError) {
        switch value {
        case .byte(let value): try write(value)
        case .boolean(let value): try write(value)
        case .int16(let value): try write(value)
        case .uint16(let value): try write(value)
        case .int32(let value): try write(value)
        case .uint32(let value): try write(value)
        case .int64(let value): try write(value)
        case .uint64(let value): try write(value)
        case .double(let value): try write(value)
        case .string(let value): try write(value)
        case .objectPath(let value): try write(value)
        case .signature(let value): try write(value)
        case .fileDescriptor(let value): try write(value)
        case .variant(let value): try write(value)
        case .structure(let fields): try bare(structure: fields)
        case .array(let array): try bare(array: array)
        case .dictionary(let dictionary): try bare(dictionary: dictionary)
        }
    }

    private mutating func bare(structure fields: [Value]) throws(DBusError) {
        guard !fields.isEmpty else { throw DBusError(.invalidArgs, "a structure needs at least one field") }
        try structure { (writer) throws(DBusError) in
            for field in fields {
                try writer.bare(field)
            }
        }
    }

    private mutating func bare(array value: ArrayValue) throws(DBusError) {
        if let bytes = value.bytes {
            return try self.bytes(bytes)
        }
        try array(of: value.elementType.text) { (writer) throws(DBusError) in
            for element in value.elements {
                try writer.bare(element)
            }
        }
    }

    private mutating func bare(dictionary value: DictionaryValue) throws(DBusError) {
        try array(of: "{\(value.keyType)\(value.valueType)}") { (writer) throws(DBusError) in
            for entry in value.entries {
                try writer.entry { (writer) throws(DBusError) in
                    try writer.bare(entry.key)
                    try writer.bare(entry.value)
                }
            }
        }
    }
}
