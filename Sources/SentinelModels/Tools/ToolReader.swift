// SPDX-License-Identifier: MIT

/// Reads tools and screens out of their one JSON form: that of manifests, in which they are also stored, and into which
/// calls over the bus are turned.
public struct ToolReader {
    /// Where a screen comes from, and so what it may say.
    public enum Origin: Sendable {
        /// An application declares it.
        case declaration
        /// A provider was asked for it: it may say of items that they are modified, and why they cannot be had.
        case provider
    }

    private let origin: Origin
    private let limits: ToolLimits
    /// The places of members that are not known, in the order in which they were met.
    public private(set) var unknownMembers: [String] = []

    /// A reader for what comes from somewhere.
    public init(_ origin: Origin, limits: ToolLimits = .standard) {
        self.origin = origin
        self.limits = limits
    }

    /// Reads the tools of one application.
    ///
    /// - Throws: the first problem: with a tool, or two tools of one id.
    public mutating func tools(
        _ elements: [(json: JSONValue, path: String)]
    ) throws(DeclarationProblem) -> [Tool] {
        var tools: [Tool] = []
        var ids: Set<Name> = []
        for element in elements {
            let tool = try tool(element.json, at: element.path)
            guard ids.insert(tool.id).inserted else {
                throw DeclarationProblem("\(element.path).id", "another tool in this declaration has the same id")
            }
            tools.append(tool)
        }
        return tools
    }

    /// Reads one tool.
    ///
    /// - Throws: the first problem.
    public mutating func tool(_ json: JSONValue, at path: String) throws(DeclarationProblem) -> Tool {
        var reader = try object(json, at: path)
        let kindName = try reader.text("kind")
        guard let kind = Tool.Kind(rawValue: kindName) else {
            let known = Tool.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.problem("kind", "expected one of \(known)")
        }
        let tool = Tool(
            id: try reader.name("id"), name: try reader.text("name"), kind: kind,
            sections: try sections(try reader.elements("sections", limit: limits.sections)),
            description: try reader.optionalText("description", hasLines: true), icon: try reader.optionalText("icon"),
            isLive: try reader.flag("live"))
        unknownMembers += reader.unknownMembers
        try check(tool.byteCount, at: path)
        return tool
    }

    /// Reads the sections of a screen.
    ///
    /// - Throws: the first problem: with a section or an item, or two sections or items of one id.
    public mutating func sections(
        _ elements: [(json: JSONValue, path: String)]
    ) throws(DeclarationProblem) -> [ToolSection] {
        var sections: [ToolSection] = []
        var ids: Set<Name> = []
        var items = ItemIDs(limit: limits.items)
        var byteCount = 0
        for element in elements {
            let section = try section(element.json, at: element.path, &items)
            guard ids.insert(section.id).inserted else {
                throw DeclarationProblem("\(element.path).id", "another section of this screen has the same id")
            }
            sections.append(section)
            byteCount += section.byteCount
            try check(byteCount, at: element.path)
        }
        return sections
    }

    private func object(_ json: JSONValue, at path: String) throws(DeclarationProblem) -> DeclarationReader {
        try DeclarationReader(json, at: path, textLimit: limits.labelBytes)
    }

    private func check(_ byteCount: Int, at path: String) throws(DeclarationProblem) {
        guard byteCount <= limits.toolBytes else {
            throw DeclarationProblem(
                path, "a tool of more than \(limits.toolBytes) bytes is too large", code: .limitsExceeded)
        }
    }

    /// The ids of a screen's items so far.
    private struct ItemIDs {
        let limit: Int
        var seen: Set<Name> = []

        mutating func insert(_ id: Name, at path: String) throws(DeclarationProblem) {
            guard seen.insert(id).inserted else {
                throw DeclarationProblem("\(path).id", "another item of this tool has the same id")
            }
            guard seen.count <= limit else {
                throw DeclarationProblem(
                    path, "the items are too many: a tool has at most \(limit)", code: .limitsExceeded)
            }
        }
    }

    private mutating func section(
        _ json: JSONValue, at path: String, _ ids: inout ItemIDs
    ) throws(DeclarationProblem) -> ToolSection {
        var reader = try object(json, at: path)
        var items: [ToolItem] = []
        for element in try reader.elements("items", limit: limits.items) {
            let item = try item(element.json, at: element.path)
            try ids.insert(item.id, at: element.path)
            items.append(item)
        }
        let section = ToolSection(
            id: try reader.name("id"), title: try reader.optionalText("title") ?? "", items: items,
            description: try reader.optionalText("description", hasLines: true), icon: try reader.optionalText("icon"),
            footer: try reader.optionalText("footer", hasLines: true))
        unknownMembers += reader.unknownMembers
        return section
    }
}

// MARK: - Items

