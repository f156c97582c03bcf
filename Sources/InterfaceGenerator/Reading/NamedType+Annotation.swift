// SPDX-License-Identifier: MIT

extension NamedType {
    /// Gives the structures in a type the names that an annotation has for them.
    ///
    /// - Throws: ``Fault`` if the annotation does not fit the type.
    init(_ type: WireType, named annotation: StructureAnnotation?) throws(Fault) {
        switch type {
        case .single(let code):
            if let annotation {
                throw Fault("\(annotation.name) names a structure, but \(quoted(String(code))) is none")
            }
            self = .single(code)
        case .array(let element):
            self = .array(try NamedType(element, named: annotation))
        case .dictionary(let key, let value):
            guard !"bh".contains(key) else {
                throw Fault("a dictionary with keys of type \(quoted(String(key))) has no Swift type; use another key")
            }
            self = .dictionary(key: key, value: try NamedType(value, named: annotation))
        case .structure(let fields):
            guard let annotation else {
                throw Fault(
                    "the structure \(quoted(type.signature)) has no name; an annotation \(StructureAnnotation.name) "
                        + "names it and its fields, as in Name(field, field: Name(field, …), …)")
            }
            guard fields.count == annotation.fields.count else {
                throw Fault(
                    "\(annotation.name) has \(annotation.fields.count) fields, but \(quoted(type.signature)) has "
                        + "\(fields.count)")
            }
            var named: [Structure.Field] = []
            for (type, field) in zip(fields, annotation.fields) {
                do {
                    named.append(
                        Structure.Field(
                            name: field.name, swiftName: try SwiftName.member(field.name),
                            type: try NamedType(type, named: field.structure)))
                } catch {
                    throw Fault("field \(field.name) of \(annotation.name): \(error.message)")
                }
            }
            self = .structure(Structure(name: annotation.name, fields: named))
        }
    }
}
