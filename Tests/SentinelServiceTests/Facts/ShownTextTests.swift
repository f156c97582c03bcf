// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelService

@Suite("Shown text")
struct ShownTextTests {
    @Test(
        "control characters have signs in their places, and the direction of writing stays",
        arguments: [
            ("plain é 🇩🇪", "plain é 🇩🇪"), ("", ""), ("a\0b\tc\nd\r\n", "a␀b␉c␊d␍␊"), ("\u{1b}[2J\u{7f}", "␛[2J␡"),
            ("\u{85}\u{9b}", "\u{FFFD}\u{FFFD}"), ("\u{2028}\u{202e}x\u{2066}", "\u{FFFD}\u{FFFD}x\u{FFFD}"),
        ])
    func signs(text: String, shown: String) {
        #expect(ShownText.make(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test("a text as long as is shown stays whole, a longer one is cut between characters")
    func length() {
        let whole = String(repeating: "a", count: ShownText.longest)
        #expect(ShownText.make(whole) == whole)
        #expect(ShownText.make(whole + "b") == whole + "…")
        let wide = String(repeating: "🙂", count: ShownText.longest)
        let shown = ShownText.make(wide)
        #expect(shown.utf8.count == ShownText.longest + 3)
        #expect(shown.hasPrefix("🙂🙂") && shown.hasSuffix("🙂…"))
        // Signs are longer than what they stand for.
        let signs = ShownText.make(String(repeating: "\n", count: ShownText.longest))
        #expect(signs.utf8.count <= ShownText.longest + 3)
    }
}
