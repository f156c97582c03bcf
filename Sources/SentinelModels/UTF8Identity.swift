// SPDX-License-Identifier: MIT

import Glibc

/// Text that is identified, hashed and ordered by its UTF-8 bytes, as SQLite and the bus do it. Swift's strings take
/// canonically equivalent texts ("é" composed and decomposed) for one.
public protocol UTF8Identity: Hashable, Comparable, CustomStringConvertible, Sendable {
    /// The text itself.
    var text: String { get }
}

extension UTF8Identity {
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        guard left.count == right.count else { return false }
        // Byte by byte through the view costs several times as much as all else of a look-up.
        let areSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(start, other, left.count) == 0
            }
        }
        return (areSame ?? nil) ?? left.elementsEqual(right)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            // No text holds this byte: what follows in a hash is not taken for a part of this.
            hasher.combine(0xFF as UInt8)
        }
    }

    public var description: String { text }
}
