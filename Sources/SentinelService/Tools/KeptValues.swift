// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// What parameters and results of actions may hold: `b`, integers as `x`, finite `d`, `s`, `ay`, `h`, arrays and
/// string-keyed dictionaries of them.
struct KeptValues {
    /// So deep may arrays and dictionaries be nested.
    static let depth = 8
    /// So many bytes may values and keys have together.
    static let byteCount = 64 << 10
    /// So many bytes each value and key counts at least: also empty ones take room, and many take much.
    private static let smallest = 4

    private var byteCount = 0

    /// The values in the types that they are handed on in.
    ///
    /// - Throws: code `invalidArgs` that names the key and what is allowed.
    static func canonical(_ values: [Key: Value]) throws(SentinelError) -> [Key: Value] {
        var kept = KeptValues()
        var result: [Key: Value] = [:]
        for (key, value) in values {
            do throws(SentinelError) {
                try kept.take(key.text.utf8.count)
                result[key] = try kept.canonical(value, depth: 0)
            } catch {
                throw SentinelError(error.code, "\(key): \(error.message)", underlying: error)
            }
        }
        return result
    }

    private mutating func canonical(_ value: Value, depth: Int) throws(SentinelError) -> Value {
        let value = value.unwrapped
        switch value {
        case .fileDescriptor:
            try take(Self.smallest)
            return value
        case .array(let array):
            if let bytes = array.bytes {
                try take(bytes.count)
                return value
            }
            return .array(try canonical(array, depth: depth))
        case .dictionary(let dictionary):
            guard dictionary.keyType == "s" else { throw Self.refusal(of: value) }
            var entries: [Key: Value] = [:]
            try enter(depth)
            for entry in dictionary.entries {
                guard case .string(let key) = entry.key else { throw Self.refusal(of: value) }
                try take(key.utf8.count)
                guard
                    entries.updateValue(try canonical(entry.value, depth: depth + 1), forKey: Key(key)) == nil
                else { throw SentinelError(.invalidArgs, "a dictionary has the same key twice") }
            }
            return .options(entries)
        default:
            guard let scalar = value.preference else { throw Self.refusal(of: value) }
            try take(scalar.byteCount)
            return Value(scalar)
        }
    }

    private mutating func canonical(_ array: ArrayValue, depth: Int) throws(SentinelError) -> ArrayValue {
        try enter(depth)
        var elements: [Value] = []
        for element in array.elements {
            elements.append(try canonical(element, depth: depth + 1))
        }
        do throws(DBusError) {
            guard let first = elements.first else {
                return try ArrayValue([], elementType: Self.canonical(array.elementType))
            }
            if elements.allSatisfy({ $0.type == first.type }) {
                return try ArrayValue(elements, elementType: first.type)
            }
            return try ArrayValue(elements.map { .variant($0) }, elementType: .variant)
        } catch {
            throw SentinelError(.invalidArgs, error.message, underlying: error)
        }
    }

    /// The type in which elements of a type are handed on; what may not be handed on at all is not there either.
    private static func canonical(_ type: ValueType) -> ValueType {
        switch type.text {
        case "b", "d", "s", "h", "ay", "a{sv}": type
        case "n", "q", "i", "u", "x", "t": "x"
        default: .variant
        }
    }

    private mutating func enter(_ depth: Int) throws(SentinelError) {
        guard depth < Self.depth else {
            throw SentinelError(.invalidArgs, "arrays and dictionaries are nested more than \(Self.depth) deep")
        }
        try take(Self.smallest)
    }

    private mutating func take(_ count: Int) throws(SentinelError) {
        byteCount += max(count, Self.smallest)
        guard byteCount <= Self.byteCount else {
            throw SentinelError(.invalidArgs, "the values have more than \(Self.byteCount) bytes together")
        }
    }

    private static func refusal(of value: Value) -> SentinelError {
        SentinelError(
            .invalidArgs,
            "expected b, an integer of 64 bits with a sign, a finite d, s, ay, h, or arrays or string-keyed "
                + "dictionaries of them, got a value of type \(value.type) that does not fit")
    }
}
