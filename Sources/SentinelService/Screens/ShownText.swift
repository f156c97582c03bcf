// SPDX-License-Identifier: MIT

/// Text that processes and files have made, fit to be shown: nothing in it moves a cursor, turns the direction of writing
/// or fills a screen.
enum ShownText {
    /// The longest text that is shown whole, in bytes.
    static let longest = 8 << 10

    /// The text with signs in the place of control characters and a sign of omission where it is cut.
    ///
    /// - Parameter limit: how many bytes of it are shown.
    static func make(_ text: String, limit: Int = longest) -> String {
        var shown = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let visible = visible(scalar)
            count += UTF8.width(visible)
            guard count <= limit else {
                shown.append("…")
                break
            }
            shown.append(visible)
        }
        return String(shown)
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        // The pictures of control characters in Unicode stand in their order.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        // C1 controls, line and paragraph separators, overrides of the writing direction.
        case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
