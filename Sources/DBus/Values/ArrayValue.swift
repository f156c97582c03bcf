// SPDX-License-Identifier: MIT

/// An array that is no dictionary; it knows the type of its elements also while it has none.
public struct ArrayValue: Hashable, Sendable {
    /// Bytes are kept packed.
    private enum Storage: Hashable {
        case bytes([UInt8])
        case values([Value])
    }

    /// The type of every element.
    public let elementType: ValueType
    private let storage: Storage

    /// Makes an array of elements of one type.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` if an element has another type, or if an array of
    ///   `elementType` would be nested too deeply.
    public init(_ elements: [Value], elementType: ValueType) throws(DBusError) {
        _ = try ValueType("a\(elementType)")
        for element in elements where element.type != elementType {
            throw DBusError(.invalidArgs, "an array of \(elementType) cannot hold a value of type \(element.type)")
        }
        self.init(unchecked: elements, elementType: elementType)
    }

    /// Makes an array of values of any types (`av`).
    public init(variants elements: [Value]) {
        self.init(unchecked: elements.map { .variant($0) }, elementType: .variant)
    }

    /// Makes an array of bytes.
    public init(bytes: [UInt8]) {
        elementType = "y"
        storage = .bytes(bytes)
    }

    /// Takes over elements whose types are known to be right.
    init(unchecked elements: [Value], elementType: ValueType) {
        self.elementType = elementType
        if elementType.text == "y" {
            storage = .bytes(
                elements.compactMap { element in
                    guard case .byte(let byte) = element else { return nil }
                    return byte
                })
        } else {
            storage = .values(elements)
        }
    }

    /// The type of the array itself.
    public var type: ValueType { ValueType(unchecked: "a\(elementType.text)") }

    /// The bytes of an array of bytes; nil for every other.
    public var bytes: [UInt8]? {
        guard case .bytes(let bytes) = storage else { return nil }
        return bytes
    }

    /// The elements in order.
    public var elements: [Value] {
        switch storage {
        case .bytes(let bytes): bytes.map(Value.byte)
        case .values(let values): values
        }
    }
}
