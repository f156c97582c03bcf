// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Declared tools", .serialized, .timeLimit(.minutes(5)))
    struct DeclarationTests {
        @Test("are listed in declared order, replaced in their place, removed, and said to have changed by name")
        func order() async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            let changes = try await fixture.client.record(
                MatchRule(path: path, interface: "org.sentinel.Tools1", member: "Changed"))
            #expect(try await tools.list() == [])

            try await tools.declare(tools: [ToolDeclaration("b", []), ToolDeclaration("a", [])])
            try await tools.declare(tools: [
                ToolDeclaration("c", []),
                ToolDeclaration(
                    id: "b", name: "Better", kind: "database", screen: [],
                    attributes: ["description": .string("D"), "icon": .string("i"), "live": .boolean(true)]),
            ])
            let list = try await tools.list()
            #expect(list.map(\.id) == ["b", "a", "c"])
            #expect(list[0].name == "Better")
            #expect(list[0].kind == "database")
            #expect(list[0].attributes == ["description": .string("D"), "icon": .string("i"), "live": .boolean(true)])

            try await tools.remove(tools: ["a", "a"])
            #expect(try await tools.list().map(\.id) == ["b", "c"])
            try await tools.declare(tools: [])
            try await tools.remove(tools: [])
            try await fixture.client.roundTrip()
            let signals = try changes.signals.elements.map { signal in
                var body = signal.body
                return try Tools1.Changed(from: &body)
            }
            #expect(signals.map(\.declared) == [["b", "a"], ["c", "b"], []])
            #expect(signals.map(\.removed) == [[], [], ["a"]])
            try fixture.stop()
        }

        @Test("show every kind of item as it was declared, one that is not known as read-only")
        func kinds() async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            let choices = try Value.choices([(.string("a"), "Same"), (.string("b"), "Same")])
            let parameters = try Value.parameters([
                ("count", "integer", ["min": .int64(1), "max": .int64(3)]), ("why", "text", ["max_length": .uint32(5)]),
            ])
            let items: [Item] = [
                .of("toggle", "toggle", .boolean(true), ["writable": .boolean(true)]),
                .of("integer", "integer", .int64(4), ["min": .int64(1), "max": .int64(9), "unit": .string("s")]),
                .of("double", "double", .double(0.5), ["min": .double(0), "max": .double(1)]),
                .of("text", "text", .string("e\u{301}"), ["max_length": .uint32(9), "sensitive": .boolean(true)]),
                .of("choice", "choice", .string("b"), ["choices": choices]),
                .of("info", "info", .string("I"), ["description": .string("two\nlines")]),
                .of("performance", "performance", .double(2.5)),
                .of("navigation", "navigation", .string(""), ["target": .string("other")]),
                .of("action", "action", .string(""), ["parameters": parameters, "icon": .string("go")]),
                .of("custom", "custom", .string("")),
                .of("dial", "dial", .int64(7)),
            ]
            let section = Section(
                id: "s", title: "", items: items, attributes: ["footer": .string("F"), "description": .string("D")])
            try await tools.declare(tools: [
                ToolDeclaration(id: "t", name: "T", kind: "custom", screen: [section], attributes: [:])
            ])
            #expect(try await tools.content(tool: "t") == [section])
            await expectError("org.sentinel.Error.ReadOnly") {
                _ = try await tools.set(tool: "t", item: "dial", value: .int64(1))
            }
            try fixture.stop()
        }

        @Test("take integers of every width that fits, and give them out in one type")
        func widths() async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            let given: [Value] = [
                .byte(7), .int16(7), .uint16(7), .int32(7), .uint32(7), .int64(7), .uint64(7), .variant(.int32(7)),
            ]
            try await tools.declare(tools: [
                ToolDeclaration(
                    "t",
                    given.enumerated().map { .of("i\($0.offset)", "integer", $0.element, ["min": .byte(7)]) }
                        + given.enumerated().map { .of("d\($0.offset)", "double", $0.element) })
            ])
            let items = try await tools.content(tool: "t").allItems
            #expect(items.prefix(given.count).allSatisfy { $0.value == .int64(7) })
            #expect(items.prefix(given.count).allSatisfy { $0.attributes["min"] == .int64(7) })
            #expect(items.suffix(given.count).allSatisfy { $0.value == .double(7) })
            try fixture.stop()
        }

        @Test("are taken all or not at all, and the refusal names the place", arguments: BadTool.all)
        func refused(bad: BadTool) async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            await expectError(bad.code, mentioning: bad.place) {
                try await tools.declare(tools: [ToolDeclaration("good", []), bad.tool])
            }
            #expect(try await tools.list() == [])
            #expect(try await fixture.client.sentinel.health() == "ok")
            try fixture.stop()
        }

        @Test("of unknown ids are refused by name of what is missing")
        func unknown() async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            try await tools.declare(tools: [ToolDeclaration("t", [.of("i", "info", .string("x"))])])
            for id in ["", "nope", "../", "T", String(repeating: "x", count: 65_536), "🙂"] {
                await expectError("org.sentinel.Error.UnknownTool") { _ = try await tools.content(tool: id) }
                await expectError("org.sentinel.Error.UnknownTool") { try await tools.remove(tools: ["t", id]) }
                await expectError("org.sentinel.Error.UnknownTool") {
                    try await tools.update(tool: id, values: [:])
                }
                await expectError("org.sentinel.Error.UnknownItem") {
                    _ = try await tools.set(tool: "t", item: id, value: .boolean(true))
                }
                await expectError("org.sentinel.Error.UnknownAction") {
                    _ = try await tools.invoke(tool: "t", action: id, parameters: [:])
                }
            }
            await expectError("org.sentinel.Error.UnknownAction") {
                _ = try await tools.invoke(tool: "t", action: "i", parameters: [:])
            }
            #expect(try await tools.list().map(\.id) == ["t"])
            try fixture.stop()
        }

        @Test("are part of what Describe tells, without sensitive values")
        func described() async throws {
            let fixture = try await ServiceFixture()
            let tools = fixture.client.tools(at: try await fixture.client.register("com.example.App"))
            try await tools.declare(tools: [
                ToolDeclaration(
                    "t",
                    [
                        .of("volume", "integer", .int64(5), ["writable": .boolean(true)]),
                        .of("token", "text", .string("secret"), ["sensitive": .boolean(true)]),
                    ])
            ])
            _ = try await tools.set(tool: "t", item: "volume", value: .int64(7))
            let text = try await fixture.client.sentinel.describe(options: [:])
            let described = try JSON(text)["applications"]?.elements?.first { $0["id"] == "com.example.App" }
            let tool = try #require(described?["tools"]?.elements?.first)
            #expect(tool["id"] == "t")
            #expect(tool["values"]?["volume"] == .number(7))
            #expect(!text.contains("secret"))
            try fixture.stop()
        }

        @Test("that are declared again just as they are change nothing, and keep their values")
        func declaredAgain() async throws {
            let fixture = try await ServiceFixture()
            let path = try await fixture.client.register("com.example.App")
            let tools = fixture.client.tools(at: path)
            let same = ToolDeclaration("same", [.of("i", "integer", .int64(1), ["writable": .boolean(true)])])
            try await tools.declare(tools: [same, ToolDeclaration("other", [])])
            #expect(try await tools.set(tool: "same", item: "i", value: .byte(5)) == .int64(5))
            let changes = try await fixture.client.record(
                MatchRule(interface: "org.sentinel.Tools1", member: "Changed"))
            try await tools.declare(tools: [same])
            try await tools.declare(tools: [same, ToolDeclaration("other", [.of("x", "info", .byte(1))])])
            try await changes.signals.wait()
            try await fixture.client.roundTrip()
            let declared = try changes.signals.elements.map { signal in
                var body = signal.body
                return try body.read() as [String]
            }
            #expect(declared == [["other"]])
            #expect(try await tools.list().map(\.id) == ["same", "other"])
            #expect(try await tools.content(tool: "same").value("i") == .int64(5))
            try fixture.stop()
        }

        @Test("are known after a restart with the values pushed since", arguments: [SIGTERM, SIGKILL])
        func restart(signal: Int32) async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let client = try TestClient(on: bus)
            var service = try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
            let path = try await client.register("com.example.App")
            let tools = client.tools(at: path)
            // Composed and decomposed names are two.
            try await tools.declare(tools: [
                ToolDeclaration("\u{e9}", [.of("i", "integer", .int64(1), ["writable": .boolean(true)])]),
                ToolDeclaration(
                    "e\u{301}", [.of("\u{e9}", "info", .boolean(true)), .of("e\u{301}", "info", .int64(0))]),
            ])
            #expect(try await tools.set(tool: "\u{e9}", item: "i", value: .byte(9)) == .int64(9))
            try await tools.update(tool: "e\u{301}", values: ["e\u{301}": .double(2)])
            let before = try await [tools.content(tool: "\u{e9}"), tools.content(tool: "e\u{301}")]
            service.process.send(signal)
            try service.process.waitForEnd()
            service = try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
            #expect(try await tools.list().map { Array($0.id.utf8) } == [Array("\u{e9}".utf8), Array("e\u{301}".utf8)])
            let after = try await [tools.content(tool: "\u{e9}"), tools.content(tool: "e\u{301}")]
            #expect(after == before)
            #expect(after[0]["i"]?.value == .int64(9))
            #expect(after[0]["i"]?.attributes["modified"] == .boolean(true))
            #expect(after[1].allItems.map(\.value) == [.boolean(true), .double(2)])
            // Declared again, it is what it says.
            try await tools.declare(tools: [ToolDeclaration("\u{e9}", [.of("i", "integer", .int64(1))])])
            #expect(try await tools.content(tool: "\u{e9}").value("i") == .int64(1))
            try await client.sentinel.forget(applicationID: "com.example.App", options: [:])
            try await client.register("com.example.App")
            #expect(try await tools.list() == [])
            #expect(try service.stop() == .exited(0))
        }
    }
}

