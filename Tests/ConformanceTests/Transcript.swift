// SPDX-License-Identifier: MIT

import Foundation

/// What a program is to print, with `…` for what differs: within a line for some characters of it, alone on a line for
/// any number of lines.
struct Transcript {
    private let lines: [String]

    init(_ text: String) {
        lines = text.isEmpty ? [] : text.components(separatedBy: "\n")
    }

    /// Where a text is not what is expected; nil if it is, from its first line to its last.
    func difference(from text: String) -> String? {
        let ended = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        guard Self.end(of: lines, in: ended, anchored: true) == nil else { return nil }
        // The longest beginning that the text has tells where it goes wrong.
        for count in stride(from: lines.count, through: 0, by: -1) {
            if let end = Self.end(of: Array(lines[..<count]), in: ended, anchored: false) {
                let found = ended[end...].prefix { $0 != "\n" }
                let expected = count < lines.count ? lines[count] : "no more"
                return "line \(count + 1) is to be \(expected), but is \(found)\n\(text)"
            }
        }
        return text
    }

    /// Where lines that a text begins with end in it.
    private static func end(of lines: [String], in text: String, anchored: Bool) -> String.Index? {
        let pattern = lines.map { line in
            if line.trimmingCharacters(in: .whitespaces) == "…" {
                return "(?:.*\n)*?"
            }
            return line.components(separatedBy: "…").map(NSRegularExpression.escapedPattern(for:))
                .joined(separator: ".*?") + "\n"
        }.joined()
        return text.range(of: "\\A(?:\(pattern))\(anchored ? "\\z" : "")", options: .regularExpression)?.upperBound
    }
}
