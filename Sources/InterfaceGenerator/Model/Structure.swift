// SPDX-License-Identifier: MIT

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
