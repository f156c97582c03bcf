// SPDX-License-Identifier: MIT

/// An item of a screen: something to look at, to change, to go to or to do.
public struct ToolItem: Equatable, Sendable {
    /// Id, unique within the tool.
    public let id: Name
    /// What kind of item it is.
    public let kind: ToolItemKind
    /// Title for people.
    public let title: String
    /// Its value; nil for what has none, and for one that cannot be had.
    public let value: PreferenceValue?
    /// What the value may be; nil for kinds that take every value or none.
    public let rule: ValueRule?
    /// What else is said of it.
    public let attributes: ToolItemAttributes
    /// Id of the tool that a `navigation` item leads to.
    public let target: Name?
    /// What an `action` takes, in order; the names are unique in it.
    public let parameters: [ToolParameter]

    /// An item of these parts, which are taken as they are.
    public init(
        id: Name, kind: ToolItemKind, title: String, value: PreferenceValue? = nil, rule: ValueRule? = nil,
        attributes: ToolItemAttributes = ToolItemAttributes(), target: Name? = nil, parameters: [ToolParameter] = []
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.value = value
        self.rule = rule
        self.attributes = attributes
        self.target = target
        self.parameters = parameters
    }

    /// Whether its value can be changed from outside: kinds that nobody knows here are only shown.
    public var isWritable: Bool { attributes.isWritable && rule != nil }

    /// The value in the type that it is kept and given out in.
    ///
    /// - Throws: `invalidValue` where it does not fit.
    public func canonical(_ value: PreferenceValue?) throws(SentinelError) -> PreferenceValue {
        if let rule { return try rule.canonical(value) }
        guard kind.hasValue else {
            throw SentinelError(.invalidValue, "an item of kind \(kind.name) has no value")
        }
        guard let value else { throw SentinelError(.invalidValue, "expected \(PreferenceValue.expectation)") }
        return value
    }

    var byteCount: Int {
        let texts = [title, attributes.description, attributes.unit, attributes.icon, attributes.error, target?.text]
        return 64 + id.text.utf8.count + kind.name.utf8.count + (value?.byteCount ?? 0) + (rule?.byteCount ?? 0)
            + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } + parameters.reduce(0) { $0 + $1.byteCount }
    }
}

/// What is said of an item beside its value.
public struct ToolItemAttributes: Hashable, Sendable {
    /// Explanation for people.
    public var description: String?
    /// Unit of the value.
    public var unit: String?
    /// Icon name, or absolute path of a picture.
    public var icon: String?
    /// Whether the value may be changed.
    public var isWritable = false
    /// Whether the value is not shown unless asked for.
    public var isSensitive = false
    /// Whether the value is asked from the provider.
    public var isLive = false
    /// Whether the value is not the declared one; only content has it.
    public var isModified = false
    /// Why the value cannot be had; only content has it.
    public var error: String?

    /// Nothing said.
    public init() {}
}

/// What kind of item something is.
public enum ToolItemKind: Hashable, Sendable {
    /// One whose value has a rule: `toggle`, `integer`, `double`, `text`, `choice`.
    case value(PreferenceKind)
    /// A value of any type to look at.
    case info
    /// A measured value to look at.
    case performance
    /// A way to another tool.
    case navigation
    /// Something to do.
    case action
    /// Something that a client knows how to draw.
    case custom
    /// A kind that is not known here: its value is to be looked at.
    case other(Name)

    /// A kind by its name, whatever it is.
    public init(_ name: Name) {
        if let kind = PreferenceKind(rawValue: name.text) {
            self = .value(kind)
            return
        }
        switch name.text {
        case "info": self = .info
        case "performance": self = .performance
        case "navigation": self = .navigation
        case "action": self = .action
        case "custom": self = .custom
        default: self = .other(name)
        }
    }

    /// Its name.
    public var name: String {
        switch self {
        case .value(let kind): kind.rawValue
        case .info: "info"
        case .performance: "performance"
        case .navigation: "navigation"
        case .action: "action"
        case .custom: "custom"
        case .other(let name): name.text
        }
    }

    /// Whether an item of this kind has a value.
    public var hasValue: Bool {
        switch self {
        case .navigation, .action, .custom: false
        case .value, .info, .performance, .other: true
        }
    }
}

/// Something that an action takes.
public struct ToolParameter: Equatable, Sendable {
    /// Name, unique within the action.
    public let name: Name
    /// Title for people.
    public let title: String
    /// What the value may be.
    public let rule: ValueRule
    /// What else is said of it.
    public let attributes: ToolItemAttributes

    /// A parameter of these parts, which are taken as they are.
    public init(
        name: Name, title: String, rule: ValueRule, attributes: ToolItemAttributes = ToolItemAttributes()
    ) {
        self.name = name
        self.title = title
        self.rule = rule
        self.attributes = attributes
    }

    var byteCount: Int {
        let texts = [title, attributes.description, attributes.unit, attributes.icon]
        return 64 + name.text.utf8.count + rule.byteCount + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension PreferenceValue {
    /// How many bytes it takes, as limits of tools count them.
    public var byteCount: Int {
        switch self {
        case .boolean: 1
        case .integer, .double: 8
        case .text(let text): text.utf8.count
        }
    }
}

extension ValueRule {
    var byteCount: Int {
        choices.reduce(32) { $0 + 16 + $1.value.byteCount + $1.title.utf8.count }
    }
}
