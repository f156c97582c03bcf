// SPDX-License-Identifier: MIT

/// A dictionary as it travels: entries in order.
public struct DictionaryValue: Hashable, Sendable {
    /// One entry.
    public struct Entry: Hashable, Sendable {
        /// The key, of a basic type.
        public let key: Value
        /// What stands under the key.
        public let value: Value

        /// Makes an entry.
        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The type of every key.
    public let keyType: ValueType
    /// The type of every value.
    public let valueType: ValueType
    /// The entries in the order in which they travel.
    public let entries: [Entry]

    /// Makes a dictionary of entries whose types agree.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` if an entry has other types, or if the types cannot make a
    ///   dictionary.
    public init(_ entries: [Entry], keyType: ValueType, valueType: ValueType) throws(DBusError) {
        _ = try ValueType("a{\(keyType)\(valueType)}")
        for entry in entries where entry.key.type != keyType || entry.value.type != valueType {
            throw DBusError(
                .invalidArgs,
                "a dictionary of \(keyType) to \(valueType) cannot hold \(entry.key.type) to \(entry.value.type)")
        }
        self.init(unchecked: entries, keyType: keyType, valueType: valueType)
    }

    /// Makes a dictionary from text to values of any type (`a{sv}`), in the order of the keys' bytes.
    public init(_ options: [Key: Value]) {
        let entries = options.sorted { $0.key < $1.key }
            .map { Entry(key: .string($0.key.text), value: .variant($0.value)) }
        self.init(unchecked: entries, keyType: "s", valueType: .variant)
    }

    /// Takes over entries whose types are known to be right.
    init(unchecked entries: [Entry], keyType: ValueType, valueType: ValueType) {
        self.entries = entries
        self.keyType = keyType
        self.valueType = valueType
    }

    /// The type of the dictionary itself.
    public var type: ValueType { ValueType(unchecked: "a{\(keyType.text)\(valueType.text)}") }
}
