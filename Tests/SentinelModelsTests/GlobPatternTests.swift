// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("A shell pattern")
struct GlobPatternTests {
    @Test(
        "fits a whole text",
        arguments: [
            ("abc", "abc", true), ("abc", "abcd", false), ("abc", "xabc", false), ("*", "", true), ("*", "x", true),
            ("a*", "abc", true), ("*c", "abc", true), ("a*c", "ac", true), ("a*b*c", "axxbyybzc", true),
            ("a*b*c", "axxbyybz", false), ("?", "é", true), ("?", "", false), ("a?c", "abc", true),
            ("[abc]", "b", true), ("[!abc]", "b", false), ("[^abc]", "d", true), ("[a-c]x", "bx", true),
            ("[]]", "]", true), ("[!]]", "]", false), ("[a-]", "-", true), ("[\\]]", "]", true), ("\\*", "*", true),
            ("\\*", "x", false), ("org.*", "org.sentinel", true), ("é", "e\u{301}", false), (".*", ".git", true),
        ])
    func matches(pattern: String, text: String, fits: Bool) throws {
        #expect(try GlobPattern(pattern).matches(text) == fits)
    }

    @Test("is refused where it is none", arguments: ["", "[", "[a", "[]", "a\\", "[z-a]", "[a-", "[!"])
    func refusals(pattern: String) {
        #expect(throws: SentinelError.self) { try GlobPattern(pattern) }
    }

    @Test("has at most 1024 bytes")
    func length() throws {
        #expect(try GlobPattern(String(repeating: "é", count: 512)).matches(String(repeating: "é", count: 512)))
        #expect(throws: SentinelError.self) { try GlobPattern(String(repeating: "é", count: 512) + "a") }
    }

    // Tried in all ways, these stars take longer than any machine lasts.
    @Test("takes no time that grows with its stars", .timeLimit(.minutes(5)))
    func hostile() throws {
        let pattern = try GlobPattern(String(repeating: "*a", count: 120) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 10_000)))
    }
}
