// SPDX-License-Identifier: MIT

/// Makes the model of an interface from its element, or says what is wrong with it.
struct InterfaceReader {
    private static let changeSignalAnnotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"

    private let element: Element

    /// Reads the interfaces of a file.
    static func interfaces(in root: Element) throws(Problem) -> [Interface] {
        guard root.name == "node" else {
            throw Problem(root.location, "the root is <\(root.name)>; introspection data is in <node>")
        }
        try Schema.check(root)
        guard !root.children.isEmpty else { throw Problem(root.location, "there is no <interface> in the file") }
        var interfaces: [Interface] = []
        for element in root.children {
            interfaces.append(try InterfaceReader(element: element).interface())
        }
        return interfaces
    }

    private init(element: Element) {
        self.element = element
    }

    private func interface() throws(Problem) -> Interface {
        let name = element.attribute("name")
        let elements = try element.location.blamed(for: "interface") { () throws(Fault) in
            try BusName.interfaceElements(name)
        }
        return Interface(
            name: name, baseName: SwiftName.capitalized(elements.last.map(String.init) ?? ""),
            location: element.location, documentation: try documentation(of: element, arguments: []),
            annotations: try annotations(of: element),
            methods: try members("method", method), signals: try members("signal", signal),
            properties: try members("property", property), xml: try CanonicalXML.text(of: element))
    }

    /// Reads the members of one kind, each of whose names is there once.
    private func members<Member>(
        _ kind: String, _ read: (Element) throws(Problem) -> Member
    ) throws(Problem) -> [Member] {
        var lines: [String: Location] = [:]
        var members: [Member] = []
        for member in element.children where member.name == kind {
            let name = member.attribute("name")
            try member.location.blamed(for: kind) { () throws(Fault) in try BusName.checkMember(name) }
            if let first = lines.updateValue(member.location, forKey: name) {
                throw Problem(
                    member.location,
                    "the \(kind) \(name) exists twice\(first.line.map { "; the other one is in line \($0)" } ?? "")")
            }
            members.append(try read(member))
        }
        return members
    }

    private func method(_ member: Element) throws(Problem) -> Method {
        var arguments: [Argument] = []
        var results: [Argument] = []
        for element in member.children where element.name == "arg" {
            let argument = try argument(element, of: member)
            switch element.attributes["direction"] ?? "in" {
            case "in": arguments.append(argument)
            case "out": results.append(argument)
            case let other:
                throw Problem(
                    element.location, "argument \(argument.name): the direction is in or out, not \(quoted(other))")
            }
        }
        _ = try annotations(of: member)
        try check(arguments + results, of: member)
        try checkLength(arguments, of: member)
        try checkLength(results, of: member)
        return Method(
            name: member.attribute("name"), swiftName: try swiftName(of: member), location: member.location,
            documentation: try documentation(of: member, arguments: (arguments + results).map(\.name)),
            arguments: arguments, results: results)
    }

    private func signal(_ member: Element) throws(Problem) -> Signal {
        var arguments: [Argument] = []
        for element in member.children where element.name == "arg" {
            let argument = try argument(element, of: member)
            guard element.attributes["direction"] ?? "out" == "out" else {
                throw Problem(element.location, "argument \(argument.name): the direction in a signal is out")
            }
            arguments.append(argument)
        }
        _ = try annotations(of: member)
        try check(arguments, of: member)
        try checkLength(arguments, of: member)
        return Signal(
            name: member.attribute("name"), location: member.location,
            documentation: try documentation(of: member, arguments: arguments.map(\.name)), arguments: arguments)
    }

    private func property(_ member: Element) throws(Problem) -> Property {
        let name = member.attribute("name")
        let access = member.attribute("access")
        guard ["read", "readwrite"].contains(access) else {
            throw Problem(member.location, "property \(name): the access is read or readwrite, not \(quoted(access))")
        }
        let values = Property.ChangeSignal.allCases.map(\.rawValue)
        let annotations = try annotations(of: member)
        guard let value = annotations.first(where: { $0.name == Self.changeSignalAnnotation })?.value else {
            throw Problem(
                member.location,
                "property \(name) needs the annotation \(Self.changeSignalAnnotation), one of \(list(values))")
        }
        guard let changeSignal = Property.ChangeSignal(rawValue: value) else {
            throw Problem(
                member.location,
                "property \(name): \(Self.changeSignalAnnotation) is one of \(list(values)), not \(quoted(value))")
        }
        return Property(
            name: name, swiftName: try swiftName(of: member), location: member.location,
            documentation: try documentation(of: member, arguments: []),
            type: try type(of: member, annotations), isWritable: access == "readwrite", changeSignal: changeSignal)
    }
}

