// SPDX-License-Identifier: MIT

extension PreferenceDeclaration {
    /// The names that members of a declaration in JSON can have, as ``init(json:limits:)`` takes them.
    public static let memberNames: [String] =
        ["key", "name", "kind", "default", "section", "description", "min", "max", "min_length", "max_length"]
        + ["pattern", "choices"] + PreferenceAttributes.Marks.names.map(\.name)

    /// The declaration as JSON, in the form of a manifest's.
    public var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("key", .string(key.text)), ("name", .string(name)), ("kind", .string(kind.rawValue)),
            ("default", defaultValue.json),
        ]
        let attributes = attributes
        let optional: [(key: String, value: JSONValue?)] = [
            ("section", attributes.section.map(JSONValue.string)),
            ("description", attributes.description.map(JSONValue.string)),
            ("min", attributes.minimum?.json),
            ("max", attributes.maximum?.json),
            ("min_length", attributes.minimumLength.map { .integer(Int64($0)) }),
            ("max_length", attributes.maximumLength.map { .integer(Int64($0)) }),
            ("pattern", attributes.pattern.map(JSONValue.string)),
            ("choices", attributes.choices.map { .array($0.map(\.json)) }),
        ]
        members += optional.compactMap { member in member.value.map { (member.key, $0) } }
        for (mark, name) in PreferenceAttributes.Marks.names where attributes.marks.contains(mark) {
            members.append((name, true))
        }
        return .object(members)
    }

    /// The declaration that JSON stands for, in the form of a manifest's; members of other names are ignored. A whole
    /// number is an integer unless `kind` says double.
    ///
    /// - Throws: `invalidArgs` for a member that is missing or of a wrong type, and as
    ///   ``init(key:name:kind:defaultValue:attributes:limits:)``.
    public init(json: JSONValue, limits: PreferenceLimits = .standard) throws(SentinelError) {
        let members = try PreferenceMembers(json)
        let key = try Name(try members.text("key") ?? "", as: "key")
        guard let defaultValue = try members.value("default") else {
            throw SentinelError(.invalidArgs, "preference \(key): there is no default")
        }
        var kind: PreferenceKind?
        if let name = try members.text("kind") {
            guard let named = PreferenceKind(rawValue: name) else {
                let names = PreferenceKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw SentinelError(.invalidArgs, "preference \(key): kind is none of \(names)")
            }
            kind = named
        }
        var attributes = PreferenceAttributes()
        attributes.section = try members.text("section")
        attributes.description = try members.text("description")
        attributes.minimum = try members.value("min")
        attributes.maximum = try members.value("max")
        attributes.minimumLength = try members.length("min_length")
        attributes.maximumLength = try members.length("max_length")
        attributes.pattern = try members.text("pattern")
        attributes.choices = try members.choices()
        for (mark, name) in PreferenceAttributes.Marks.names where try members.truth(name) == true {
            attributes.marks.insert(mark)
        }
        try self.init(
            key: key, name: try members.text("name") ?? key.text, kind: kind, defaultValue: defaultValue,
            attributes: attributes, limits: limits)
    }
}

extension PreferenceChoice {
    fileprivate var json: JSONValue { ["value": value.json, "title": .string(title)] }
}

/// The members of a declaration in JSON.
private struct PreferenceMembers {
    private let members: [(key: String, value: JSONValue)]

    init(_ json: JSONValue) throws(SentinelError) {
        guard case .object(let members) = json else {
            throw SentinelError(.invalidArgs, "a declaration is a JSON object")
        }
        self.members = members
    }

    private func member(_ name: String) -> JSONValue? {
        members.first { $0.key.utf8.elementsEqual(name.utf8) }?.value
    }

    private func refusal(_ name: String, _ wanted: String) -> SentinelError {
        SentinelError(.invalidArgs, "member \(name): expected \(wanted)")
    }

    func text(_ name: String) throws(SentinelError) -> String? {
        guard let json = member(name) else { return nil }
        guard case .string(let text) = json else { throw refusal(name, "text") }
        return text
    }

    func truth(_ name: String) throws(SentinelError) -> Bool? {
        guard let json = member(name) else { return nil }
        guard case .bool(let truth) = json else { throw refusal(name, "true or false") }
        return truth
    }

    func length(_ name: String) throws(SentinelError) -> UInt32? {
        guard let json = member(name) else { return nil }
        guard case .integer(let number) = json, let length = UInt32(exactly: number) else {
            throw refusal(name, "an integer from 0 to \(UInt32.max)")
        }
        return length
    }

    func value(_ name: String) throws(SentinelError) -> PreferenceValue? {
        guard let json = member(name) else { return nil }
        guard let value = PreferenceValue(json: json) else { throw refusal(name, PreferenceValue.expectation) }
        return value
    }

    func choices() throws(SentinelError) -> [PreferenceChoice]? {
        guard let json = member("choices") else { return nil }
        guard case .array(let elements) = json else { throw refusal("choices", "an array") }
        var choices: [PreferenceChoice] = []
        for element in elements {
            let members = try PreferenceMembers(element)
            guard let value = try members.value("value") else {
                throw refusal("choices", "objects with value and title")
            }
            choices.append(PreferenceChoice(value, title: try members.text("title") ?? value.titleByDefault))
        }
        return choices
    }
}

extension PreferenceValue {
    /// What a choice without a title is called.
    fileprivate var titleByDefault: String {
        if case .text(let text) = self { text } else { shown }
    }
}
