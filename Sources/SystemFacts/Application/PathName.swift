// SPDX-License-Identifier: MIT

/// Parts of paths and of dotted ids.
enum PathName {
    /// What follows the last slash.
    static func last(of path: String) -> String {
        part(of: path, after: UInt8(ascii: "/"))
    }

    /// What follows the last dot, in lower case.
    static func lastElement(of id: String) -> String {
        part(of: id, after: UInt8(ascii: ".")).lowercased()
    }

    private static func part(of text: String, after separator: UInt8) -> String {
        guard let place = text.utf8.lastIndex(of: separator) else { return text }
        return String(text[place...].utf8.dropFirst()) ?? text
    }
}
