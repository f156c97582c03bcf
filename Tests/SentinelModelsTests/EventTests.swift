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
        for json: JSONValue in [.null, .unsigned(.max), ["$bytes": 1], ["$bytes": "A"], ["$bytes": "AB=="], [[.null]]] {
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
        "loses data of every kind to a rule on their key",
        arguments: [
            .boolean(true), .integer(1234), .double(0.5), .text("1234"), .bytes([1, 2]), .array([.integer(1234)]),
            .dictionary(["pin": .integer(1234)]),
        ] as [DataValue])
    func kinds(value: DataValue) throws {
        let all = EventRules([EventRule(.redact, .data("secret"), try GlobPattern("*"))])
        let redacted = try #require(all.apply(to: try event(data: ["secret": value, "n": .integer(1)])))
        #expect(redacted.data == ["n": .integer(1)] && redacted.marks == .redacted)
        let numbers = EventRules([EventRule(.deny, .data("secret"), try GlobPattern("12*"))])
        let isNumber = value == .integer(1234) || value == .text("1234")
        #expect((numbers.apply(to: try event(data: ["secret": value])) == nil) == isNumber)
    }
}
