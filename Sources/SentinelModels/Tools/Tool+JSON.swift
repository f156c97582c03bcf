// SPDX-License-Identifier: MIT

extension Tool {
    /// The tool in the form in which a manifest declares it; ``ToolReader`` reads the same tool from it.
    public var json: JSONValue {
        var members = JSONMembers()
        members.add("id", .string(id.text))
        members.add("name", .string(name))
        members.add("kind", .string(kind.rawValue))
        members.add("description", description)
        members.add("icon", icon)
        members.add("live", isLive)
        members.add("sections", .array(sections.map(\.json)))
        return .object(members.all)
    }
}

extension ToolSection {
    fileprivate var json: JSONValue {
        var members = JSONMembers()
        members.add("id", .string(id.text))
        members.add("title", .string(title))
        members.add("description", description)
        members.add("icon", icon)
        members.add("footer", footer)
        members.add("items", .array(items.map(\.json)))
        return .object(members.all)
    }
}

extension ToolItem {
    fileprivate var json: JSONValue {
        var members = JSONMembers()
        members.add("id", .string(id.text))
        members.add("kind", .string(kind.name))
        members.add("title", .string(title))
        members.add("value", value?.json)
        members.add(rule)
        members.add(attributes)
        members.add("target", target?.text)
        if !parameters.isEmpty {
            members.add("parameters", .array(parameters.map(\.json)))
        }
        return .object(members.all)
    }
}

extension ToolParameter {
    fileprivate var json: JSONValue {
        var members = JSONMembers()
        members.add("name", .string(name.text))
        members.add("kind", .string(rule.kind.rawValue))
        members.add("title", .string(title))
        members.add(rule)
        members.add(attributes)
        return .object(members.all)
    }
}

/// Members that are there only where they say something.
private struct JSONMembers {
    var all: [(key: String, value: JSONValue)] = []

    mutating func add(_ key: String, _ value: JSONValue?) {
        if let value {
            all.append((key, value))
        }
    }

    mutating func add(_ key: String, _ text: String?) {
        add(key, text.map(JSONValue.string))
    }

    mutating func add(_ key: String, _ flag: Bool) {
        add(key, flag ? .bool(true) : nil)
    }

    mutating func add(_ rule: ValueRule?) {
        guard let rule else { return }
        add("min", rule.minimum?.json)
        add("max", rule.maximum?.json)
        add("max_length", rule.maximumLength.map { .integer(Int64($0)) })
        if !rule.choices.isEmpty {
            add(
                "choices",
                .array(rule.choices.map { ["value": $0.value.json, "title": .string($0.title)] }))
        }
    }

    mutating func add(_ attributes: ToolItemAttributes) {
        add("description", attributes.description)
        add("unit", attributes.unit)
        add("icon", attributes.icon)
        add("writable", attributes.isWritable)
        add("sensitive", attributes.isSensitive)
        add("live", attributes.isLive)
    }
}
