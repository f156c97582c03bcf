// SPDX-License-Identifier: MIT

/// A complete D-Bus type whose structures have names.
indirect enum NamedType: Hashable {
    case single(Character)
    case array(NamedType)
    case dictionary(key: Character, value: NamedType)
    case structure(Structure)

    /// The type's signature.
    var signature: String {
        switch self {
        case .single(let code): String(code)
        case .array(let element): "a\(element.signature)"
        case .dictionary(let key, let value): "a{\(key)\(value.signature)}"
        case .structure(let structure): structure.signature
        }
    }

    /// The structure that the type is, or is made of; nil if there is none.
    var structure: Structure? {
        switch self {
        case .single: nil
        case .array(let element): element.structure
        case .dictionary(_, let value): value.structure
        case .structure(let structure): structure
        }
    }
}
