// SPDX-License-Identifier: MIT

/// A shell pattern (glob(7)) for the whole of a text: `*` stands for any text, `?` for one character, `[a-z]` for one
/// of some, `[!a-z]` for one of all others, and `\` takes the special meaning of what follows.
///
/// Matching takes time in proportion to the product of the lengths of pattern and text at most, whatever they hold.
public struct GlobPattern: Hashable, Sendable {
    private enum Part: Hashable {
        case character(Unicode.Scalar)
        case anyCharacter
        case anyText
        case oneOf([ClosedRange<UInt32>], isInverted: Bool)

        func fits(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .character(let expected): expected == scalar
            case .anyCharacter: true
            case .anyText: false
            case .oneOf(let ranges, let isInverted): ranges.contains { $0.contains(scalar.value) } != isInverted
            }
        }
    }

    /// The longest that a pattern may be, in bytes.
    public static let byteLimit = 1024

    /// The pattern as it was given.
    public let text: String
    private let parts: [Part]

    /// Reads a pattern.
    ///
    /// - Throws: `invalidArgs` for an empty one, one longer than ``byteLimit``, a `[` without its `]`, a range whose
    ///   end comes before its start, and a `\` at the end.
    public init(_ text: String) throws(SentinelError) {
        guard text.utf8.count <= Self.byteLimit else { throw Self.refusal("has more than \(Self.byteLimit) bytes") }
        var parts: [Part] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*":
                if parts.last != .anyText {
                    parts.append(.anyText)
                }
            case "?": parts.append(.anyCharacter)
            case "[": parts.append(try Self.set(&rest))
            case "\\":
                guard let literal = rest.popFirst() else { throw Self.refusal("ends with a backslash") }
                parts.append(.character(literal))
            default: parts.append(.character(scalar))
            }
        }
        guard !parts.isEmpty else { throw Self.refusal("is empty") }
        self.text = text
        self.parts = parts
    }

    /// Whether every text fits.
    public var matchesEverything: Bool { parts == [.anyText] }

    /// Whether a whole text fits.
    public func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var (part, position) = (0, 0)
        // Where to go on when what follows the last `*` does not fit: that `*` takes one character more.
        var retry: (part: Int, position: Int)?
        while position < scalars.count {
            if part < parts.count, parts[part] == .anyText {
                retry = (part + 1, position)
                part += 1
            } else if part < parts.count, parts[part].fits(scalars[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                (part, position) = (last.part, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anyText }
    }

    /// Reads what follows a `[`.
    private static func set(_ rest: inout Substring.UnicodeScalarView) throws(SentinelError) -> Part {
        let isInverted = rest.first == "!" || rest.first == "^"
        if isInverted {
            rest.removeFirst()
        }
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = rest.popFirst() {
            // The first one stands for itself, a `]` too.
            if scalar == "]", !ranges.isEmpty { return .oneOf(ranges, isInverted: isInverted) }
            let start = try literal(scalar, &rest)
            guard rest.first == "-", rest.dropFirst().first.map({ $0 != "]" }) ?? false else {
                ranges.append(start.value...start.value)
                continue
            }
            rest.removeFirst()
            guard let last = rest.popFirst() else { break }
            let end = try literal(last, &rest)
            guard start <= end else { throw refusal("holds a range whose end comes before its start") }
            ranges.append(start.value...end.value)
        }
        throw refusal("holds a '[' without its ']'")
    }

    private static func literal(
        _ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
    ) throws(SentinelError) -> Unicode.Scalar {
        guard scalar == "\\" else { return scalar }
        guard let escaped = rest.popFirst() else { throw refusal("ends with a backslash") }
        return escaped
    }

    private static func refusal(_ what: String) -> SentinelError {
        SentinelError(.invalidArgs, "the pattern \(what)")
    }
}
