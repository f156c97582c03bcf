// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension DataValue {
    /// The value as it travels: integers as `x`, an array by the type that all its elements have, else as `av`, a
    /// dictionary as `a{sv}`.
    var busValue: Value {
        switch self {
        case .boolean(let truth): .boolean(truth)
        case .integer(let number): .int64(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .bytes(let bytes): .bytes(bytes)
        case .array(let values): .array(Self.busArray(values.map(\.busValue)))
        case .dictionary(let members): .options(members.busOptions)
        }
    }

    private static func busArray(_ elements: [Value]) -> ArrayValue {
        do throws(DBusError) {
            if let first = elements.first, elements.allSatisfy({ $0.type == first.type }) {
                return try ArrayValue(elements, elementType: first.type)
            }
            return try ArrayValue(elements.map { .variant($0) }, elementType: .variant)
        } catch {
            // Nested more deeply than data can be, it could not travel.
            return ArrayValue(bytes: [])
        }
    }
}

extension [DataKey: DataValue] {
    /// The members as they travel, each as a variant.
    var busOptions: [DBus.Key: DBus.Value] {
        Dictionary<DBus.Key, DBus.Value>(uniqueKeysWithValues: map { (DBus.Key($0.key.text), $0.value.busValue) })
    }

    /// How many bytes the members take, keys and values, as the limit counts them.
    var byteCount: Int {
        reduce(0) { $0 + $1.key.text.utf8.count + $1.value.byteCount }
    }
}

extension DataValue {
    /// How many bytes the value takes, as the limit counts them: texts, bytes and keys as long as they are, numbers with
    /// eight, a truth value with one, an array or dictionary with four beside what it holds.
    var byteCount: Int {
        switch self {
        case .boolean: 1
        case .integer, .double: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .array(let values): values.reduce(4) { $0 + $1.byteCount }
        case .dictionary(let members): 4 + members.byteCount
        }
    }
}
