// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("Files of settings")
struct SettingsTextTests {
    private static func replaced(
        _ text: String, _ key: String, _ value: PreferenceValue, _ format: ManifestStorage.FileFormat
    ) throws -> String {
        String(decoding: try SettingsText.replacing(key, with: value, in: Array(text.utf8), format), as: UTF8.self)
    }

    private static func value(
        _ text: String, _ key: String, like example: PreferenceValue, _ format: ManifestStorage.FileFormat
    ) throws -> PreferenceValue? {
        try SettingsText.value(of: key, like: example, in: Array(text.utf8), format)
    }

    @Test(
        "in JSON keep all but the value",
        arguments: [
            ("{\"a\": 1, \"b\": [ 2,3 ]}\n", "a", "{\"a\": 9, \"b\": [ 2,3 ]}\n"),
            ("{ \"x\" : { \"a\" : \"}{\" , \"b\":\"\" } }", "x/b", "{ \"x\" : { \"a\" : \"}{\" , \"b\":9 } }"),
            ("{\n\t\"a\\u0062\": null\n}", "ab", "{\n\t\"a\\u0062\": 9\n}"),
            ("{\n  \"b\": 1\n}\n", "a", "{\n  \"a\": 9,\n  \"b\": 1\n}\n"),
            ("{}", "a/b", "{\"a\": {\"b\": 9}}"), ("", "a", "{\"a\": 9}\n"),
            ("{\"x\": {}}", "x/y", "{\"x\": {\"y\": 9}}"),
            ("{\"a\": \"q\\\"\", \"a2\": 1}", "a2", "{\"a\": \"q\\\"\", \"a2\": 9}"),
            ("{\"a\": 1, \"b\": {\"a\": 1}, \"a\": 2}", "a", "{\"a\": 1, \"b\": {\"a\": 1}, \"a\": 9}"),
        ])
    func json(before: String, key: String, after: String) throws {
        #expect(try Self.replaced(before, key, .integer(9), .json) == after)
        #expect(try Self.value(after, key, like: .integer(0), .json) == .integer(9))
    }

