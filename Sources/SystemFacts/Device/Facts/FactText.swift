// SPDX-License-Identifier: MIT

/// Text from firmware, files and services, which can be anything, made fit to be shown.
enum FactText {
    /// The longest text that counts as a fact, in bytes.
    static let longest = 1024

    /// The text without blanks around it; unknown if it is empty, too long, not UTF-8, or has control characters,
    /// line separators or overrides of the writing direction.
    static func fact(_ text: String, from source: String) -> DeviceFact<String> {
        guard text.utf8.count <= longest else { return .unknown("\(source): longer than \(longest) bytes") }
        let trimmed = trim(text)
        guard !trimmed.isEmpty else { return .unknown("\(source): empty") }
        guard trimmed.unicodeScalars.allSatisfy(isAllowed) else {
            return .unknown("\(source): not UTF-8, or with control characters")
        }
        return .known(String(trimmed), from: source)
    }

    /// The same for what makers fill in, where a placeholder counts as unknown.
    static func firmwareFact(_ text: String, from source: String) -> DeviceFact<String> {
        fact(text, from: source).map({ isPlaceholder($0) ? nil : $0 }, otherwise: "a placeholder, not a fact")
    }

    /// Removes ASCII blanks from both ends.
    static func trim(_ text: String) -> Substring {
        trim(text[...])
    }

    static func trim(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while let first = bytes.first, isBlank(first) {
            bytes.removeFirst()
        }
        while let last = bytes.last, isBlank(last) {
            bytes.removeLast()
        }
        return Substring(bytes)
    }

    /// The lines of a text; Swift's characters take CR LF for one.
    static func lines(_ text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }

    /// The parts of a line `key: value`, without blanks; nil if it has no colon.
    static func pair(_ line: Substring) -> (key: Substring, value: Substring)? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (trim(line[..<colon]), trim(line[line.utf8.index(after: colon)...]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte) || byte == 0
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069, 0xfffd: false
        default: true
        }
    }

    /// Whether a maker has left the field as the firmware's kit had it.
    static func isPlaceholder(_ text: String) -> Bool {
        var name = text.lowercased()
        while name.utf8.last == UInt8(ascii: ".") || name.utf8.last == UInt8(ascii: "!") {
            name.removeLast()
        }
        if name.isEmpty || placeholders.contains(name) { return true }
        // Fields of one repeated character, such as "0000" and "xxxx".
        guard let first = name.unicodeScalars.first, "0x.-_*? ".unicodeScalars.contains(first) else { return false }
        return name.unicodeScalars.allSatisfy { $0 == first }
    }

    private static let placeholders: Set<String> = [
        "all series", "base board product name", "bios date", "bios version", "chassis manufacturer",
        "chassis version", "default", "default string", "empty", "invalid", "n/a", "na", "no enclosure", "none", "not",
        "not applicable", "not available", "not defined", "not specified", "null", "o.e.m", "oem", "oem string",
        "product name", "sku", "system manufacturer", "system product name", "system version",
        "to be filled by o.e.m", "to be filled by oem", "to be filled", "type1productconfigid", "undefined",
        "unknow", "unknown", "x.x",
    ]
}
