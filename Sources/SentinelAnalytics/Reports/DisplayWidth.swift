// SPDX-License-Identifier: MIT

/// How many columns of a terminal text takes, as nearly as it can be told without the terminal's font.
enum DisplayWidth {
    /// The columns of text.
    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The text in exactly so many columns: filled up with spaces, or cut with an ellipsis.
    static func fit(_ text: String, _ width: Int) -> String {
        let text = cut(text, width)
        return text + String(repeating: " ", count: max(0, width - of(text)))
    }

    /// The text in at most so many columns, cut with an ellipsis where it is longer.
    static func cut(_ text: String, _ width: Int) -> String {
        guard of(text) > width else { return text }
        var (result, taken) = ("", 1)
        for character in text {
            taken += of(character)
            guard taken <= width else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The text at the right end of so many columns.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - of(text))) + text
    }

    private static func of(_ character: Character) -> Int {
        // Terminals differ in what they do with sequences; the widest that they make of one counts.
        character.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }

    /// Wide and full-width characters of East Asia (Unicode Standard Annex 11), in whole blocks.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
