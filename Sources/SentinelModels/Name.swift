// SPDX-License-Identifier: MIT

/// A name: a preference's key, a tool's, item's, action's or profile's id, an event's type or source. 1 to 255 bytes of
/// UTF-8 without control, line-breaking or direction-changing characters. Two names are one only if their bytes are.
public struct Name: Hashable, Comparable, CustomStringConvertible, Sendable {
    /// The longest a name may be, in bytes of UTF-8.
    public static let maximumByteCount = 255

    /// The name itself.
    public let text: String

    /// A name from text.
    ///
    /// - Parameter subject: what it names, for the message of an error.
    /// - Throws: `invalidArgs` where the text is no name.
    public init(_ text: String, as subject: String = "name") throws(SentinelError) {
        let count = text.utf8.count
        guard (1...Self.maximumByteCount).contains(count) else {
            throw SentinelError(
                .invalidArgs, "the \(subject) has \(count) bytes: 1 to \(Self.maximumByteCount) are allowed")
        }
        // Most names are printable ASCII, which is seen without decoding it.
        guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            self.text = text
            return
        }
        for scalar in text.unicodeScalars where !Self.isAllowed(scalar) {
            let code = String(scalar.value, radix: 16, uppercase: true)
            throw SentinelError(
                .invalidArgs,
                "the \(subject) holds U+\(String(repeating: "0", count: max(0, 4 - code.utf8.count)))\(code): control, "
                    + "line and bidirectional-override characters are not allowed")
        }
        self.text = text
    }

    /// A name that stands in the source.
    init(unchecked text: StaticString) {
        self.text = text.description
    }

    /// Whether a name may hold a character.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F:  // Cc
            false
        case 0x2028, 0x2029:  // line and paragraph separator
            false
        case 0x202A...0x202E, 0x2066...0x2069:  // embedding, override, isolate
            false
        default:
            true
        }
    }
}

extension Name: UTF8Identity {}
