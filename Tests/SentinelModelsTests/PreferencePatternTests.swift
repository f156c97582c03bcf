// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("Preference patterns")
struct PreferencePatternTests {
    @Test(
        "a pattern matches the whole of a text or not at all",
        arguments: [
            ("[a-z]+", "abc", true), ("[a-z]+", "abc1", false), ("[a-z]+", "1abc", false), ("[a-z]+", "", false),
            ("a|ab", "ab", true), ("a|ab", "abb", false), ("a|ab|abb", "abb", true), ("x*", "", true), ("", "", true),
            ("", "a", false), ("^abc$", "abc", true), ("a)", "a)", true), ("(a|b){2}", "ab", true),
            ("(a|b){2}", "aba", false),
            ("..", "äö", true), ("....", "äö", false), ("[äö]+", "öä", true), ("a.c", "a\nc", true),
            ("abc", "abc\nabc", false), ("[[:digit:]]{3}", "123", true), ("\\.", ".", true), ("\\.", "x", false),
            ("(^|a)b$", "b", true), ("[0-9a-f]{8}(-[0-9a-f]{4}){3}", "01234567-89ab-cdef-0123", true),
            ("[a-z0-9.-]{1,253}", "example.org", true), ("(a?b)*", "bab", true), ("[*(]{3}", "(*(", true),
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
            "((a{100}){100}){100}", "((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+", "a{300}", "(a{,100}b){3}",
            "(ab){1,600}", "[]a{]{32000}", "((((((((((x+)+)+)+)+)+)+)+)+)+)+", "(a?b){50}",
            String(repeating: "a?", count: 70), String(repeating: "(^|a)", count: 5), "^a$|^b$|\\bc",
        ])
    func tooLarge(pattern: String) {
        let error = #expect(throws: SentinelError.self) { try PreferencePattern(pattern) }
        #expect(error?.code == .limitsExceeded)
    }

    @Test(
        "a repetition of what can be empty, which takes libc time without bound to compile, is refused",
        arguments: [
            "((a?)*){198}", "(a*)*b", "((a*)*)*", "(a|b|)+", "(()*){2}", "(a?b?){2}", "(^|a?){50}", "(^a){2}",
            "(\\bx)*", "(((.|){0,5}|(($)*))){8}", "((.{3}|)*){2}", "a**", "(((a{30})?{30})?{30})?{20}", "(a{0}|b){2}",
            "a|*",
        ])
    func emptyRepetitions(pattern: String) {
        let error = #expect(throws: SentinelError.self) { try PreferencePattern(pattern) }
        #expect(error?.code == .invalidArgs)
        #expect(error?.message.contains("repeats") == true)
    }

    @Test(
        "the dearest patterns that are allowed match the longest texts in bounded time",
        arguments: [
            "(a|b)*a[ab]{280}", "(a|b)*a(a|b){55}", "(a|a)*(a|a)*c", "(a+)+b", String(repeating: "[^b]*", count: 58),
            "a([^b]|[^c]|[^d]|[^e]|[^f]|[^g]|[^h]|[^i])*0", "([^b]+){40}", "(.{0,10}x)?(\u{E9}|.{0,10}z){12}",
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
