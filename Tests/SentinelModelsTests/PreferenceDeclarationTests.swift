// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("Preference declarations")
struct PreferenceDeclarationTests {
    private static func declare(
        _ defaultValue: PreferenceValue, kind: PreferenceKind? = nil,
        _ adjust: (inout PreferenceAttributes) -> Void = { _ in }
    ) throws -> PreferenceDeclaration {
        var attributes = PreferenceAttributes()
        adjust(&attributes)
        return try PreferenceDeclaration(
            key: try Name("key"), name: "Name", kind: kind, defaultValue: defaultValue, attributes: attributes)
    }

    private static func code(_ body: () throws -> Void) -> SentinelError.Code? {
        let error = #expect(throws: SentinelError.self) { try body() }
        return error?.code
    }

    @Test("the kind follows from the default and the choices")
    func kinds() throws {
        #expect(try Self.declare(.boolean(false)).kind == .toggle)
        #expect(try Self.declare(.integer(0)).kind == .integer)
        #expect(try Self.declare(.double(0)).kind == .double)
        #expect(try Self.declare(.text("")).kind == .text)
        #expect(try Self.declare(.integer(1), kind: .double).defaultValue == .double(1))
        let choice = try Self.declare(.integer(1)) { $0.choices = [PreferenceChoice(.integer(1), title: "One")] }
        #expect(choice.kind == .choice)
        #expect(Self.code { _ = try Self.declare(.text("1"), kind: .integer) } == .invalidArgs)
    }

    @Test("a bound that is missing is no bound")
    func missingBounds() throws {
        let onlyMinimum = try Self.declare(.integer(5)) { $0.minimum = .integer(5) }
        #expect(onlyMinimum.problems(with: .integer(.max)).isEmpty)
        #expect(onlyMinimum.problems(with: .integer(4)).map(\.kind) == [.minimum])
        let onlyMaximum = try Self.declare(.double(0)) { $0.maximum = .double(0) }
        #expect(onlyMaximum.problems(with: .double(-.greatestFiniteMagnitude)).isEmpty)
        #expect(onlyMaximum.problems(with: .double(.leastNonzeroMagnitude)).map(\.kind) == [.maximum])
        let none = try Self.declare(.integer(0))
        #expect(none.problems(with: .integer(.min)).isEmpty)
        #expect(none.problems(with: .integer(.max)).isEmpty)
    }

