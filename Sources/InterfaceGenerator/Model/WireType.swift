// SPDX-License-Identifier: MIT

/// One complete D-Bus type as its signature says.
indirect enum WireType: Hashable {
    /// A type without parts: a basic one or a variant.
    case single(Character)
    case array(WireType)
    case dictionary(key: Character, value: WireType)
    case structure([WireType])

    /// The type's signature.
    var signature: String {
        switch self {
        case .single(let code): String(code)
        case .array(let element): "a\(element.signature)"
        case .dictionary(let key, let value): "a{\(key)\(value.signature)}"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        }
    }
}
