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

/// A structure that the annotation `org.sentinel.Structure` has named.
struct Structure: Hashable {
    /// A field.
    struct Field: Hashable {
        let name: String
        let swiftName: String
        let type: NamedType
    }

    /// The name of the Swift type.
    let name: String
    let fields: [Field]

    /// The structure's signature.
    var signature: String { "(\(fields.map(\.type.signature).joined()))" }

    /// What an annotation says of it.
    var annotation: StructureAnnotation {
        StructureAnnotation(
            name: name,
            fields: fields.map { StructureAnnotation.Field(name: $0.name, structure: $0.type.structure?.annotation) })
    }
}
