// SPDX-License-Identifier: MIT

extension NamedType {
    /// The Swift type that stands for the type.
    var swift: String {
        switch self {
        case .single(let code): Self.swift(code)
        case .array(let element): "[\(element.swift)]"
        case .dictionary(let key, let value): "[\(key == "s" ? "Key" : Self.swift(key)): \(value.swift)]"
        case .structure(let structure): structure.name
        }
    }

    private static func swift(_ code: Character) -> String {
        switch code {
        case "y": "UInt8"
        case "b": "Bool"
        case "n": "Int16"
        case "q": "UInt16"
        case "i": "Int32"
        case "u": "UInt32"
        case "x": "Int64"
        case "t": "UInt64"
        case "d": "Double"
        case "s": "String"
        case "o": "ObjectPath"
        case "g": "Signature"
        case "h": "FileDescriptor"
        default: "Value"
        }
    }
}

extension Sequence<Argument> {
    /// The Swift types in order.
    var swiftTypes: String { map(\.type.swift).joined(separator: ", ") }
}
