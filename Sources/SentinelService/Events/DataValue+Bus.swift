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
        guard let type = elements.first?.type, elements.allSatisfy({ $0.type == type }) else {
            return ArrayValue(variants: elements)
        }
        do throws(DBusError) {
            return try ArrayValue(elements, elementType: type)
        } catch {
            // Its type would be nested more deeply than a signature may be, which what variants hold is not part of.
            return ArrayValue(variants: elements)
        }
    }
}

extension [DataKey: DataValue] {
    /// The members as they travel, each as a variant.
    var busOptions: [DBus.Key: DBus.Value] {
        Dictionary<DBus.Key, DBus.Value>(uniqueKeysWithValues: map { (DBus.Key($0.key.text), $0.value.busValue) })
    }
}
