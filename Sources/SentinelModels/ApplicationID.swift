// SPDX-License-Identifier: MIT

/// An application's id, with the syntax of a well-known bus name (D-Bus Specification, "Valid Names"): at least two
/// elements of letters, digits, `_` and `-` with dots between, none beginning with a digit, at most 255 bytes. Ids that
/// differ in case are different.
public struct ApplicationID: Hashable, Comparable, CustomStringConvertible, Sendable {
    /// The longest an id may be, in bytes.
    public static let maximumByteCount = 255

    /// The service itself.
    public static let sentinel = ApplicationID(unchecked: "org.sentinel")

    /// The id itself, in ASCII.
    public let text: String

    /// An id from text.
    ///
    /// - Throws: `invalidArgs` where the text is no id.
    public init(_ text: String) throws(SentinelError) {
        let count = text.utf8.count
        guard count <= Self.maximumByteCount else {
            throw SentinelError(
                .invalidArgs, "the application id has \(count) bytes: at most \(Self.maximumByteCount) are allowed")
        }
        guard Self.isValid(text) else {
            throw SentinelError(
                .invalidArgs,
                "the application id is not valid: two or more elements of letters, digits, '_' and '-' are wanted, "
                    + "with dots between and none beginning with a digit, as in 'com.example.App'")
        }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    private static func isValid(_ text: String) -> Bool {
        let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return elements.count >= 2
            && elements.allSatisfy { element in
                guard let first = element.first, !first.isASCIIDigit else { return false }
                return element.allSatisfy {
                    $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                }
            }
    }
}

extension ApplicationID: UTF8Identity {}

extension ApplicationID {
    /// The id as one element of an object path: `com.example.App` → `com_2eexample_2eApp`.
    public var busLabel: String {
        BusLabel.escape(text)
    }

    /// The id that an element of an object path stands for.
    ///
    /// - Throws: `invalidArgs` where it stands for none, or is not the one way to write it.
    public init(busLabel: String) throws(SentinelError) {
        guard let text = BusLabel.unescape(busLabel) else {
            throw SentinelError(.invalidArgs, "the path element stands for no application id")
        }
        try self.init(text)
    }
}
