// SPDX-License-Identifier: MIT

/// What is to be done with events whose field fits a pattern, before they are stored. The first rule that fits counts.
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
        /// A member of its data, where it is text.
        case data(DataKey)
    }

    /// What is done with an event that fits.
    public let action: Action
    /// What is looked at.
    public let field: Field
    /// A shell pattern (glob(7)) for the whole of it.
    public let pattern: String

    /// A rule of these parts, which are taken as they are.
    public init(_ action: Action, _ field: Field, pattern: String) {
        self.action = action
        self.field = field
        self.pattern = pattern
    }
}
