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
}
