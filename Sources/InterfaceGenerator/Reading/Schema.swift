// SPDX-License-Identifier: MIT

/// The elements of introspection data (D-Bus Specification, "Introspection Data Format").
struct Schema {
    /// The attributes in their canonical order.
    let attributes: [String]
    let requiredAttributes: Set<String>
    let children: Set<String>

    private static let elements = [
        "node": Schema(attributes: [], required: [], children: ["interface"]),
        "interface": Schema(
            attributes: ["name"], required: ["name"], children: ["method", "signal", "property", "annotation"]),
        "method": Schema(attributes: ["name"], required: ["name"], children: ["arg", "annotation"]),
        "signal": Schema(attributes: ["name"], required: ["name"], children: ["arg", "annotation"]),
        "property": Schema(
            attributes: ["name", "type", "access"], required: ["name", "type", "access"], children: ["annotation"]),
        "arg": Schema(
            attributes: ["type", "name", "direction"], required: ["type", "name"], children: ["annotation"]),
        "annotation": Schema(attributes: ["name", "value"], required: ["name", "value"], children: []),
    ]

    private init(attributes: [String], required: Set<String>, children: Set<String>) {
        self.attributes = attributes
        requiredAttributes = required
        self.children = children
    }

    /// What holds for an element.
    static func of(_ element: Element) throws(Problem) -> Schema {
        guard let schema = elements[element.name] else {
            throw Problem(
                element.location,
                "unknown element <\(element.name)>; known are \(list(elements.keys.sorted().map { "<\($0)>" }))")
        }
        return schema
    }

    /// Checks an element and everything in it.
    static func check(_ element: Element) throws(Problem) {
        let schema = try of(element)
        for name in element.attributes.keys.sorted() where !schema.attributes.contains(name) {
            throw Problem(
                element.location,
                "<\(element.name)> has no attribute \(name); it has \(list(schema.attributes, or: "none"))")
        }
        for name in schema.attributes where schema.requiredAttributes.contains(name) {
            guard element.attributes[name] != nil else {
                throw Problem(element.location, "<\(element.name)> needs the attribute \(name)")
            }
        }
        for child in element.children {
            guard schema.children.contains(child.name) else {
                let allowed = list(schema.children.sorted().map { "<\($0)>" }, or: "nothing")
                throw Problem(
                    child.location, "<\(child.name)> has no place in <\(element.name)>; allowed there is \(allowed)")
            }
            try check(child)
        }
    }
}

/// Words as a list in a sentence.
func list(_ words: [String], or nothing: String = "nothing") -> String {
    words.isEmpty ? nothing : words.joined(separator: ", ")
}
