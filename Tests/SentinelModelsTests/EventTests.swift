// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("An event")
struct EventTests {
    private func event(_ type: String = "app.launch", data: [DataKey: DataValue] = [:]) throws -> Event {
        Event(
            id: EventID(high: 1, low: 2), timestamp: .earliest, type: try Name(type),
            source: try Name("com.example.App"), data: data)
    }

    @Test("has an id that is a UUID in any case, and given back in lower case")
    func identity() throws {
        let id = try EventID("018F3C1A-9B2E-7ABC-8DEF-0123456789AB")
        #expect(id.description == "018f3c1a-9b2e-7abc-8def-0123456789ab")
        #expect(try EventID(id.description) == id)
        #expect(id.high == 0x018F_3C1A_9B2E_7ABC && id.low == 0x8DEF_0123_4567_89AB)
    }

    @Test(
        "refuses other texts for an id",
        arguments: [
            "", "018f3c1a9b2e7abc8def0123456789ab", "018f3c1a-9b2e-7abc-8def-0123456789a",
            "018f3c1a-9b2e-7abc-8def-0123456789abc", "{18f3c1a-9b2e-7abc-8def-0123456789ab",
            "018f3c1a-9b2e-7abc-8def-0123456789ag", "018f3c1a-9b2e-7abc-8def0-123456789ab", "é",
        ])
    func noIdentity(text: String) {
        #expect(throws: SentinelError.self) { try EventID(text) }
    }

    @Test("keeps the types of its data in JSON")
    func data() throws {
        let data: [DataKey: DataValue] = [
            "b": .boolean(true), "x": .integer(1), "d": .double(1), "s": .text("é"), "": .text(""),
            "ay": .bytes([0, 1, 255]), "empty": .bytes([]), "a": .array([.integer(1), .text("1"), .array([])]),
            "$bytes": .text("x"), "$$": .integer(2), "o": .dictionary(["$bytes": .text("AAAA")]),
        ]
        guard case .object(let members) = try JSONValue(parsing: DataValue.json(of: data).serialized().utf8) else {
            Issue.record("no object")
            return
        }
        #expect(try DataValue.members(of: members) == data)
    }

    @Test("refuses JSON that is no value of it")
    func noData() throws {
        for json: JSONValue in [
            .null, .unsigned(.max), ["$bytes": 1], ["$bytes": "A"], ["$bytes": "AB=="], [[.null]],
            ["$x": 1], ["$": 1], ["$bytes": "AAAA", "more": 1], [["$x": 1]],
        ] {
            #expect(throws: SentinelError.self, "\(json)") { try DataValue(json: json) }
        }
    }

    @Test("keeps bytes of every length in Base64")
    func bytes() throws {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ length) }
            #expect(try DataValue(json: DataValue.bytes(bytes).json) == .bytes(bytes))
        }
        #expect(DataValue.bytes(Array("Man".utf8)).json == ["$bytes": "TWFu"])
        #expect(DataValue.bytes(Array("Ma".utf8)).json == ["$bytes": "TWE="])
    }

    @Test("is treated by the first rule that it fits")
    func rules() throws {
        let rules = EventRules([
            EventRule(.allow, .type, try GlobPattern("app.launch")),
            EventRule(.deny, .type, try GlobPattern("app.*")),
            EventRule(.redact, .data("url"), try GlobPattern("*private*")),
            EventRule(.redact, .source, try GlobPattern("com.example.*")),
        ])
        let launch = try event(data: ["url": .text("private")])
        #expect(rules.apply(to: launch) == launch)
        #expect(rules.apply(to: try event("app.exit")) == nil)
        let partly = try #require(
            rules.apply(to: try event("page", data: ["url": .text("a private one"), "n": .integer(1)])))
        #expect(partly.data == ["n": .integer(1)] && partly.marks == .redacted)
        let wholly = try #require(rules.apply(to: try event("page", data: ["url": .integer(1)])))
        #expect(wholly.data.isEmpty && wholly.marks == .redacted)
        let empty = try event("page")
        #expect(rules.apply(to: empty) == empty)
    }

    @Test(
        "fits a rule on its data by the text of a value, or of what that holds",
        arguments: [
            (.text("secret"), "sec*", true), (.integer(-42), "-42", true), (.integer(42), "4", false),
            (.double(2), "2.0", true), (.double(0.5), "0.?", true), (.boolean(true), "true", true),
            (.boolean(false), "true", false), (.bytes(Array("secret".utf8)), "secret", false),
            (.array([.integer(1), .text("secret")]), "secret", true), (.array([.text("a")]), "secret", false),
            (.dictionary(["k": .array([.dictionary(["l": .text("secret")])])]), "secret", true),
            (.dictionary(["secret": .text("a")]), "secret", false), (.bytes([0]), "*", true), (.array([]), "*", true),
            (.dictionary([:]), "**", true), (.boolean(false), "*", true), (.array([]), "?*", false),
        ] as [(DataValue, String, Bool)])
    func dataRules(value: DataValue, pattern: String, fits: Bool) throws {
        let rule = EventRule(.deny, .data("k"), try GlobPattern(pattern))
        #expect(rule.fits(try event(data: ["k": value, "other": .text("x")])) == fits)
        #expect(!rule.fits(try event(data: ["other": value])))
    }
}