// MARK: - Parts of members

extension InterfaceReader {
    private func argument(_ element: Element, of member: Element) throws(Problem) -> Argument {
        let name = element.attribute("name")
        let subject = "argument of \(member.attribute("name"))"
        let swiftName = try element.location.blamed(for: subject) { () throws(Fault) in
            try BusName.checkMember(name)
            return try SwiftName.member(name)
        }
        guard !ReservedNames.arguments.contains(swiftName) else {
            throw Problem(element.location, "\(subject): the generated code needs the name \(name) itself")
        }
        return Argument(name: name, swiftName: swiftName, type: try type(of: element, try annotations(of: element)))
    }

    private func check(_ arguments: [Argument], of member: Element) throws(Problem) {
        for (index, argument) in arguments.enumerated() {
            if let other = arguments[..<index].first(where: { $0.swiftName == argument.swiftName }) {
                let clash = other.name == argument.name ? "" : " and \(other.name), which are the same in Swift"
                throw Problem(
                    member.location,
                    "\(member.attribute("name")) has the argument \(argument.name)\(clash.isEmpty ? " twice" : clash)")
            }
        }
    }

    private func checkLength(_ arguments: [Argument], of member: Element) throws(Problem) {
        guard arguments.signature.utf8.count <= SignatureParser.longest else {
            throw Problem(
                member.location,
                "the signature of \(member.attribute("name")) is longer than \(SignatureParser.longest) bytes")
        }
    }

    private func swiftName(of member: Element) throws(Problem) -> String {
        try member.location.blamed(for: member.name) { () throws(Fault) in
            try SwiftName.member(member.attribute("name"))
        }
    }

    private func type(of element: Element, _ annotations: [Annotation]) throws(Problem) -> NamedType {
        let annotation = annotations.first { $0.name == StructureAnnotation.name }
        return try element.location.blamed(for: element.attribute("name")) { () throws(Fault) in
            let type = try SignatureParser.parse(element.attribute("type"))
            let structure = try annotation.map { (annotation) throws(Fault) in
                try StructureAnnotation(parsing: annotation.value)
            }
            return try NamedType(type, named: structure)
        }
    }

    private func annotations(of element: Element) throws(Problem) -> [Annotation] {
        var annotations: [Annotation] = []
        for child in element.children where child.name == "annotation" {
            let annotation = Annotation(name: child.attribute("name"), value: child.attribute("value"))
            try child.location.blamed(for: "annotation") { () throws(Fault) in
                _ = try BusName.interfaceElements(annotation.name)
            }
            guard !annotations.contains(where: { $0.name == annotation.name }) else {
                throw Problem(child.location, "\(element.attribute("name")) has \(annotation.name) twice")
            }
            if annotation.name == StructureAnnotation.name, !["arg", "property"].contains(element.name) {
                throw Problem(
                    child.location, "\(annotation.name) belongs to an <arg> or a <property>, not a <\(element.name)>")
            }
            annotations.append(annotation)
        }
        return annotations
    }

    private func documentation(
        of element: Element, arguments: [String]
    ) throws(Problem) -> Documentation {
        let name = element.attribute("name")
        guard let comment = element.comment else {
            throw Problem(
                element.location,
                "the \(element.name) \(name) is undocumented; a comment right before it is to begin with \"\(name):\"")
        }
        return try element.location.blamed(for: "comment of the \(element.name) \(name)") { () throws(Fault) in
            let documentation = try CommentParser.parse(comment)
            guard documentation.name == name else {
                throw Fault("it begins with \"\(documentation.name):\"; it is to begin with \"\(name):\"")
            }
            let documented = documentation.arguments.map(\.name)
            for argument in arguments where !documented.contains(argument) {
                throw Fault("the argument \(argument) is undocumented; a line \"@\(argument): …\" is to say what it is")
            }
            for argument in documented where !arguments.contains(argument) {
                throw Fault("there is no argument \(argument); there are \(list(arguments, or: "none"))")
            }
            return documentation
        }
    }
}

extension Element {
    /// An attribute that is known to be there.
    fileprivate func attribute(_ name: String) -> String { attributes[name] ?? "" }
}
