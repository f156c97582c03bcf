// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("Preference patterns")
struct PreferencePatternTests {
    @Test(
        "a pattern matches the whole of a text or not at all",
        arguments: [
            ("[a-z]+", "abc", true), ("[a-z]+", "abc1", false), ("[a-z]+", "1abc", false), ("[a-z]+", "", false),
            ("a|ab", "ab", true), ("a|ab", "abb", false), ("x*", "", true), ("", "", true), ("", "a", false),
            ("^abc$", "abc", true), ("a)", "a)", true), ("(a|b){2}", "ab", true), ("(a|b){2}", "aba", false),
            ("..", "äö", true), ("....", "äö", false), ("[äö]+", "öä", true), ("a.c", "a\nc", true),
            ("abc", "abc\nabc", false), ("[[:digit:]]{3}", "123", true), ("\\.", ".", true), ("\\.", "x", false),
        ])
    func wholeText(pattern: String, text: String, matches: Bool) throws {
        #expect(try PreferencePattern(pattern).matches(text) == matches)
    }

    @Test("a malformed pattern is refused", arguments: ["(", "[a", "a{2", "*", "a{3,2}", "[[:nothing:]]", "\\"])
    func malformed(pattern: String) {
        let error = #expect(throws: SentinelError.self) { try PreferencePattern(pattern) }
        #expect(error?.code == .invalidArgs)
    }

    @Test("a back-reference, whose matching knows no bound, is refused", arguments: ["(a*)\\1", "(a)(b)\\2x"])
    func backReferences(pattern: String) {
        let error = #expect(throws: SentinelError.self) { try PreferencePattern(pattern) }
        #expect(error?.message.contains("back-reference") == true)
    }

    @Test(
        "a pattern that would take memory without bound is refused before it is compiled",
        arguments: [
            "((a{100}){100}){100}", "((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+", "a{1001}", "(a{,500}){3}", "(ab){1,600}",
            "[]a{]{32000}", "((((((((((x+)+)+)+)+)+)+)+)+)+)+",
            "(((a{30})?{30})?{30})?{20}", "(((a{30})*{30})*{30})*{20}",
        ])
    func tooLarge(pattern: String) {
        let error = #expect(throws: SentinelError.self) { try PreferencePattern(pattern) }
        #expect(error?.code == .limitsExceeded)
    }

    @Test(
        "the dearest patterns that are allowed match the longest texts in bounded time",
        arguments: [
            "(a|b)*a[ab]{900}", "(a|b)*a(a|b){200}", "(a*)*b", "(a|a)*(a|a)*c", "(a?){240}a{240}", "((a*)*)*",
            "(.*.*.*.*.*)*x",
        ])
    func dearest(pattern: String) throws {
        var generator = SplitMix(state: 7)
        let text = String((0..<4096).map { _ in generator.next() & 1 == 0 ? "a" : "b" })
        let compiled = try PreferencePattern(pattern)
        let begin = ContinuousClock.now
        _ = compiled.matches(text)
        _ = compiled.matches(String(repeating: "a", count: 4096))
        // Generous: what is to be told apart is seconds from hours.
        #expect(ContinuousClock.now - begin < .seconds(60))
    }

    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            return mixed ^ (mixed >> 31)
        }
    }
}