    @Test(
        "in JSON can hold what no value stands for, which concerns its own key alone",
        arguments: ["1e400", "-1E999", "18446744073709551616", #""\ud800""#, #""\udc00\n""#, #"{"\ud800\u0041": 1}"#])
    func unfit(value: String) throws {
        let text = "{\"x\": \(value), \"a\": 1, \"y\": [\(value)]}"
        #expect(try Self.value(text, "a", like: .integer(0), .json) == .integer(1))
        #expect(
            try Self.replaced(text, "a", .integer(9), .json) == "{\"x\": \(value), \"a\": 9, \"y\": [\(value)]}")
        for example in [PreferenceValue.double(0), .integer(0), .text("")] {
            #expect(throws: SentinelError.self) { try Self.value(text, "x", like: example, .json) }
        }
    }

    @Test(
        "in ini keep all but the value",
        arguments: [
            ("; c\na = 1 \n[s]\na=2\n", "a", "; c\na = 9 \n[s]\na=2\n"),
            ("; c\na = 1\n[s]\na=2\n", "s/a", "; c\na = 1\n[s]\na=9\n"),
            ("[s]\r\na=2\r\n", "s/a", "[s]\r\na=9\r\n"), ("[s]\nb=1\n\n[t]\n", "s/a", "[s]\nb=1\na=9\n\n[t]\n"),
            ("[t] # x]\na=1\n[s] ; y\na=2\n", "s/a", "[t] # x]\na=1\n[s] ; y\na=9\n"),
            ("a=1\n[s] # c\na=2\n", "a", "a=9\n[s] # c\na=2\n"),
            ("a: 1\n[s]\na :2\n", "a", "a: 9\n[s]\na :2\n"), ("[s]\na :2\nb=a:1\n", "s/a", "[s]\na :9\nb=a:1\n"),
            ("x:a=1\n", "x:a", "x:a=9\n"), ("x:a: 1\n", "a", "x:a: 1\na=9\n"),
            ("[t]\nb=1\n", "s/a", "[t]\nb=1\n[s]\na=9\n"), ("", "a", "a=9\n"), ("#a=1\n", "a", "a=9\n#a=1\n"),
        ])
    func ini(before: String, key: String, after: String) throws {
        #expect(try Self.replaced(before, key, .integer(9), .ini) == after)
        #expect(try Self.value(after, key, like: .integer(0), .ini) == .integer(9))
    }

    @Test(
        "of variables keep all but the value, and quote what needs it",
        arguments: [
            ("A=1\n", PreferenceValue.text("x y"), "A=\"x y\"\n"), ("A='1'\n", .text("x$"), "A='x$'\n"),
            ("# A=0\nexport A=1\nB=2", .text("p"), "# A=0\nexport A=p\nB=2"), ("B=2", .text("p"), "B=2\nA=p\n"),
            ("A=1\n", .text("a\"b\\c$d`"), "A=\"a\\\"b\\\\c\\$d\\`\"\n"), ("A=\"1\"\n", .text(""), "A=\"\"\n"),
            ("A=0\nA=1\n", .text("p"), "A=0\nA=p\n"), ("A=yes\n", .boolean(false), "A=no\n"),
            ("A=1\n", .boolean(false), "A=0\n"), ("A=True\n", .boolean(false), "A=False\n"),
            ("", .boolean(true), "A=true\n"),
            ("A=1\n", .double(0.5), "A=0.5\n"),
            ("A=1   # the level\r\n", .integer(7), "A=7   # the level\r\n"),
            ("A='1'\t# it's \\\nB=2\n", .text("x y"), "A='x y'\t# it's \\\nB=2\n"),
            ("A= # c\n", .text("#x"), "A=\"#x\" # c\n"), ("A=1 #\n", .text("a #b"), "A=\"a #b\" #\n"),
        ])
    func variables(before: String, value: PreferenceValue, after: String) throws {
        #expect(try Self.replaced(before, "A", value, .env) == after)
        #expect(try Self.value(after, "A", like: value, .env) == value)
    }

    @Test("in ini have no comments", arguments: ["5 ; c", "5 # c", "# c", "a:b=c"])
    func iniComments(value: String) throws {
        #expect(try Self.value("a = \(value)\n", "a", like: .text(""), .ini) == .text(value))
    }

    @Test("in ini are read again as they were written", arguments: ["'a", "'a'", "\"a", "\ta", "a\t", " a ", "a'", ""])
    func iniText(text: String) throws {
        for before in ["", "a=x\n", "a='x'\n", "a=\"x\"\n"] {
            let after = try Self.replaced(before, "a", .text(text), .ini)
            #expect(try Self.value(after, "a", like: .text(""), .ini) == .text(text), "\(after)")
        }
    }

    @Test("in JSON never take the place of an object or an array", arguments: ["{}", "[ ]", "{\"c\": 1}", "[1, 2]"])
    func containers(value: String) throws {
        let error = #expect(throws: SentinelError.self) {
            try Self.replaced("{\"a\": {\"b\": \(value)}}", "a/b", .integer(9), .json)
        }
        #expect(error?.code == .invalidValue)
    }

    @Test(
        "of variables over several lines are left alone",
        arguments: [
            "A=\"x\ny\"\nB=1\n", "A='x\nB=0\n'\nB=1\n", "A=x\\\ny\nB=1\n", "A=\"a\\\"\nB=0\"\nB=1\n",
            "A='x'\"\n\"\r\nB=1\n",
        ])
    func lines(text: String) throws {
        let error = #expect(throws: SentinelError.self) { try Self.replaced(text, "A", .text("p"), .env) }
        #expect(error?.code == .unavailable)
        #expect(throws: SentinelError.self) { try Self.value(text, "A", like: .text(""), .env) }
        // What stands inside is no variable, and what comes after can be changed.
        let after = String(text.dropLast("B=1\n".count)) + "B=2\n"
        #expect(try Self.replaced(text, "B", .integer(2), .env) == after)
        #expect(try Self.value(text, "B", like: .integer(0), .env) == .integer(1))
    }

