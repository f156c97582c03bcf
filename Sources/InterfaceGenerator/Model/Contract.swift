// SPDX-License-Identifier: MIT

/// All interfaces together, with the structures that they share.
struct Contract {
    /// The interfaces by name.
    let interfaces: [Interface]
    /// The structures by name, each with what uses it.
    let structures: [StructureUse]

    /// A structure with the places where it is used.
    struct StructureUse {
        let structure: Structure
        /// The first place.
        let location: Location
        /// The members, for example `org.sentinel.Tools1.Content`, that have it as a type or in a type.
        var members: [String]
        /// What comments say of the fields; nil for those that say nothing.
        var fieldTexts: [Documentation.Paragraph?]
    }

    /// Puts interfaces together.
    ///
    /// - Throws: ``Problem`` if they contradict each other.
    init(_ interfaces: [Interface]) throws(Problem) {
        self.interfaces = interfaces.sorted { $0.name < $1.name }
        var table = StructureTable()
        for interface in self.interfaces {
            try table.add(interface)
        }
        structures = table.uses(documentedBy: self.interfaces)
        try checkNames()
    }
}

// MARK: - Names

extension Contract {
    private func checkNames() throws(Problem) {
        var types: [String: String] = [:]
        for interface in interfaces {
            for suffix in ReservedNames.interfaceSuffixes {
                let name = interface.baseName + suffix
                if let other = types.updateValue(interface.name, forKey: name) {
                    throw Problem(
                        interface.location,
                        "\(interface.name) and \(other) would both make the Swift type \(name); "
                            + "interfaces differ in the last element of their names")
                }
                try Self.refuseReserved(name, at: interface.location)
            }
            try check(interface)
        }
        for use in structures {
            try Self.refuseReserved(use.structure.name, at: use.location)
            if let interface = types[use.structure.name] {
                throw Problem(
                    use.location, "the structure \(use.structure.name) and \(interface) would make the same Swift type")
            }
        }
    }

    private func check(_ interface: Interface) throws(Problem) {
        var members: [String: String] = [:]
        let named =
            interface.methods.map { ($0.swiftName, "the method \($0.name)", $0.location) }
            + interface.properties.map { ($0.swiftName, "the property \($0.name)", $0.location) }
            + interface.properties.filter(\.isWritable)
            .map { ($0.setterName, "writing the property \($0.name)", $0.location) }
        for (name, member, location) in named {
            if let other = members.updateValue(member, forKey: name) {
                throw Problem(location, "\(other) and \(member) would both be \(name) in Swift; rename one of them")
            }
            guard !ReservedNames.members.contains(name) else {
                throw Problem(location, "\(member): the generated code needs the name \(name) itself")
            }
        }
        for signal in interface.signals {
            let name = SwiftName.capitalized(signal.name)
            try Self.refuseReserved(name, at: signal.location)
            guard !structures.contains(where: { $0.structure.name == name }) else {
                throw Problem(signal.location, "the signal \(name) has the name of a structure; rename one of them")
            }
        }
    }

    private static func refuseReserved(_ name: String, at location: Location) throws(Problem) {
        guard !ReservedNames.types.contains(name) else {
            throw Problem(location, "the generated code needs the type name \(name) itself; take another name")
        }
    }
}