/// A tool that cannot be declared, with what is said of it.
struct BadTool: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tool: ToolDeclaration
    let place: String
    var code: ErrorName = .invalidArgs

    private init(_ description: String, _ place: String, _ tool: ToolDeclaration, _ code: ErrorName = .invalidArgs) {
        testDescription = description
        self.place = place
        self.tool = tool
        self.code = code
    }

    private static func item(
        _ description: String, _ place: String, _ kind: String, _ value: Value, _ attributes: [Key: Value] = [:],
        code: ErrorName = .invalidArgs
    ) -> BadTool {
        let place = "tools[1].sections[0].items[0]" + (place.isEmpty ? "" : ".\(place)")
        return BadTool(description, place, ToolDeclaration("t", [.of("i", kind, value, attributes)]), code)
    }

    static var all: [BadTool] {
        let longName = String(repeating: "n", count: 256)
        let section = Section(id: "s", title: "S", items: [], attributes: [:])
        var all: [BadTool] = [
            BadTool("the same id twice", "tools[1].id", ToolDeclaration("good", [])),
            BadTool("an empty id", "tools[1].id", ToolDeclaration("", [])),
            BadTool("an id of 256 bytes", "tools[1].id", ToolDeclaration(longName, [])),
            BadTool("an id with a line in it", "tools[1].id", ToolDeclaration("a\nb", [])),
            BadTool(
                "a kind of tool that is unknown", "tools[1].kind",
                ToolDeclaration(id: "t", name: "", kind: "TABLE", screen: [], attributes: [:])),
            BadTool(
                "an attribute of a wrong type", "tools[1].live",
                ToolDeclaration(id: "t", name: "", kind: "table", screen: [], attributes: ["live": .int32(1)])),
            BadTool(
                "two sections of one id", "tools[1].sections[1].id",
                ToolDeclaration(id: "t", name: "", kind: "table", screen: [section, section], attributes: [:])),
            BadTool(
                "two items of one id", "tools[1].sections[0].items[1].id",
                ToolDeclaration("t", [.of("i", "info", .byte(1)), .of("i", "info", .byte(1))])),
            BadTool(
                "more items than there may be", "tools[1].sections[0].items",
                ToolDeclaration("t", (0...1000).map { .of("i\($0)", "info", .byte(1)) }), .limitsExceeded),
            BadTool(
                "more bytes than there may be", "tools[1].sections[0]",
                ToolDeclaration(
                    "t", (0..<10).map { .of("i\($0)", "info", .string(String(repeating: "x", count: 30_000))) }),
                .limitsExceeded),
            item("an empty kind", "kind", "", .byte(1)),
            item("a toggle of a number", "value", "toggle", .int32(1)),
            item("an integer of a truth value", "value", "integer", .boolean(true)),
            item("an integer of a double", "value", "integer", .double(1)),
            item("an integer past 64 bits", "value", "integer", .uint64(.max)),
            item("a double that is not finite", "value", "double", .double(.nan)),
            item("a text of a path", "value", "text", .objectPath("/a")),
            item("an info of bytes", "value", "info", .bytes([1])),
            item("a navigation with a value", "value", "navigation", .string("x"), ["target": .string("t")]),
            item("a navigation to nowhere", "target", "navigation", .string("")),
            item("a target elsewhere", "target", "info", .string(""), ["target": .string("t")]),
            item("a choice without choices", "", "choice", .string("")),
            item("min larger than max", "", "integer", .int64(2), ["min": .int64(3), "max": .int64(2)]),
            item("a value below its min", "value", "integer", .int64(2), ["min": .int64(3)]),
            item("a value above its max", "value", "double", .double(2), ["max": .double(1.5)]),
            item("a bound of another type", "", "integer", .int64(2), ["max": .double(5)]),
            item("a bound of a toggle", "", "toggle", .boolean(true), ["max": .int64(5)]),
            item("a text that is too long", "value", "text", .string("abc"), ["max_length": .uint32(2)]),
            item("a negative length", "max_length", "text", .string(""), ["max_length": .int32(-1)]),
            item("writable of a wrong type", "writable", "text", .string(""), ["writable": .string("yes")]),
            item("choices of a wrong type", "choices", "choice", .string(""), ["choices": .strings(["a"])]),
            item("parameters elsewhere", "parameters", "info", .string(""), ["parameters": .options([:])]),
        ]
        do {
            all += [
                item(
                    "two choices of one value", "", "choice", .byte(1),
                    ["choices": try .choices([(.byte(1), "A"), (.int64(1), "B")])]),
                item(
                    "choices of two types", "", "choice", .byte(1),
                    ["choices": try .choices([(.byte(1), "A"), (.string("1"), "B")])]),
                item(
                    "a value that is none of the choices", "value", "choice", .byte(2),
                    ["choices": try .choices([(.byte(1), "A")])]),
                item(
                    "two parameters of one name", "parameters[1].name", "action", .string(""),
                    ["parameters": try .parameters([("p", "text", [:]), ("p", "toggle", [:])])]),
                item(
                    "a parameter of kind info", "parameters[0].kind", "action", .string(""),
                    ["parameters": try .parameters([("p", "info", [:])])]),
            ]
        } catch {
            preconditionFailure("\(error)")
        }
        return all
    }
}
