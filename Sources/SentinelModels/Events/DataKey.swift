// SPDX-License-Identifier: MIT

/// A key in the data of an event; any text, and another key if its bytes are others.
public struct DataKey: Sendable, ExpressibleByStringLiteral {
    /// The text itself.
    public let text: String

    /// The key of a text.
    public init(_ text: String) {
        self.text = text
    }

    public init(stringLiteral text: String) {
        self.text = text
    }
}

extension DataKey: UTF8Identity {}
