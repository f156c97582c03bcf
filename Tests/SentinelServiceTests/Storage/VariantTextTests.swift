// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("The text of a GVariant")
struct VariantTextTests {
    private static func value(_ text: String) throws -> PreferenceValue { try VariantText.value(of: text.utf8) }

    @Test(
        "stands for a value with its type",
        arguments: [
            ("true\n", PreferenceValue.boolean(true)), ("false", .boolean(false)), ("-5\n", .integer(-5)),
            ("uint32 5", .integer(5)), ("byte 0xff", .integer(255)), ("0x0a", .integer(10)),
            ("int64 -9223372036854775808", .integer(.min)), ("uint64 9223372036854775808", .double(0x1p63)),
            ("1.5", .double(1.5)), ("5.0", .double(5)), ("1.0000000000000001e+300", .double(1e300)),
            ("double 3.5", .double(3.5)), ("''", .text("")), ("'a \"b\"'", .text("a \"b\"")),
            (#""it's""#, .text("it's")), (#"'it\'s \\ \n\a\u00e9\U0001f989'"#, .text("it's \\ \n\u{7}é🦉")),
            ("'é 🦉'", .text("é 🦉")), ("'true'", .text("true")), ("'5'", .text("5")),
        ])
    func read(text: String, value: PreferenceValue) throws {
        #expect(try Self.value(text) == value)
    }

    @Test(
        "of a type that no preference has is refused by name",
        arguments: [
            ("@as []", "array"), ("['a']", "array"), ("{'a': 1}", "dictionary"), ("(1, 2)", "tuple"),
            ("<1>", "variant"), ("b'abc'", "byte string"), ("objectpath '/a'", "object path"),
            ("nothing", "missing"), ("just 1", "missing"), ("inf", "finite"), ("-inf", "finite"), ("nan", "finite"),
            ("1e999", "finite"), ("uint64 18446744073709551615", "64 bits"),
        ])
    func foreign(text: String, word: String) {
        let error = #expect(throws: SentinelError.self) { try Self.value(text) }
        #expect(error?.code == .notSupported)
        #expect(error?.message.contains(word) == true, "\(String(describing: error))")
    }

    @Test(
        "that is none is refused",
        arguments: [
            "", "\n", "'", "'abc", "'abc\"", "'a' 'b'", #"'\u12'"#, #"'\ud800'"#, #"'\u0000'"#, #"'\"#, "--5", "5x",
            "0x",
            "0xg", "1 2", "uint32", "uint32 ", "uint32 x", "1.2.3", "Hello", "TRUE",
        ])
    func malformed(text: String) {
        #expect(throws: SentinelError.self) { try Self.value(text) }
    }

    @Test("of bytes that are no UTF-8 is refused")
    func bytes() {
        #expect(throws: SentinelError.self) { try VariantText.value(of: [0x27, 0xFF, 0x27]) }
        #expect(throws: SentinelError.self) { try VariantText.value(of: [0xFF]) }
        #expect(throws: SentinelError.self) { try VariantText.value(of: [0x27, 0x00, 0x27]) }
    }

    @Test(
        "is written so that it is read as the same",
        arguments: [
            PreferenceValue.boolean(true), .boolean(false), .integer(.min), .integer(.max), .integer(0), .double(0.1),
            .double(1e300), .double(.leastNonzeroMagnitude), .double(-0.5), .text(""), .text("'"),
            .text("\\'\"\n\t\u{1}\u{7F}\u{85}"),
            .text("é 🦉 e\u{301}"), .text("-5"), .text("true"),
        ])
    func written(value: PreferenceValue) throws {
        #expect(try Self.value(VariantText.text(of: value)) == value)
    }
}
