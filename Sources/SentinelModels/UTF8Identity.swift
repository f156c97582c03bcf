// SPDX-License-Identifier: MIT

/// Text that is identified, hashed and ordered by its UTF-8 bytes, as SQLite and the bus do it. Swift's strings take
/// canonically equivalent texts ("é" composed and decomposed) for one.
protocol UTF8Identity: Hashable, Comparable, CustomStringConvertible, Sendable {
    var text: String { get }
}

extension UTF8Identity {
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }

    public var description: String { text }
}
