// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// Turns what comes over the bus into the form of manifests, in which tools and screens are checked.
enum ScreenDocument {
    /// The attributes of an item whose values are scalars.
    private static let scalarKeys: [Key] = [
        "description", "unit", "icon", "writable", "sensitive", "live", "modified", "error", "min", "max", "max_length",
        "target",
    ]
    /// The attributes of a section.
    private static let sectionKeys: [Key] = ["description", "icon", "footer"]
    /// The attributes of a tool.
    private static let toolKeys: [Key] = ["description", "icon", "live"]

    /// A declaration of tools, each with its place.
    ///
    /// - Throws: the first problem.
    static func tools(
        _ declarations: [ToolDeclaration]
    ) throws(DeclarationProblem) -> [(json: JSONValue, path: String)] {
        var tools: [(json: JSONValue, path: String)] = []
        for (index, declaration) in declarations.enumerated() {
            let path = "tools[\(index)]"
            var members: [(key: String, value: JSONValue)] = [
                ("id", .string(declaration.id)), ("name", .string(declaration.name)),
                ("kind", .string(declaration.kind)),
            ]
            try add(toolKeys, of: declaration.attributes, to: &members, at: path)
            members.append(
                ("sections", .array(try sections(declaration.screen, at: "\(path).sections").map(\.json))))
            tools.append((.object(members), path))
        }
        return tools
    }

    /// The sections of a screen, each with its place.
    ///
    /// - Throws: the first problem.
    static func sections(
        _ sections: [Section], at path: String
    ) throws(DeclarationProblem) -> [(json: JSONValue, path: String)] {
        var documents: [(json: JSONValue, path: String)] = []
        for (index, section) in sections.enumerated() {
            let path = "\(path)[\(index)]"
            var members: [(key: String, value: JSONValue)] = [
                ("id", .string(section.id)), ("title", .string(section.title)),
            ]
            try add(sectionKeys, of: section.attributes, to: &members, at: path)
            var items: [JSONValue] = []
            for (index, item) in section.items.enumerated() {
                items.append(try self.item(item, at: "\(path).items[\(index)]"))
            }
            members.append(("items", .array(items)))
            documents.append((.object(members), path))
        }
        return documents
    }

    private static func item(_ item: Item, at path: String) throws(DeclarationProblem) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("id", .string(item.id)), ("kind", .string(item.kind)), ("title", .string(item.title)),
            ("value", try scalar(item.value, at: "\(path).value")),
        ]
        try addAttributes(item.attributes, to: &members, at: path)
        if let parameters = item.attributes["parameters"] {
            members.append(("parameters", try self.parameters(parameters, at: "\(path).parameters")))
        }
        return .object(members)
    }

    private static func addAttributes(
        _ attributes: [Key: Value], to members: inout [(key: String, value: JSONValue)], at path: String
    ) throws(DeclarationProblem) {
        try add(scalarKeys, of: attributes, to: &members, at: path)
        if let choices = attributes["choices"] {
            members.append(("choices", try self.choices(choices, at: "\(path).choices")))
        }
    }

    private static func add(
        _ keys: [Key], of attributes: [Key: Value], to members: inout [(key: String, value: JSONValue)],
        at path: String
    ) throws(DeclarationProblem) {
        for key in keys {
            if let value = attributes[key] {
                members.append((key.text, try scalar(value, at: "\(path).\(key)")))
            }
        }
    }

    private static func scalar(_ value: Value, at path: String) throws(DeclarationProblem) -> JSONValue {
        guard let scalar = value.preference else {
            throw DeclarationProblem(
                path,
                "expected b, an integer of 64 bits with a sign, a finite d or s, got a value of type "
                    + "\(value.unwrapped.type) that does not fit")
        }
        return scalar.json
    }

    private static func choices(_ value: Value, at path: String) throws(DeclarationProblem) -> JSONValue {
        var choices: [JSONValue] = []
        for (index, fields) in try structures(value, of: 2, "a(vs)", at: path).enumerated() {
            let path = "\(path)[\(index)]"
            choices.append([
                "value": try scalar(fields[0], at: "\(path).value"), "title": try text(fields[1], at: "\(path).title"),
            ])
        }
        return .array(choices)
    }

    private static func parameters(_ value: Value, at path: String) throws(DeclarationProblem) -> JSONValue {
        var parameters: [JSONValue] = []
        for (index, fields) in try structures(value, of: 4, "a(sssa{sv})", at: path).enumerated() {
            let path = "\(path)[\(index)]"
            var members: [(key: String, value: JSONValue)] = [
                ("name", try text(fields[0], at: "\(path).name")), ("kind", try text(fields[1], at: "\(path).kind")),
                ("title", try text(fields[2], at: "\(path).title")),
            ]
            let attributes: [Key: Value]
            do throws(DBusError) {
                attributes = try [Key: Value](fields[3])
            } catch {
                throw DeclarationProblem(path, "expected attributes (a{sv}): \(error.message)")
            }
            try addAttributes(attributes, to: &members, at: path)
            parameters.append(.object(members))
        }
        return .array(parameters)
    }

    private static func text(_ value: Value, at path: String) throws(DeclarationProblem) -> JSONValue {
        guard case .string(let text) = value.unwrapped else { throw DeclarationProblem(path, "expected text (s)") }
        return .string(text)
    }

    private static func structures(
        _ value: Value, of count: Int, _ type: String, at path: String
    ) throws(DeclarationProblem) -> [[Value]] {
        let wrong = DeclarationProblem(path, "expected a value of type \(type), got one of \(value.unwrapped.type)")
        guard case .array(let array) = value.unwrapped else { throw wrong }
        var structures: [[Value]] = []
        for element in array.elements {
            guard case .structure(let fields) = element.unwrapped, fields.count == count else { throw wrong }
            structures.append(fields)
        }
        return structures
    }
}
