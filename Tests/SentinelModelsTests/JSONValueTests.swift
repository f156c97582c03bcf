// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SentinelModels

@Suite("A JSON value")
struct JSONValueTests {
    @Test("is written compactly, members in their order")
    func compact() {
        let value: JSONValue = ["b": 1, "a": [true, .null, "x", [:], []]]
        #expect(value.serialized() == #"{"b":1,"a":[true,null,"x",{},[]]}"#)
    }

    @Test("is written with two spaces a level")
    func pretty() {
        let value: JSONValue = ["b": 1, "a": [true, ["c": "d"]], "e": [], "o": [:]]
        #expect(
            value.serialized(.pretty) == """
                {
                  "b": 1,
                  "a": [
                    true,
                    {
                      "c": "d"
                    }
                  ],
                  "e": [],
                  "o": {}
                }
                """)
    }

    @Test("keeps whole ranges of integers")
    func integers() {
        #expect(JSONValue.integer(.min).serialized() == "-9223372036854775808")
        #expect(JSONValue.unsigned(.max).serialized() == "18446744073709551615")
    }

    @Test(
        "writes the shortest double that reads back, and keeps it a double",
        arguments: [
            (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (.leastNonzeroMagnitude, "5e-324"), (1e16, "1e+16"),
            (57.0, "57.0"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (0.1 + 0.2, "0.30000000000000004"),
        ])
    func doubles(value: Double, text: String) {
        #expect(JSONValue.double(value).serialized() == text)
        #expect(Double(text) == value)
    }

    @Test("writes what JSON has no number for as null", arguments: [Double.nan, .infinity, -.infinity])
    func nonFinite(value: Double) {
        #expect(JSONValue.double(value).serialized() == "null")
    }

    @Test("escapes what must be escaped, keys too, and reads back in another parser")
    func escapes() throws {
        var text = ""
        for value in (0 as UInt32)...0xA0 {
            text.unicodeScalars.append(contentsOf: Unicode.Scalar(value).map { [$0] } ?? [])
        }
        text += "\u{2028}\u{2029}e\u{301}\u{E9}👩‍👩‍👧"
        let written = JSONValue.object([(key: text, value: .string(text))]).serialized()
        #expect(!written.unicodeScalars.contains { $0.value < 0x20 })
        let read = try #require(JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: String])
        #expect(read.first.map { Array($0.value.utf8) } == Array(text.utf8))
        #expect(read.first.map { Array($0.key.utf8) } == Array(text.utf8))
        #expect(JSONValue.string("\u{1}\"\\\u{8}\u{C}\n\r\t\u{1F}").serialized() == #""\u0001\"\\\b\f\n\r\t\u001f""#)
    }

    @Test("equals one of the same cases and bytes only")
    func equality() {
        #expect(JSONValue.integer(1) != .unsigned(1))
        #expect(JSONValue.integer(1) != .double(1))
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(["a": 1, "b": 2] as JSONValue != ["b": 2, "a": 1])
        #expect(["a": [1]] as JSONValue == ["a": [1]])
    }
}
