// SPDX-License-Identifier: MIT

/// What is to be done with events whose field fits a pattern, before they are stored.
public struct EventRule: Hashable, Sendable {
    /// What is done.
    public enum Action: String, Sendable {
        /// The event is stored as it is.
        case allow
        /// The event is not stored.
        case deny
        /// The event is stored without data: for a field of the data without that one, else without all.
        case redact
    }

    /// What a rule looks at.
    public enum Field: Hashable, Sendable {
        /// The event's type.
        case type
        /// The event's source.
        case source
        /// A member of its data: a number or truth value by its text, an array or dictionary by what it holds.
        case data(DataKey)
    }

    /// What is done with an event that fits.
    public let action: Action
    /// What is looked at.
    public let field: Field
    /// What the whole of it must fit.
    public let pattern: GlobPattern

    /// A rule of these parts.
    public init(_ action: Action, _ field: Field, _ pattern: GlobPattern) {
        self.action = action
        self.field = field
        self.pattern = pattern
    }

    /// Whether an event's field fits the pattern.
    public func fits(_ event: Event) -> Bool {
        switch field {
        case .type: pattern.matches(event.type.text)
        case .source: pattern.matches(event.source.text)
        case .data(let key): event.data[key].map(fits) ?? false
        }
    }

    /// Whether a value fits, or one that it holds does; one that has no text fits where every text does.
    private func fits(_ value: DataValue) -> Bool {
        guard !pattern.matchesEverything else { return true }
        return switch value {
        case .boolean(let truth): pattern.matches(truth ? "true" : "false")
        case .integer(let number): pattern.matches(String(number))
        case .double(let number): pattern.matches(number.description)
        case .text(let text): pattern.matches(text)
        case .bytes: false
        case .array(let values): values.contains(where: fits)
        case .dictionary(let members): members.values.contains(where: fits)
        }
    }
}
