// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Providers", .serialized, .timeLimit(.minutes(5)))
    struct ProviderTests {
        private static var parameters: Value {
            do {
                return try .parameters([
                    ("count", "integer", ["min": .int64(1), "max": .int64(3)]), ("why", "text", [:]),
                ])
            } catch {
                preconditionFailure("\(error)")
            }
        }

        /// A tool with a live item and two actions, and one that is live as a whole.
        private static var declarations: [ToolDeclaration] {
            [
                ToolDeclaration(
                    "half",
                    [
                        .of("mine", "integer", .int64(1)),
                        .of(
                            "level", "integer", .string(""),
                            [
                                "live": .boolean(true), "writable": .boolean(true), "max": .int64(10),
                            ]),
                        .of("go", "action", .string(""), ["parameters": parameters]),
                        .of("plain", "action", .string("")),
                    ]), ToolDeclaration("live", live: true, []),
            ]
        }

        private let fixture: ServiceFixture

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func provider(
            _ change: (inout TestProvider.Behaviour) -> Void = { _ in }
        ) async throws -> (TestProvider, Tools1Proxy) {
            var behaviour = TestProvider.Behaviour()
            change(&behaviour)
            let provider = try await TestProvider("com.example.App", on: fixture.bus, behaviour)
            let tools = provider.tools(through: fixture.client)
            try await tools.declare(tools: Self.declarations)
            return (provider, tools)
        }

        private static func screen(_ items: Item...) -> [Section] {
            [Section(id: "s", title: "S", items: items, attributes: [:])]
        }

        @Test("give live content, take values and perform actions, and what they do is passed on in its type")
        func live() async throws {
            let (provider, tools) = try await provider { behaviour in
                behaviour.content = { tool, reply in
                    reply(
                        Self.screen(
                            .of("level", "integer", .byte(5)),
                            .of("shown", "info", .string(tool), ["modified": .boolean(true)]),
                            .of("lost", "info", .string(""), ["error": .string("gone")]),
                            .of("odd", "slider", .double(1)),
                            .of("switch", "toggle", .boolean(false), ["writable": .boolean(true)]),
                            .of("do", "action", .string(""))))
                }
                behaviour.setItem = { item, value, reply in reply(item == "level" ? .int16(10) : value) }
                behaviour.invoke = { action, parameters, reply in
                    reply(parameters.merging(["action": .string(action), "n": .byte(1)]) { $1 })
                }
            }
            let half = try await tools.content(tool: "half")
            #expect(half.value("level") == .int64(5))
            #expect(half.value("mine") == .int64(1))
            let live = try await tools.content(tool: "live")
            #expect(live.allItems.map(\.kind) == ["integer", "info", "info", "slider", "toggle", "action"])
            #expect(live.value("shown") == .string("live"))
            #expect(live["shown"]?.attributes["modified"] == .boolean(true))
            #expect(live.error("lost") == "gone")

            let changes = try await fixture.client.record(
                MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            // It settles on another value than it was given.
            #expect(try await tools.set(tool: "half", item: "level", value: .byte(7)) == .int64(10))
            // An item that only the provider knows.
            #expect(try await tools.set(tool: "live", item: "switch", value: .boolean(true)) == .boolean(true))
            try await tools.update(tool: "live", values: ["shown": .string("x")])
            #expect(try await changes.signals.wait(for: 3).count == 3)
            let results = try await tools.invoke(
                tool: "half", action: "go", parameters: ["count": .byte(2), "why": .string("w"), "more": .int16(1)])
            #expect(
                results == [
                    "count": .int64(2), "why": .string("w"), "more": .int64(1), "action": .string("go"), "n": .int64(1),
                ])
            #expect(try await tools.invoke(tool: "live", action: "do", parameters: [:])["action"] == .string("do"))
            await expectError("org.sentinel.Error.UnknownItem") {
                _ = try await tools.set(tool: "live", item: "none", value: .byte(1))
            }
            await expectError("org.sentinel.Error.UnknownAction") {
                _ = try await tools.invoke(tool: "live", action: "switch", parameters: [:])
            }
            provider.end()
            try fixture.stop()
        }

        @Test("are not called with what does not fit the declaration")
        func checkedBefore() async throws {
            let (provider, tools) = try await provider()
            let deep = (0..<8).reduce(Value.options(["x": .byte(1)])) { value, _ in .options(["x": value]) }
            let wrong: [(parameters: [Key: Value], code: ErrorName, mention: String)] = [
                (["count": .byte(2)], .invalidArgs, "why"), ([:], .invalidArgs, "count"),
                (["count": .byte(4), "why": .string("")], "org.sentinel.Error.InvalidValue", "count"),
                (["count": .string("2"), "why": .string("")], "org.sentinel.Error.InvalidValue", "count"),
                (["count": .byte(2), "why": .objectPath("/")], "org.sentinel.Error.InvalidValue", "why"),
                (["count": .byte(2), "why": .string(""), "x": .objectPath("/")], .invalidArgs, "x"),
                (["count": .byte(2), "why": .string(""), "x": .double(.nan)], .invalidArgs, "x"),
                (["count": .byte(2), "why": .string(""), "x": .structure([.byte(1)])], .invalidArgs, "x"),
                (["count": .byte(2), "why": .string(""), "x": deep], .invalidArgs, "8"),
                (
                    ["count": .byte(2), "why": .string(""), "x": .bytes(.init(repeating: 0, count: 65_536))],
                    .invalidArgs, "65536"
                ),
            ]
            for (parameters, code, mention) in wrong {
                await expectError(code, mentioning: mention) {
                    _ = try await tools.invoke(tool: "half", action: "go", parameters: parameters)
                }
            }
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "10") {
                _ = try await tools.set(tool: "half", item: "level", value: .byte(11))
            }
            #expect(provider.calls.elements == [])
            provider.end()
            try fixture.stop()
        }

        @Test("get file descriptors, and give them")
        func descriptors() async throws {
            let (provider, tools) = try await provider { behaviour in
                behaviour.invoke = { _, parameters, reply in
                    guard case .fileDescriptor(let file)? = parameters["file"] else {
                        return reply.fail(DBusError(.failed, "no file"))
                    }
                    _ = write(file.rawValue, "provider", 8)
                    reply(["back": .fileDescriptor(file)])
                }
            }
            let tree = try FileTree()
            let file = FileDescriptor(owning: open(tree.path("file"), O_RDWR | O_CREAT, 0o600))
            let results = try await tools.invoke(
                tool: "half", action: "plain", parameters: ["file": .fileDescriptor(file)])
            guard case .fileDescriptor(let back)? = results["back"] else {
                Issue.record("no descriptor came back: \(results)")
                return
            }
            _ = write(back.rawValue, "+caller", 7)
            #expect(try String(contentsOfFile: tree.path("file"), encoding: .utf8) == "provider+caller")
            provider.end()
            try fixture.stop()
        }

        @Test("fail with errors of their own, which are passed on with name and text, fit to be shown")
        func ownErrors() async throws {
            let (provider, tools) = try await provider { behaviour in
                behaviour.content = { tool, reply in
                    reply.fail(DBusError("com.example.Error.Tired", "so \u{1b}[31mtired\u{202e}"))
                }
                behaviour.setItem = { _, _, reply in
                    reply.fail(DBusError("org.freedesktop.DBus.Error.NoReply", String(repeating: "x", count: 60_000)))
                }
                behaviour.invoke = { _, _, reply in reply.fail(DBusError("org.sentinel.Error.InvalidValue", "no")) }
            }
            await expectError("com.example.Error.Tired", mentioning: "so \u{241b}[31mtired\u{fffd}") {
                _ = try await tools.content(tool: "live")
            }
            #expect(try await tools.content(tool: "half").error("level")?.contains("tired") == true)
            let error = await #expect(throws: DBusError.self) {
                _ = try await tools.set(tool: "half", item: "level", value: .byte(1))
            }
            #expect(error?.code == .noReply)
            #expect(error.map { (1000...1100).contains($0.message.utf8.count) } == true)
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "no") {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            provider.end()
            try fixture.stop()
        }

        @Test("that lie are not believed", arguments: Lie.allCases)
        func lying(lie: Lie) async throws {
            let (provider, tools) = try await provider { behaviour in
                behaviour.content = { _, reply in lie.tell(reply) }
                behaviour.setItem = { _, _, reply in lie.tellValue(reply) }
                behaviour.invoke = { _, _, reply in lie.tellResults(reply) }
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "cannot be taken") {
                _ = try await tools.content(tool: "live")
            }
            let half = try await tools.content(tool: "half")
            #expect(half.value("mine") == .int64(1))
            #expect(half.error("level")?.contains("cannot be taken") == true, "\(half)")
            await expectError("org.sentinel.Error.Unavailable", mentioning: "cannot be taken") {
                _ = try await tools.set(tool: "half", item: "level", value: .byte(1))
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "cannot be taken") {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            #expect(try await fixture.client.sentinel.health() == "ok")
            provider.end()
            try fixture.stop()
        }

        @Test("that never answer delay nobody")
        func hanging() async throws {
            let (provider, tools) = try await provider { behaviour in
                behaviour.content = { [held = Recorder<Reply<[Section]>>()] _, reply in held.append(reply) }
            }
            let waiting = Task { await Self.failure { _ = try await tools.content(tool: "live") } }
            try await provider.calls.wait()
            let other = try await fixture.client.register("com.example.Other")
            try await fixture.client.tools(at: other).declare(tools: [ToolDeclaration("t", [])])
            #expect(try await tools.list().count == 2)
            #expect(try await tools.invoke(tool: "half", action: "plain", parameters: [:]).isEmpty)
            provider.end()
            #expect(await waiting.value != nil)
            try fixture.stop()
        }

        @Test("that answer too much are not listened to")
        func excessive() async throws {
            let text = String(repeating: "x", count: 2 << 20)
            let (provider, tools) = try await provider { behaviour in
                behaviour.content = { _, reply in reply(Self.screen(.of("level", "info", .string(text)))) }
                behaviour.setItem = { _, _, reply in reply(.string(text)) }
                behaviour.invoke = { _, _, reply in reply(["x": .string(text)]) }
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "at most 1048576 are allowed") {
                _ = try await tools.content(tool: "live")
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "at most 131072 are allowed") {
                _ = try await tools.set(tool: "half", item: "level", value: .byte(1))
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "at most 131072 are allowed") {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            #expect(try await tools.list().count == 2)
            provider.end()
            try fixture.stop()
        }

        @Test("that leave fail what they were asked", arguments: [false, true])
        func leaving(unregisters: Bool) async throws {
            let held = Recorder<Reply<[Key: Value]>>()
            let (provider, tools) = try await provider { behaviour in
                behaviour.invoke = { _, _, reply in held.append(reply) }
            }
            async let waiting = Self.failure {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            try await held.wait()
            if unregisters {
                try await provider.client.sentinel.unregister(applicationID: "com.example.App", options: [:])
                await expectError("org.sentinel.Error.Unavailable", mentioning: "no provider") {
                    _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
                }
            }
            provider.end()
            #expect(await waiting?.code == "org.sentinel.Error.ProviderGone")
            await expectError("org.sentinel.Error.Unavailable", mentioning: "no provider") {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            try fixture.stop()
        }

        @Test("are called in order without waiting for earlier answers, and only so many at a time")
        func order() async throws {
            let held = Recorder<(Int64, Reply<[Key: Value]>)>()
            let (provider, tools) = try await provider { behaviour in
                behaviour.invoke = { _, parameters, reply in
                    guard case .int64(let number)? = parameters["n"] else { return }
                    held.append((number, reply))
                }
            }
            let outcomes = Recorder<Result<Message, DBusError>>()
            for number in 0..<70 {
                let message = try Message.methodCall(
                    to: "org.sentinel", provider.application, "org.sentinel.Tools1", "Invoke"
                ) { (writer) throws(DBusError) in
                    try writer.write("half")
                    try writer.write("plain")
                    try writer.write(["n": .int64(Int64(number))] as [Key: Value])
                }
                fixture.client.connection.call(message) { outcomes.append($0) }
            }
            try await held.wait(for: 64)
            try await outcomes.wait(for: 6)
            #expect(outcomes.takeAll().allSatisfy { $0.errorCode == .limitsExceeded })
            #expect(held.elements.map(\.0) == (0..<64).map { Int64($0) })
            for (number, reply) in held.elements.reversed() {
                reply(["n": .int64(number)])
            }
            try await outcomes.wait(for: 64)
            #expect(outcomes.elements.allSatisfy { $0.errorCode == nil })
            // They are no longer counted.
            async let one = tools.invoke(tool: "half", action: "plain", parameters: ["n": .byte(99)])
            try await held.wait(for: 65)
            held.elements[64].1(["n": .byte(99)])
            #expect(try await one == ["n": .int64(99)])
            provider.end()
            try fixture.stop()
        }

        @Test("can call the service while they are called")
        func callingBack() async throws {
            let client = try TestClient(on: fixture.bus)
            let (provider, tools) = try await provider { behaviour in
                behaviour.invoke = { _, _, reply in
                    Task {
                        do {
                            let own = client.tools(at: "/org/sentinel/apps/com_2eexample_2eApp")
                            try await own.update(tool: "half", values: ["mine": .int64(8)])
                            try await own.declare(tools: [ToolDeclaration("made", [.of("x", "info", .byte(1))])])
                            reply(["count": .int64(Int64(try await own.list().count))])
                        } catch {
                            reply.fail(DBusError(.failed, "\(error)"))
                        }
                    }
                }
            }
            #expect(try await tools.invoke(tool: "half", action: "plain", parameters: [:]) == ["count": .int64(3)])
            #expect(try await tools.content(tool: "half").value("mine") == .int64(8))
            provider.end()
            try fixture.stop()
        }

        @Test("of several instances the newest is called")
        func newest() async throws {
            let (first, tools) = try await provider()
            var behaviour = TestProvider.Behaviour()
            behaviour.invoke = { _, _, reply in reply(["newest": .boolean(true)]) }
            let second = try await TestProvider("com.example.App", on: fixture.bus, behaviour)
            #expect(
                try await tools.invoke(tool: "half", action: "plain", parameters: [:]) == ["newest": .boolean(true)])
            #expect(first.calls.elements == [])
            second.end()
            let application = fixture.client.application(at: first.application)
            try await waitUntil("the first is the newest") { try await application.instances().count == 1 }
            #expect(try await tools.invoke(tool: "half", action: "plain", parameters: [:]).isEmpty)
            #expect(first.calls.elements == ["Invoke plain"])
            // An instance without a provider takes the place of one with.
            let third = try TestClient(on: fixture.bus)
            try await third.register("com.example.App")
            await expectError("org.sentinel.Error.Unavailable") {
                _ = try await tools.invoke(tool: "half", action: "plain", parameters: [:])
            }
            first.end()
            try fixture.stop()
        }

        private static func failure(_ body: () async throws -> Void) async -> DBusError? {
            do {
                try await body()
                return nil
            } catch {
                return error as? DBusError
            }
        }
    }
}
