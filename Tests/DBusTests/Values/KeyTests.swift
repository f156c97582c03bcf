// SPDX-License-Identifier: MIT

import DBus
import Testing

@Suite("Keys")
struct KeyTests {
    private static let composed = Key("\u{e9}")
    private static let decomposed = Key("e\u{301}")

    @Test("é as one scalar and as two are equal texts but different keys")
    func identity() {
        #expect(Self.composed.text == Self.decomposed.text)
        #expect(Self.composed != Self.decomposed)
        #expect(Set([Self.composed, Self.decomposed, "\u{e9}"]).count == 2)
        #expect([Self.composed: 1, Self.decomposed: 2][Self.decomposed] == 2)
    }

    @Test("keys sort by their bytes")
    func order() {
        #expect(
            [Self.composed, Self.decomposed, "z", "", "Z"].sorted() == ["", "Z", Self.decomposed, "z", Self.composed])
    }

    @Test(
        "the same text made in different ways is the same key",
        arguments: ["", "a", "😀", String(repeating: "x", count: 99)])
    func sameText(_ text: String) {
        let rebuilt = Key(String(decoding: Array(text.utf8), as: UTF8.self))
        #expect(Key(text) == rebuilt)
        #expect(Key(text).hashValue == rebuilt.hashValue)
        #expect(Key(text).description == text)
    }
}
