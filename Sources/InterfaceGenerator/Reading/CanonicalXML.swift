// SPDX-License-Identifier: MIT

/// Writes an element as introspection data has it: one space deeper at each level, without comments, the attributes
/// in one order.
enum CanonicalXML {
    /// The text of a checked element, without a line break at its end.
    static func text(of element: Element, depth: Int = 1) throws(Problem) -> String {
        let schema = try Schema.of(element)
        let indentation = String(repeating: " ", count: depth)
        var text = "\(indentation)<\(element.name)"
        for name in schema.attributes {
            if let value = element.attributes[name] {
                text += " \(name)=\"\(escaped(try canonical(value, of: name, in: element)))\""
            }
        }
        guard !element.children.isEmpty else { return text + "/>" }
        text += ">\n"
        for child in element.children {
            text += try self.text(of: child, depth: depth + 1) + "\n"
        }
        return text + "\(indentation)</\(element.name)>"
    }

    /// The value without what means nothing: the names of a structure may be spread over lines.
    private static func canonical(
        _ value: String, of attribute: String, in element: Element
    ) throws(Problem) -> String {
        guard element.name == "annotation", attribute == "value",
            element.attributes["name"] == StructureAnnotation.name
        else { return value }
        return try element.location.blamed(for: "annotation") { () throws(Fault) in
            try StructureAnnotation(parsing: value).description
        }
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