    @Test("declarations that cannot be kept to are refused, all that is wrong in one error")
    func refusals() throws {
        let bounds = #expect(throws: SentinelError.self) {
            _ = try Self.declare(.integer(5)) {
                $0.minimum = .integer(9)
                $0.maximum = .integer(1)
                $0.minimumLength = 1
            }
        }
        #expect(bounds?.code == .invalidArgs)
        #expect(bounds?.message.contains("min (9) is more than max (1)") == true)
        #expect(bounds?.message.contains("min_length and max_length are for text") == true)
        let refused: [(PreferenceValue, (inout PreferenceAttributes) -> Void)] = [
            (.integer(11), { $0.maximum = .integer(10) }),
            (.text("ab"), { $0.maximumLength = 1 }),
            (.text("ab"), { ($0.minimumLength, $0.maximumLength) = (3, 2) }),
            (.text("ab"), { $0.pattern = "[0-9]*" }),
            (.text("ab"), { $0.pattern = "(" }),
            (.integer(1), { $0.pattern = "1" }),
            (.integer(1), { $0.minimum = .double(0.5) }),
            (.integer(1), { $0.minimum = .text("0") }),
            (.boolean(true), { $0.minimum = .integer(0) }),
            (.text("a"), { $0.choices = [] }),
            (.text("c"), { $0.choices = [PreferenceChoice(.text("a"), title: "A")] }),
            (.text("a"), { $0.choices = [.init(.text("a"), title: "A"), .init(.integer(1), title: "B")] }),
            (.text("a"), { $0.choices = [.init(.text("a"), title: "A"), .init(.text("a"), title: "B")] }),
            (.double(.nan), { _ in }),
            (.double(.infinity), { _ in }),
        ]
        for (index, (value, adjust)) in refused.enumerated() {
            #expect(Self.code { _ = try Self.declare(value, adjust) } == .invalidArgs, "case \(index)")
        }
        #expect(
            Self.code { _ = try Self.declare(.text(String(repeating: "a", count: 70_000))) } == .limitsExceeded)
        #expect(
            Self.code {
                _ = try Self.declare(.text("a")) { $0.description = String(repeating: "d", count: 5000) }
            } == .limitsExceeded)
    }

    @Test("choices with one title stay apart by their values")
    func choices() throws {
        let declaration = try Self.declare(.integer(2)) {
            $0.choices = [
                .init(.integer(1), title: "Same"), .init(.integer(2), title: "Same"), .init(.integer(3), title: ""),
            ]
        }
        #expect(try declaration.validated(.integer(1)) == .integer(1))
        #expect(Self.code { _ = try declaration.validated(.integer(4)) } == .invalidValue)
        #expect(Self.code { _ = try declaration.validated(.text("Same")) } == .invalidValue)
        // Composed and decomposed are two texts.
        let accents = try Self.declare(.text("\u{E9}")) {
            $0.choices = [.init(.text("\u{E9}"), title: "é"), .init(.text("e\u{301}"), title: "é")]
        }
        #expect(try accents.validated(.text("e\u{301}")) == .text("e\u{301}"))
    }

    @Test("all problems are told, the most important first, each with a text")
    func problems() throws {
        let declaration = try Self.declare(.text("abc")) {
            $0.maximumLength = 3
            $0.pattern = "[a-z]*"
        }
        let problems = declaration.problems(with: .text("ABCD"))
        #expect(problems.map(\.kind) == [.maximumLength, .pattern])
        #expect(problems.allSatisfy { !$0.message.isEmpty })
        let error = #expect(throws: SentinelError.self) { try declaration.validated(.text("ABCD")) }
        #expect(error?.code == .invalidValue)
        #expect(
            error?.message == "preference key: the text is longer than 3; the text does not match the pattern; "
                + "expected text of at most 3 characters that matches the declared pattern")
    }

    @Test("only an integer that a double holds exactly is converted")
    func conversions() throws {
        let double = try Self.declare(.double(1))
        #expect(try double.validated(.integer(7)) == .double(7))
        #expect(Self.code { _ = try double.validated(.integer(.max)) } == .invalidValue)
        #expect(Self.code { _ = try double.validated(.boolean(true)) } == .invalidValue)
        let integer = try Self.declare(.integer(1))
        #expect(Self.code { _ = try integer.validated(.double(7)) } == .invalidValue)
        #expect(Self.code { _ = try integer.validated(.boolean(true)) } == .invalidValue)
        #expect(Self.code { _ = try integer.validated(nil) } == .invalidValue)
        let toggle = try Self.declare(.boolean(false))
        #expect(Self.code { _ = try toggle.validated(.integer(1)) } == .invalidValue)
    }

    @Test("a length counts code points, not bytes and not what looks like one character")
    func lengths() throws {
        let declaration = try Self.declare(.text("ab")) {
            $0.minimumLength = 2
            $0.maximumLength = 2
        }
        #expect(declaration.problems(with: .text("äö")).isEmpty)
        #expect(declaration.problems(with: .text("e\u{301}")).isEmpty)
        #expect(declaration.problems(with: .text("🦉")).map(\.kind) == [.minimumLength])
    }

    @Test("a declaration comes back from JSON as it was, and differs in every field")
    func json() throws {
        let declaration = try Self.declare(.double(2)) {
            $0.section = "Section"
            $0.description = "Description"
            $0.minimum = .double(1)
            $0.maximum = .double(3)
            $0.marks = [.sensitive, .isPrivate, .needsRestart]
        }
        let text = try Self.declare(.text("b")) {
            $0.pattern = "[a-z]"
            ($0.minimumLength, $0.maximumLength) = (1, 2)
        }
        let choice = try Self.declare(.double(2)) {
            $0.choices = [.init(.integer(1), title: "e\u{301}"), .init(.double(2), title: "Two")]
            $0.marks = [.live, .readOnly]
        }
        for original in [declaration, text, choice] {
            let parsed = try JSONValue(parsing: original.json.serialized().utf8)
            #expect(try PreferenceDeclaration(json: parsed) == original)
            #expect(try PreferenceDeclaration(json: parsed).kind == original.kind)
        }
        #expect(declaration != text)
        let composed = try Self.declare(.text("b")) { $0.section = "\u{E9}" }
        let decomposed = try Self.declare(.text("b")) { $0.section = "e\u{301}" }
        #expect(composed != decomposed)
    }

    @Test(
        "JSON that is no declaration is refused",
        arguments: [
            "[]", "{}", #"{"key": "a"}"#, #"{"key": 1, "default": 1}"#, #"{"key": "a", "default": null}"#,
            #"{"key": "a", "default": [1]}"#, #"{"key": "a", "default": 1, "kind": "number"}"#,
            #"{"key": "a", "default": 1, "min": true}"#, #"{"key": "a", "default": 1, "live": 1}"#,
            #"{"key": "a", "default": "b", "max_length": -1}"#, #"{"key": "a", "default": 1, "choices": [1]}"#,
            #"{"key": "", "default": 1}"#, #"{"key": "a", "default": 9223372036854775808}"#,
        ])
    func badJSON(text: String) throws {
        let json = try JSONValue(parsing: text.utf8)
        #expect(Self.code { _ = try PreferenceDeclaration(json: json) } == .invalidArgs)
    }

    @Test("a whole number in JSON is an integer unless the kind says double")
    func wholeNumbers() throws {
        let integer = try PreferenceDeclaration(json: ["key": "a", "default": 1])
        #expect(integer.defaultValue == .integer(1))
        let double = try PreferenceDeclaration(json: ["key": "a", "default": 1, "kind": "double", "max": 2])
        #expect(double.defaultValue == .double(1))
        #expect(double.attributes.maximum == .double(2))
        #expect(double.name == "a")
    }
}
