// SPDX-License-Identifier: MIT

extension Array: WireCodable where Element: WireCodable {
    public static var wireType: String { "a\(Element.wireType)" }

    public init(from reader: inout Reader) throws(DBusError) {
        // A cast between arrays looks at every element; one from `Any` at the type alone.
        if Element.self == UInt8.self, let bytes = try reader.bytes() as Any as? Self {
            self = bytes
            return
        }
        var elements: [Element] = []
        try reader.array(of: Element.wireType) { (reader) throws(DBusError) in
            elements.append(try Element(from: &reader))
        }
        self = elements
    }

    public init(_ value: Value) throws(DBusError) {
        guard case .array(let array) = value.unwrapped else { throw Self.refuse(value) }
        var elements: [Element] = []
        for element in array.elements {
            elements.append(try Element(element))
        }
        self = elements
    }

    public func write(to writer: inout Writer) throws(DBusError) {
        // Every empty array can be cast to one of bytes: the type comes first.
        if Element.self == UInt8.self, let bytes = self as Any as? [UInt8] {
            return try writer.bytes(bytes)
        }
        try writer.array(of: Element.wireType) { (writer) throws(DBusError) in
            for element in self {
                try element.write(to: &writer)
            }
        }
    }
}

extension Dictionary: WireCodable where Key: WireKey, Value: WireCodable {
    public static var wireType: String { "a{\(Key.wireType)\(Value.wireType)}" }

    /// Reads a dictionary.
    ///
    /// - Throws: also ``DBusError`` with code `invalidArgs` if a key comes twice: no order of the two is right.
    @_specialize(where Key == DBus.Key, Value == DBus.Value)
    public init(from reader: inout Reader) throws(DBusError) {
        var entries: [Key: Value] = [:]
        try reader.dictionary(of: "{\(Key.wireType)\(Value.wireType)}") { (entry) throws(DBusError) in
            try entries.insertOnce(try Key(from: &entry), try Value(from: &entry))
        }
        self = entries
    }

    public init(_ value: DBus.Value) throws(DBusError) {
        guard case .dictionary(let dictionary) = value.unwrapped else { throw Self.refuse(value) }
        var entries: [Key: Value] = [:]
        for entry in dictionary.entries {
            try entries.insertOnce(try Key(entry.key), try Value(entry.value))
        }
        self = entries
    }

    /// Writes the entries in the order of their keys, so that the same dictionary is always the same bytes.
    @_specialize(where Key == DBus.Key, Value == DBus.Value)
    public func write(to writer: inout Writer) throws(DBusError) {
        try writer.array(of: "{\(Key.wireType)\(Value.wireType)}") { (writer) throws(DBusError) in
            for (key, value) in self.sorted(by: { $0.key < $1.key }) {
                try writer.entry { (writer) throws(DBusError) in
                    try key.write(to: &writer)
                    try value.write(to: &writer)
                }
            }
        }
    }

    private mutating func insertOnce(_ key: Key, _ value: Value) throws(DBusError) {
        guard updateValue(value, forKey: key) == nil else {
            throw DBusError(.invalidArgs, "a dictionary has the same key twice")
        }
    }
}
