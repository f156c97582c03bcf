// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: text.utf8)
    }

    private func failure(of text: String) -> JSONSyntaxError? {
        do {
            _ = try JSONValue(parsing: text.utf8)
            return nil
        } catch {
            return error
        }
    }

    @Test("every kind of value comes back from its text, compact and pretty")
    func roundTrip() throws {
        let value: JSONValue = [
            "null": .null, "truth": [true, false], "numbers": [0, -1, .integer(.min), .unsigned(.max)],
            "doubles": [.double(1), .double(-0.5), .double(1e300), .double(.leastNonzeroMagnitude)],
            "text": "é \u{1F600} \" \\ / \u{8}\u{c}\n\r\t\u{1}", "": [[], [:]],
        ]
        #expect(try parse(value.serialized()) == value)
        #expect(try parse(value.serialized(.pretty)) == value)
    }

    @Test("a number is whole without a fraction and an exponent")
    func numbers() throws {
        #expect(try parse("7") == 7)
        #expect(try parse("7.0") == .double(7))
        #expect(try parse("7e0") == .double(7))
        #expect(try parse("-0") == 0)
        #expect(try parse("[0,10,100]") == [0, 10, 100])
        #expect(try parse("0.5") == .double(0.5))
        #expect(try parse("-0e1") == .double(-0.0))
        #expect(try parse("18446744073709551615") == .unsigned(.max))
    }

    @Test("escapes stand for their characters, pairs of them for one")
    func escapes() throws {
        #expect(try parse(#""\u00e9\ud83d\ude00\/\b""#) == "é\u{1F600}/\u{8}")
    }

    @Test(
        "what is no JSON is refused with its line",
        arguments: [
            ("", 1), ("{", 1), ("[1,]", 1), ("[1 2]", 1), ("{\"a\" 1}", 1), ("{a:1}", 1), ("nul", 1), ("01", 1),
            ("00", 1), ("-00", 1), ("-01", 1), ("00.5", 1), ("000", 1), ("[00]", 1), ("00e1", 1),
            ("-", 1), ("1.", 1), ("1e", 1), ("1e999", 1), ("18446744073709551616", 1), ("\"a", 1), ("\"\u{1}\"", 1),
            (#""\x""#, 1), (#""\ud800""#, 1), (#""\ud800\u0041""#, 1), (#""\udc00""#, 1), ("[]\n[]", 2),
            ("{\n\"a\": 1,\n\"a\": 2\n}", 3), ("\n\n?", 3), ("[1,\n\"\n\"]", 2),
        ])
    func refusals(text: String, line: Int) throws {
        let error = try #require(failure(of: text))
        #expect(error.line == line, "\(error)")
    }

    @Test("bytes that are no UTF-8 are refused, a byte-order mark is skipped")
    func encoding() throws {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(error?.reason == "text is not UTF-8")
        #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
    }

    @Test("nesting has an end, however deep the text is")
    func depth() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(failure(of: deep)?.reason == "arrays and objects are nested deeper than 64")
        #expect(failure(of: String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
    }

    @Test("cut off anywhere, a text is refused")
    func truncation() throws {
        let whole = Array(#"{"a": [1.5e3, "x\u00e9", true, null], "b": {"c": -7}}"#.utf8)
        for length in 0..<whole.count {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: whole[..<length]) }
        }
    }
}
