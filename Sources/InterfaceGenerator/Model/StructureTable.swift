// SPDX-License-Identifier: MIT

/// Gathers the structures that interfaces use; one name is one structure.
struct StructureTable {
    private var uses: [String: Contract.StructureUse] = [:]

    /// Adds the structures of an interface.
    mutating func add(_ interface: Interface) throws(Problem) {
        for method in interface.methods {
            try add(method.arguments + method.results, of: "\(interface.name).\(method.name)", at: method.location)
        }
        for signal in interface.signals {
            try add(signal.arguments, of: "\(interface.name).\(signal.name)", at: signal.location)
        }
        for property in interface.properties {
            if let structure = property.type.structure {
                try add(structure, of: "\(interface.name).\(property.name)", at: property.location)
            }
        }
    }

    /// The structures by name, their fields described by the lists in comments that have just these fields.
    func uses(documentedBy interfaces: [Interface]) -> [Contract.StructureUse] {
        let lists = interfaces.flatMap(\.fieldLists)
        return uses.values.sorted { $0.structure.name < $1.structure.name }.map { use in
            var use = use
            let fields = use.structure.fields
            let list = lists.first { list in
                list.map(\.name) == fields.map(\.name) && list.map(\.signature) == fields.map(\.type.signature)
            }
            use.fieldTexts = list.map { $0.map(\.text) } ?? fields.map { _ in nil }
            return use
        }
    }

    private mutating func add(
        _ arguments: [Argument], of member: String, at location: Location
    ) throws(Problem) {
        for argument in arguments {
            if let structure = argument.type.structure {
                try add(structure, of: member, at: location)
            }
        }
    }

    private mutating func add(
        _ structure: Structure, of member: String, at location: Location
    ) throws(Problem) {
        if var known = uses[structure.name] {
            guard known.structure == structure else {
                let line = known.location.line.map { ":\($0)" } ?? ""
                throw Problem(
                    location,
                    "the structure \(structure.annotation) of type \(quoted(structure.signature)) contradicts "
                        + "\(known.structure.annotation) of type \(quoted(known.structure.signature)) in "
                        + "\(known.location.file)\(line); one name is one structure")
            }
            if !known.members.contains(member) {
                known.members.append(member)
                uses[structure.name] = known
            }
        } else {
            uses[structure.name] = Contract.StructureUse(
                structure: structure, location: location, members: [member], fieldTexts: [])
        }
        for field in structure.fields {
            if let inner = field.type.structure {
                try add(inner, of: member, at: location)
            }
        }
    }
}

extension Interface {
    /// The fields that the comments describe, each list by itself.
    fileprivate var fieldLists: [[FieldEntry]] {
        documentation.fieldLists + methods.flatMap(\.documentation.fieldLists)
            + signals.flatMap(\.documentation.fieldLists) + properties.flatMap(\.documentation.fieldLists)
    }
}
