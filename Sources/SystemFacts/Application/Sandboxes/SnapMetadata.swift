// SPDX-License-Identifier: MIT

/// What `meta/snap.yaml` says at its top level.
///
/// Only lines `key: value` without indentation are read, with plain and quoted values on one or more lines; that is how
/// snapcraft writes these keys. What else there is in YAML is passed over.
struct SnapMetadata {
    static let maximumByteCount = 256 << 10
    /// The longest value that is taken.
    static let maximumValueByteCount = 4096
    private static let keys: Set<String> = ["name", "version", "summary", "title", "confinement"]

    /// Values of the keys that are known, without quotes.
    private(set) var values: [String: String] = [:]

    init(_ text: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            guard let (key, first) = Self.entry(in: line), values[key] == nil, !Self.isBlock(first) else { continue }
            var value = first
            // A value goes on on lines that are indented.
            while let next = lines.first, next.first == UInt8(ascii: " "),
                value.utf8.count <= Self.maximumValueByteCount
            {
                value += " " + Self.trimmed(next)
                _ = lines.popFirst()
            }
            if let scalar = Self.scalar(value), (1...Self.maximumValueByteCount).contains(scalar.utf8.count) {
                values[key] = scalar
            }
        }
    }

    private static func entry(in line: Substring.UTF8View) -> (String, String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = line[colon...].dropFirst()
        let key = String(decoding: line[..<colon], as: UTF8.self)
        guard keys.contains(key), rest.first.map(\.isASCIIWhitespace) ?? true else { return nil }
        return (key, trimmed(rest))
    }

    /// Whether a value is one of the forms that are passed over: blocks, collections, tags, anchors.
    private static func isBlock(_ value: String) -> Bool {
        value.utf8.first.map { "|>[{&*!".utf8.contains($0) } ?? false
    }

    private static func scalar(_ value: String) -> String? {
        switch value.utf8.first {
        case UInt8(ascii: "'"): quoted(value, by: UInt8(ascii: "'"))
        case UInt8(ascii: "\""): quoted(value, by: UInt8(ascii: "\""))
        default: plain(value)
        }
    }

    private static func quoted(_ value: String, by quote: UInt8) -> String? {
        var cursor = ByteCursor(value.utf8.dropFirst())
        var bytes: [UInt8] = []
        while let byte = cursor.take() {
            if byte == quote {
                // Two single quotes are one.
                guard quote == UInt8(ascii: "'"), cursor.take(quote) else {
                    return String(decoding: bytes, as: UTF8.self)
                }
                bytes.append(quote)
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                guard let escaped = cursor.take(), "\"\\/".utf8.contains(escaped) else { return nil }
                bytes.append(escaped)
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }

    /// A value without quotes: up to a comment, which has a space before it.
    private static func plain(_ value: String) -> String {
        var cursor = ByteCursor(value.utf8)
        guard let comment = cursor.take(upTo: " #") else { return value.utf8.first == UInt8(ascii: "#") ? "" : value }
        return trimmed(Substring(decoding: comment, as: UTF8.self).utf8)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes.drop { $0.isASCIIWhitespace }
        while let last = bytes.last, last.isASCIIWhitespace {
            bytes = bytes.dropLast()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
