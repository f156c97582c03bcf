// SPDX-License-Identifier: MIT

import Foundation

/// What a program is to print, with `…` for what differs: within a line for some characters of it, alone on a line for
/// any number of lines.
struct Transcript {
    private let pattern: String

    init(_ text: String) {
        guard !text.isEmpty else {
            pattern = ""
            return
        }
        pattern = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.trimmingCharacters(in: .whitespaces) == "…" {
                return "(?:.*\n)*?"
            }
            return line.components(separatedBy: "…").map(NSRegularExpression.escapedPattern(for:))
                .joined(separator: ".*?") + "\n"
        }.joined()
    }

    /// Whether a text is what is expected, from its first line to its last.
    func matches(_ text: String) -> Bool {
        let ended = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        return ended.range(of: "\\A(?:\(pattern))\\z", options: .regularExpression) != nil
    }
}
