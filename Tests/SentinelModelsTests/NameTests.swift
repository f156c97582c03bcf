// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("A name")
struct NameTests {
    @Test(
        "is any text of 1 to 255 bytes",
        arguments: ["a", "/", "../", "a-b", "emoji 👩‍👩‍👧", "ά\u{200E}", String(repeating: "x", count: 255)])
    func valid(text: String) throws {
        #expect(try Name(text).text == text)
    }

    @Test(
        "is neither empty nor longer",
        arguments: ["", String(repeating: "x", count: 256), String(repeating: "é", count: 128)])
    func length(text: String) {
        let error = #expect(throws: SentinelError.self) { try Name(text) }
        #expect(error?.code == .invalidArgs)
    }

    @Test(
        "holds no control, line or bidirectional-override character",
        arguments: [
            0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069,
        ] as [ClosedRange<UInt32>])
    func forbidden(range: ClosedRange<UInt32>) throws {
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(throws: SentinelError.self) { try Name("a\(scalar)b") }
        }
        for value in [range.lowerBound &- 1, range.upperBound + 1] {
            guard let scalar = Unicode.Scalar(value), ![0x202A, 0x2029].contains(value) else { continue }
            _ = try Name("a\(scalar)b")
        }
    }

    @Test("with a line break inside a Swift character is seen all the same")
    func lineBreak() {
        let error = #expect(throws: SentinelError.self) { try Name("a\r\nb", as: "event type") }
        #expect(error?.message.hasPrefix("the event type holds U+000D") == true)
    }

    @Test("is told apart by its bytes, never by canonical equivalence")
    func identity() throws {
        let composed = try Name("\u{E9}")
        let decomposed = try Name("e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
        #expect(try Set([composed, Name("\u{E9}")]).count == 1)
    }

    @Test("is ordered as SQLite orders it, by UTF-8")
    func order() throws {
        let names = try ["\u{FF5E}", "\u{1F600}", "b", "a", "B", "ab"].map { try Name($0) }
        #expect(names.sorted().map(\.text) == ["B", "a", "ab", "b", "\u{FF5E}", "\u{1F600}"])
    }
}
