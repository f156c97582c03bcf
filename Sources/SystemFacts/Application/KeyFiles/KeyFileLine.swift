// SPDX-License-Identifier: MIT

/// What one line of a key file says.
enum KeyFileLine {
    case nothing
    case group(String)
    case value(key: String, locale: String?, text: String)

    /// Reads a line, without its line feed.
    init(_ line: ArraySlice<UInt8>) throws(KeyFileProblem.Reason) {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let content = line.drop { $0.isASCIIWhitespace }
        guard let first = content.first, first != UInt8(ascii: "#") else {
            self = .nothing
            return
        }
        guard !content.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { throw .control }
        if first == UInt8(ascii: "[") {
            self = .group(try Self.groupName(in: content))
        } else {
            self = try Self.value(in: content)
        }
    }

    private static func groupName(in content: ArraySlice<UInt8>) throws(KeyFileProblem.Reason) -> String {
        let header = trimmed(content)
        guard header.count > 2, header.last == UInt8(ascii: "]") else { throw .badGroup }
        return try name(header.dropFirst().dropLast(), or: .badGroup)
    }

    private static func value(in content: ArraySlice<UInt8>) throws(KeyFileProblem.Reason) -> KeyFileLine {
        guard let equals = content.firstIndex(of: UInt8(ascii: "=")) else { throw .noKey }
        var key = trimmed(content[..<equals])
        var locale: String?
        if key.last == UInt8(ascii: "]") {
            guard let bracket = key.firstIndex(of: UInt8(ascii: "[")) else { throw .badKey }
            locale = String(decoding: key[bracket...].dropFirst().dropLast(), as: UTF8.self)
            key = trimmed(key[..<bracket])
        }
        let text = content[equals...].dropFirst().drop { $0.isASCIIWhitespace }
        guard let text = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
        return .value(key: try name(key, or: .badKey), locale: locale, text: text)
    }

    /// A key's or a group's name: ASCII without brackets. Keys are not held to the letters, digits and `-` of desktop
    /// entries, since those of Flatpak are names of buses and variables.
    private static func name(
        _ bytes: ArraySlice<UInt8>, or problem: KeyFileProblem.Reason
    ) throws(KeyFileProblem.Reason) -> String {
        guard !bytes.isEmpty,
            bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
        else { throw problem }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0.isASCIIWhitespace }
        while let last = bytes.last, last.isASCIIWhitespace {
            bytes = bytes.dropLast()
        }
        return bytes
    }
}
