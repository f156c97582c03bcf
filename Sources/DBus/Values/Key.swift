// SPDX-License-Identifier: MIT

/// A text key of a dictionary, equal to another only if their bytes are equal.
///
/// Swift's `String` compares by canonical equivalence: "é" as one scalar and as two are the same string there, but
/// two keys on the bus.
public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text itself.
    public let text: String

    /// Makes a key of a text.
    public init(_ text: String) {
        self.text = text
    }

    public init(stringLiteral text: String) {
        self.text = text
    }

    public var description: String { text }

    public static func == (left: Key, right: Key) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Key: Comparable {
    public static func < (left: Key, right: Key) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
