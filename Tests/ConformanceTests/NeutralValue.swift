// SPDX-License-Identifier: MIT

import DBus
import Foundation

/// Values that mean as little as possible, for calls that only ask whether anybody is there.
enum NeutralValue {
    /// A value of a type: zero, nothing, or the emptiest that is well-formed.
    static func of(_ type: ValueType) throws -> Value {
        if let elementType = type.elementType {
            return .array(try ArrayValue([], elementType: elementType))
        }
        if let (key, value) = type.entryTypes {
            return .dictionary(try DictionaryValue([], keyType: key, valueType: value))
        }
        if let fields = type.fieldTypes {
            return .structure(try fields.map { try of($0) })
        }
        switch type.text {
        case "y": return .byte(0)
        case "b": return .boolean(false)
        case "n": return .int16(0)
        case "q": return .uint16(0)
        case "i": return .int32(0)
        case "u": return .uint32(0)
        case "x": return .int64(0)
        case "t": return .uint64(0)
        case "d": return .double(0)
        case "s": return .string("")
        case "o": return .objectPath("/")
        case "g": return .signature("")
        case "h": return .fileDescriptor(FileDescriptor(owning: open("/dev/null", O_RDWR)))
        default: return .variant(.string(""))
        }
    }
}