extension ToolReader {
    private mutating func item(_ json: JSONValue, at path: String) throws(DeclarationProblem) -> ToolItem {
        var reader = try object(json, at: path)
        let kind = ToolItemKind(try reader.name("kind"))
        let id = try reader.name("id")
        let title = try reader.optionalText("title") ?? ""
        let attributes = try attributes(&reader)
        let rule = try rule(for: kind, &reader)
        let item = ToolItem(
            id: id, kind: kind, title: title, value: try value(kind, rule, attributes, &reader), rule: rule,
            attributes: attributes, target: try target(of: kind, &reader),
            parameters: try parameters(of: kind, &reader))
        unknownMembers += reader.unknownMembers
        return item
    }

    private func attributes(_ reader: inout DeclarationReader) throws(DeclarationProblem) -> ToolItemAttributes {
        var attributes = ToolItemAttributes()
        attributes.description = try reader.optionalText("description", hasLines: true)
        attributes.unit = try reader.optionalText("unit")
        attributes.icon = try reader.optionalText("icon")
        attributes.isWritable = try reader.flag("writable")
        attributes.isSensitive = try reader.flag("sensitive")
        attributes.isLive = try reader.flag("live")
        if origin == .provider {
            attributes.isModified = try reader.flag("modified")
            attributes.error = try reader.optionalText("error", hasLines: true)
        }
        return attributes
    }

    private mutating func rule(
        for kind: ToolItemKind, _ reader: inout DeclarationReader
    ) throws(DeclarationProblem) -> ValueRule? {
        let minimum = try reader.optionalScalar("min")
        let maximum = try reader.optionalScalar("max")
        let maximumLength = try reader.optionalCount("max_length")
        let choices = try choices(&reader)
        guard case .value(let valueKind) = kind else {
            guard minimum == nil, maximum == nil, maximumLength == nil, choices.isEmpty else {
                throw DeclarationProblem(
                    reader.path, "min, max, max_length and choices are not for the kind \(kind.name)")
            }
            return nil
        }
        do throws(SentinelError) {
            return try ValueRule(
                valueKind, minimum: minimum, maximum: maximum, maximumLength: maximumLength, choices: choices)
        } catch {
            throw DeclarationProblem(reader.path, error.message, code: error.code)
        }
    }

    private mutating func choices(_ reader: inout DeclarationReader) throws(DeclarationProblem) -> [PreferenceChoice] {
        var choices: [PreferenceChoice] = []
        for element in try reader.elements("choices", limit: limits.choices) {
            var choice = try object(element.json, at: element.path)
            guard let value = try choice.optionalScalar("value") else {
                throw choice.problem("value", "it is missing")
            }
            choices.append(PreferenceChoice(value, title: try choice.optionalText("title") ?? ""))
            unknownMembers += choice.unknownMembers
        }
        return choices
    }

    private func value(
        _ kind: ToolItemKind, _ rule: ValueRule?, _ attributes: ToolItemAttributes,
        _ reader: inout DeclarationReader
    ) throws(DeclarationProblem) -> PreferenceValue? {
        guard let value = try reader.optionalScalar("value") else {
            // What is asked from the provider has no value of its own.
            if !kind.hasValue || attributes.isLive || attributes.error != nil { return nil }
            throw reader.problem("value", "it is missing")
        }
        guard kind.hasValue else {
            guard value == .text("") else {
                throw reader.problem("value", "expected the empty text: the kind \(kind.name) has no value")
            }
            return nil
        }
        if attributes.error != nil { return nil }
        guard let rule else { return value }
        do throws(SentinelError) {
            return try rule.canonical(value)
        } catch {
            if attributes.isLive, value == .text("") { return nil }
            throw reader.problem("value", error.message)
        }
    }

    private func target(
        of kind: ToolItemKind, _ reader: inout DeclarationReader
    ) throws(DeclarationProblem) -> Name? {
        guard reader.value("target") != nil else {
            guard kind == .navigation else { return nil }
            throw reader.problem("target", "it is missing: the id of the tool that the item leads to")
        }
        let target = try reader.name("target")
        guard kind == .navigation else { throw reader.problem("target", "it is for the kind navigation") }
        return target
    }

    private mutating func parameters(
        of kind: ToolItemKind, _ reader: inout DeclarationReader
    ) throws(DeclarationProblem) -> [ToolParameter] {
        var parameters: [ToolParameter] = []
        var names: Set<Name> = []
        for element in try reader.elements("parameters", limit: limits.parameters) {
            guard kind == .action else { throw reader.problem("parameters", "they are for the kind action") }
            var parameter = try object(element.json, at: element.path)
            let kind = ToolItemKind(try parameter.name("kind"))
            let name = try parameter.name("name")
            guard names.insert(name).inserted else {
                throw parameter.problem("name", "another parameter of this action has the same name")
            }
            guard let rule = try rule(for: kind, &parameter) else {
                throw parameter.problem("kind", "expected one of toggle, integer, double, text, choice")
            }
            parameters.append(
                ToolParameter(
                    name: name, title: try parameter.optionalText("title") ?? "", rule: rule,
                    attributes: try attributes(&parameter)))
            unknownMembers += parameter.unknownMembers
        }
        return parameters
    }
}
