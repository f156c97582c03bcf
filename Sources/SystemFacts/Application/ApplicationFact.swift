// SPDX-License-Identifier: MIT

/// One fact of an application, with its source.
public struct ApplicationFact: Hashable, Sendable {
    /// A fact's value.
    public enum Value: Hashable, Sendable {
        /// Text.
        case text(String)
        /// Texts.
        case list([String])
        /// Yes or no.
        case flag(Bool)
    }

    /// What it is, unique among an application's facts: group and name such as `desktop_entry.name`, in ASCII.
    public let key: String

    /// The value.
    public let value: Value

    /// Where it comes from.
    public let source: FactSource

    /// A fact.
    public init(key: String, value: Value, source: FactSource) {
        self.key = key
        self.value = value
        self.source = source
    }
}

/// A text with its source.
public struct SourcedText: Hashable, Sendable {
    /// The text, not empty.
    public let text: String
    /// Where it comes from.
    public let source: FactSource

    /// A text with its source; nil for no text.
    init?(_ text: String?, _ source: FactSource) {
        guard let text, !text.isEmpty else { return nil }
        self.text = text
        self.source = source
    }
}
