// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Values of tools", .serialized, .timeLimit(.minutes(5)))
    struct ToolValueTests {
        private let fixture: ServiceFixture
        private let path: ObjectPath
        private let tools: Tools1Proxy

        init() async throws {
            fixture = try await ServiceFixture()
            path = try await fixture.client.register("com.example.App")
            tools = fixture.client.tools(at: path)
            let writable: [Key: Value] = ["writable": .boolean(true)]
            let choices = try Value.choices([(.int64(1), "One"), (.int64(2), "Two")])
            try await tools.declare(tools: [
                ToolDeclaration(
                    "t",
                    [
                        .of("toggle", "toggle", .boolean(true), writable),
                        .of("integer", "integer", .int64(4), writable.merging(["max": .int64(9)]) { $1 }),
                        .of("double", "double", .double(0.5), writable.merging(["min": .double(0)]) { $1 }),
                        .of("text", "text", .string("t"), writable.merging(["max_length": .uint32(3)]) { $1 }),
                        .of("choice", "choice", .int64(1), writable.merging(["choices": choices]) { $1 }),
                        .of("fixed", "integer", .int64(1)), .of("info", "info", .string("I"), writable),
                        .of("custom", "custom", .string(""), writable),
                    ])
            ])
        }

        @Test("are changed one by one, each in its type, and said to have changed without the value")
        func set() async throws {
            let changes = try await fixture.client.record(
                MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            let steps: [(item: String, value: Value, inForce: Value)] = [
                ("toggle", .boolean(false), .boolean(false)), ("integer", .byte(9), .int64(9)),
                ("integer", .int64(.min), .int64(.min)), ("double", .uint32(3), .double(3)),
                ("text", .string("e\u{301}x"), .string("e\u{301}x")), ("choice", .int16(2), .int64(2)),
                ("choice", .variant(.variant(.byte(1))), .int64(1)),
            ]
            for step in steps {
                #expect(try await tools.set(tool: "t", item: step.item, value: step.value) == step.inForce)
                let content = try await tools.content(tool: "t")
                #expect(content.value(step.item) == step.inForce)
            }
            // What is the value already changes nothing.
            _ = try await tools.set(tool: "t", item: "toggle", value: .boolean(false))
            try await fixture.client.roundTrip()
            let signals = changes.signals.elements
            #expect(signals.allSatisfy { $0.path == path })
            #expect(try Self.items(of: signals) == steps.map { [$0.item] })
            #expect(try await tools.content(tool: "t")["choice"]?.attributes["modified"] == nil)
            #expect(try await tools.content(tool: "t")["toggle"]?.attributes["modified"] == .boolean(true))
            try fixture.stop()
        }

        private static func items(of signals: [Message]) throws -> [[String]] {
            try signals.map { signal in
                var body = signal.body
                return try Tools1.ItemChanged(from: &body).items
            }
        }

        @Test("that do not fit are refused with what is wanted, and change nothing")
        func refused() async throws {
            let before = try await tools.content(tool: "t")
            let wrong: [(item: String, value: Value, wanted: String)] = [
                ("toggle", .int32(1), "true or false"), ("toggle", .string("true"), "true or false"),
                ("integer", .boolean(true), "an integer"), ("integer", .double(4), "an integer"),
                ("integer", .int64(10), "9"), ("integer", .uint64(.max), "an integer"),
                ("double", .double(.infinity), "a finite number"), ("double", .double(-0.1), "0.0"),
                ("double", .boolean(true), "a finite number"), ("text", .string("abcd"), "3"),
                ("text", .objectPath("/a"), "text"), ("text", .signature("s"), "text"),
                ("choice", .int64(3), "choices"),
                ("choice", .string("1"), "choices"), ("toggle", .strings(["x"]), "true or false"),
            ]
            for (item, value, wanted) in wrong {
                await expectError("org.sentinel.Error.InvalidValue", mentioning: item, wanted) {
                    _ = try await tools.set(tool: "t", item: item, value: value)
                }
                await expectError("org.sentinel.Error.InvalidValue", mentioning: item, wanted) {
                    try await tools.update(tool: "t", values: [Key(item): value, "fixed": .int64(2)])
                }
            }
            for item in ["fixed", "info", "custom"] {
                await expectError("org.sentinel.Error.ReadOnly") {
                    _ = try await tools.set(tool: "t", item: item, value: .int64(1))
                }
            }
            #expect(try await tools.content(tool: "t") == before)
            try fixture.stop()
        }

        @Test("are pushed by the application, all or none, whether they can be changed from outside or not")
        func update() async throws {
            let changes = try await fixture.client.record(
                MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            try await tools.update(
                tool: "t", values: ["fixed": .byte(7), "info": .double(1.5), "toggle": .boolean(true)])
            try await tools.update(tool: "t", values: [:])
            await expectError("org.sentinel.Error.UnknownItem") {
                try await tools.update(tool: "t", values: ["fixed": .byte(8), "nope": .byte(8)])
            }
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "custom") {
                try await tools.update(tool: "t", values: ["fixed": .byte(8), "custom": .byte(8)])
            }
            try await fixture.client.roundTrip()
            #expect(try Self.items(of: changes.signals.elements) == [["fixed", "info"]])
            let content = try await tools.content(tool: "t")
            #expect(content.value("fixed") == .int64(7))
            #expect(content.value("info") == .double(1.5))
            try fixture.stop()
        }

        @Test("are pushed, and tools removed, only as many at once as there may be")
        func tooMany() async throws {
            try await tools.declare(tools: [ToolDeclaration("live", live: true, [])])
            func values(_ count: Int) -> [Key: Value] {
                Dictionary(uniqueKeysWithValues: (0..<count).map { (Key("i\($0)"), .byte(1)) })
            }
            let changes = try await fixture.client.record(
                MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            for tool in ["live", "t"] {
                await expectError(.limitsExceeded, mentioning: "1000") {
                    try await tools.update(tool: tool, values: values(1001))
                }
            }
            try await tools.update(tool: "live", values: values(1000))
            try await fixture.client.roundTrip()
            #expect(try Self.items(of: changes.signals.elements).map(\.count) == [1000])
            await expectError(.limitsExceeded, mentioning: "100") {
                try await tools.remove(tools: Array(repeating: "t", count: 101))
            }
            #expect(try await tools.list().map(\.id) == ["t", "live"])
            try fixture.stop()
        }

        @Test("without a provider live ones say so, and nothing can be invoked")
        func noProvider() async throws {
            try await tools.declare(tools: [
                ToolDeclaration("live", live: true, []),
                ToolDeclaration(
                    "half",
                    [
                        .of("mine", "integer", .int64(1)),
                        .of("yours", "integer", .string(""), ["live": .boolean(true)]),
                        .of("go", "action", .string("")),
                    ]),
            ])
            await expectError("org.sentinel.Error.Unavailable", mentioning: "provider") {
                _ = try await tools.content(tool: "live")
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "provider") {
                _ = try await tools.invoke(tool: "half", action: "go", parameters: [:])
            }
            let content = try await tools.content(tool: "half")
            #expect(content.value("mine") == .int64(1))
            #expect(content["yours"]?.value == .string(""))
            #expect(content.error("yours")?.contains("provider") == true)
            try fixture.stop()
        }
    }
}