    @Test(
        "of variables are read as a shell and systemd read them",
        arguments: [
            (#"A="C:\new""#, #"C:\new"#), (#"A="\$\`\"\\\'""#, #"$`"\\'"#), (#"A=a\ b"#, "a b"),
            (#"A=\"\'\\\n"#, #""'\n"#), ("A=5   # the level", "5"), ("A='a # b' # c", "a # b"), ("A=\"a\" # c", "a"),
            ("A=a#b", "a#b"), ("A=#b", "#b"), ("A= # c", ""), (#"A=a\ # b"#, "a # b"), (#"A=a\  # "b"#, "a "),
            (#"A='a\b"'"#, #"a\b""#), (#"A=a\  "#, "a "), (#"A=a\\  "#, #"a\"#), ("A=\"\"", ""), ("A=", ""),
        ])
    func variableValue(line: String, value: String) throws {
        for text in [line, "\(line)\nB=1\n", "\(line)\r\nB=1\r\n"] {
            #expect(try Self.value(text, "A", like: .text(""), .env) == .text(value))
        }
        #expect(try Self.value("\(line)\nB=1\n", "B", like: .integer(0), .env) == .integer(1))
        #expect(try Self.replaced("\(line)\nB=1\n", "A", .text("p q"), .env).dropFirst(3).hasPrefix("p q"))
        let written = try Self.replaced("", "A", .text(value), .env)
        #expect(try Self.value(written, "A", like: .text(""), .env) == .text(value))
    }

    @Test(
        "of variables that a shell and systemd read differently are left alone",
        arguments: ["'a'b'c'", "'a''b'", #""a"b"#, #"a"b""#, "\"a\"# c", "it's", "'a' 'b' # c"])
    func parts(value: String) throws {
        let text = "A=\(value)\nB=1\n"
        let error = #expect(throws: SentinelError.self) { try Self.value(text, "A", like: .text(""), .env) }
        #expect(error?.code == .unavailable)
        #expect(throws: SentinelError.self) { try Self.replaced(text, "A", .text("p"), .env) }
        #expect(try Self.value(text, "B", like: .integer(0), .env) == .integer(1))
        #expect(try Self.value("A=\(value)\nA=x\n", "A", like: .text(""), .env) == .text("x"))
    }

    @Test("of variables of which one has no end are left alone", arguments: ["A='x\n", "A=\"x", "A=x\\\n", "A=x\\"])
    func unended(text: String) {
        let error = #expect(throws: SentinelError.self) { try Self.replaced(text, "B", .text("p"), .env) }
        #expect(error?.code == .unavailable)
    }

    @Test("of another type or form are refused")
    func refused() {
        #expect(throws: SentinelError.self) { try Self.value("{\"a\": \"1\"}", "a", like: .integer(0), .json) }
        #expect(throws: SentinelError.self) { try Self.value("{\"a\": 1} x", "a", like: .integer(0), .json) }
        #expect(throws: SentinelError.self) { try Self.value("[1]", "a", like: .integer(0), .json) }
        #expect(throws: SentinelError.self) { try Self.value("A=x", "A", like: .integer(0), .env) }
        #expect(throws: SentinelError.self) { try Self.replaced("{\"a\": 1}", "a/b", .integer(1), .json) }
        #expect(throws: SentinelError.self) { try Self.replaced("A=1", "A", .text("two\nlines"), .env) }
    }

    @Test("that have no value say so")
    func absent() throws {
        #expect(try Self.value("{\"b\": 1}", "a", like: .integer(0), .json) == nil)
        #expect(try Self.value("", "a", like: .integer(0), .ini) == nil)
        #expect(try Self.value("[s]\na=1", "a", like: .integer(0), .ini) == nil)
    }
}
