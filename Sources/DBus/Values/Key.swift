// SPDX-License-Identifier: MIT

import Glibc

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
        left.text.utf8.count == right.text.utf8.count && left.text.byteOrder(to: right.text) == 0
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Key: Comparable {
    public static func < (left: Key, right: Key) -> Bool {
        left.text.byteOrder(to: right.text) < 0
    }
}

extension String {
    /// Less than 0 where its bytes come before those of another text, more where they come behind. Byte by byte through
    /// the views this would cost more than all else of writing a small dictionary.
    fileprivate func byteOrder(to other: String) -> Int {
        let order = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.byteOrder(to: others)
            }
        }
        if let order = order ?? nil { return order }
        return utf8.elementsEqual(other.utf8) ? 0 : utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func byteOrder(to other: Self) -> Int {
        let shared = Swift.min(count, other.count)
        if let start = baseAddress, let otherStart = other.baseAddress, shared > 0 {
            let order = memcmp(start, otherStart, shared)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
