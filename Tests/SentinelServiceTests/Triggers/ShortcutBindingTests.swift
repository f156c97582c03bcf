// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    @Suite("Binding of shortcuts", .serialized, .timeLimit(.minutes(5)))
    struct ShortcutBindingTests {
        private static let asksPerson = "the desktop asks the person"
        private static let notBound = "the desktop has not bound it"

        @Test("a portal is asked nothing while there are no triggers")
        func nothing() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.remove("a")
            try await fixture.client.roundTrip()
            #expect(portal.calls.count == 0)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            #expect(portal.calls.elements == ["Register org.sentinel", "CreateSession", "BindShortcuts a"])
            await fixture.end()
        }

        @Test("a shortcut has a description always, and preferred keys where they are given")
        func attributes() async throws {
            let fixture = try ShortcutFixture(gathering: .seconds(2))
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("named", "unnamed")
            try await fixture.add("full", preferred: "CTRL+ALT+d", description: "Open it")
            let request = try await portal.bindings.wait()[0]
            #expect(
                request.shortcuts == [
                    "named": ["description": .string("Open the debug menu of Example")],
                    "unnamed": ["description": .string("Open the debug menu")],
                    "full": ["description": .string("Open it"), "preferred_trigger": .string("CTRL+ALT+d")],
                ])
            await fixture.end()
        }

        @Test("changes that come together are bound at once")
        func together() async throws {
            let fixture = try ShortcutFixture(gathering: .seconds(2))
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a", "b")
            try await fixture.add("c")
            try await fixture.remove("b")
            try await fixture.wait(for: nil, to: "c")
            #expect(portal.calls.elements == ["Register org.sentinel", "CreateSession", "BindShortcuts a c"])
            await fixture.end()
        }

        @Test("another set of shortcuts is bound in another session, when the one before has been closed")
        func change() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            try await fixture.add("b")
            try await fixture.wait(for: nil, to: "b")
            #expect(
                portal.calls.elements == [
                    "Register org.sentinel", "CreateSession", "BindShortcuts a", "Close session", "CreateSession",
                    "BindShortcuts a b",
                ])
            let sessions = portal.sessions.elements.map(\.session)
            #expect(Set(sessions).count == 2)
            #expect(portal.closed.elements == [sessions[0]])
            #expect(try await fixture.obstacle(to: "a") == nil)
            await fixture.end()
        }

        @Test("a shortcut that is there already is not bound again")
        func same() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a", "a")
            try await fixture.wait(for: nil, to: "a")
            try await fixture.add("a")
            #expect(try await fixture.obstacle(to: "a") == nil)
            // One with other keys is another.
            try await fixture.add("a", preferred: "CTRL+d")
            try await portal.bindings.wait(for: 2)
            try await fixture.wait(for: nil, to: "a")
            #expect(portal.calls.elements.filter { $0 == "BindShortcuts a" }.count == 2)
            await fixture.end()
        }

        @Test("a change that is taken back while changes are gathered asks nothing")
        func takenBack() async throws {
            let fixture = try ShortcutFixture(gathering: .milliseconds(100))
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            let (first, other) = (try Name("a"), try Name("b"))
            let gathered = Recorder<Bool>()
            await fixture.onLoop { triggers in
                triggers.add(other, .shortcut(TriggerCause.Shortcut()))
                triggers.remove(other)
                triggers.remove(first)
                triggers.add(first, .shortcut(TriggerCause.Shortcut()))
            }
            fixture.client.connection.loop.schedule(after: .milliseconds(150)) { gathered.append(true) }
            try await gathered.wait()
            try portal.activate("a", in: portal.sessions.elements.last)
            try await fixture.fired.wait()
            #expect(portal.calls.elements == ["Register org.sentinel", "CreateSession", "BindShortcuts a"])
            await fixture.end()
        }

        @Test("the last shortcut that is removed closes the session, and a later one is bound again")
        func last() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            try await fixture.remove("a")
            #expect(try await portal.closed.wait() == [portal.sessions.elements[0].session])
            #expect(try await fixture.obstacle(to: "a") == "nothing watches for it")
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            #expect(portal.bindings.count == 2)
            await fixture.end()
        }

        @Test("stopping closes the session, and adds nothing after")
        func stop() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            await fixture.onLoop { $0.stop() }
            #expect(try await portal.closed.wait() == [portal.sessions.elements[0].session])
            try await fixture.add("b")
            #expect(try await fixture.obstacle(to: "b") == "nothing watches for it")
            try portal.activate("a", in: portal.sessions.elements.last)
            try await fixture.client.roundTrip()
            #expect(fixture.fired.count == 0)
            #expect(portal.bindings.count == 1)
            await fixture.end()
        }

        @Test("a person has more time than a call, and what is asked is told meanwhile")
        func dialog() async throws {
            let fixture = try ShortcutFixture(deadline: .seconds(3))
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { $0.accept() }
            try await fixture.add("a")
            let request = try await portal.bindings.wait()[0]
            try await fixture.wait(for: Self.asksPerson, to: "a")
            let over = Recorder<Bool>()
            fixture.client.connection.loop.schedule(after: .seconds(3.5)) { over.append(true) }
            try await over.wait()
            #expect(try await fixture.obstacle(to: "a") == Self.asksPerson)
            request.respond(0, ["shortcuts": .shortcuts(["a"])])
            try await fixture.wait(for: nil, to: "a")
            await fixture.end()
        }

        @Test("a change while a person is asked takes the question back")
        func changeWhileAsking() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { $0.accept() }
            try await fixture.add("a")
            let request = try await portal.bindings.wait()[0]
            try await fixture.wait(for: Self.asksPerson, to: "a")
            portal.behaviour.bind = { $0.grant() }
            try await fixture.add("b")
            try await fixture.wait(for: nil, to: "b")
            #expect(portal.closed.elements == [request.path, request.session])
            // The answer to a question that was taken back says nothing.
            request.respond(1)
            try portal.activate("b", in: portal.sessions.elements.last)
            try await fixture.fired.wait()
            #expect(try await fixture.obstacle(to: "a") == nil)
            await fixture.end()
        }

        @Test(
            "what is refused or fails is told, and asked again only with the next change",
            arguments: [
                (1, "the person has refused it"), (2, "the desktop portal could not do it (response 2)"),
                (77, "the desktop portal could not do it (response 77)"),
            ])
        func refusal(response: UInt32, obstacle: String) async throws {
            for isForSession in [true, false] {
                let fixture = try ShortcutFixture()
                let portal = try await MockPortal(on: fixture.bus)
                let refuse = { @Sendable (request: MockPortal.Request) in
                    request.accept()
                    request.respond(response)
                }
                portal.behaviour[keyPath: isForSession ? \MockPortal.Behaviour.create : \.bind] = refuse
                try await fixture.add("a")
                try await fixture.wait(for: obstacle, to: "a")
                #expect(portal.sessions.count == 1)
                portal.behaviour = MockPortal.Behaviour()
                try await fixture.add("b")
                try await fixture.wait(for: nil, to: "b")
                #expect(try await fixture.obstacle(to: "a") == nil)
                #expect(portal.sessions.count == 2)
                await fixture.end()
            }
        }

        @Test("what the desktop does not list is not bound until it says so, or the keys are pressed")
        func unlisted() async throws {
            let fixture = try ShortcutFixture(gathering: .milliseconds(100))
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { request in
                request.accept()
                request.respond(0, ["shortcuts": .shortcuts(["b", "foreign"])])
            }
            try await fixture.add("a", "b", "c")
            try await fixture.wait(for: nil, to: "b")
            #expect(try await fixture.obstacle(to: "a") == Self.notBound)
            let session = try #require(portal.sessions.elements.last)
            portal.emit("ShortcutsChanged", to: session.call.sender) { (writer) throws(DBusError) in
                try writer.write(session.session)
                try writer.write([PortalShortcut(id: "a", attributes: [:])])
            }
            try await fixture.wait(for: nil, to: "a")
            #expect(try await fixture.obstacle(to: "b") == Self.notBound)
            try portal.activate("c", in: session)
            try await fixture.wait(for: nil, to: "c")
            #expect(fixture.fired.elements == ["c"])
            await fixture.end()
        }

        @Test("where the desktop does not say what it has bound, it is asked")
        func noList() async throws {
            let fixture = try ShortcutFixture(gathering: .milliseconds(100))
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { request in
                request.accept()
                request.respond(0)
            }
            portal.behaviour.list = { request in
                request.accept()
                request.respond(0, ["shortcuts": .shortcuts(["b"])])
            }
            try await fixture.add("a", "b")
            try await fixture.wait(for: nil, to: "b")
            #expect(try await fixture.obstacle(to: "a") == Self.notBound)
            #expect(portal.calls.elements.suffix(2) == ["BindShortcuts a b", "ListShortcuts"])
            await fixture.end()
        }

        @Test("where the desktop does not say at all what it has bound, it is taken by its word", arguments: 0..<4)
        func noListAtAll(way: Int) async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { request in
                request.accept()
                request.respond(0)
            }
            portal.behaviour.list = { request in
                guard way > 0 else { return request.call.fail(DBusError(.failed, "no")) }
                request.accept()
                request.respond(way == 1 ? 2 : 0, way == 2 ? [:] : ["shortcuts": .boolean(true)])
            }
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            try portal.activate("a", in: portal.sessions.elements.last)
            try await fixture.fired.wait()
            await fixture.end()
        }

        @Test("the bus forgets all rules of sessions that are over")
        func rules() async throws {
            let fixture = try ShortcutFixture()
            let before = try await fixture.ruleCount()
            let portal = try await MockPortal(on: fixture.bus)
            for _ in 0..<3 {
                try await fixture.add("a")
                try await fixture.wait(for: nil, to: "a")
                try await fixture.remove("a")
                try await waitUntil("the session is closed") { portal.closed.count == portal.sessions.count }
            }
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            #expect(try await fixture.ruleCount() > before)
            await fixture.onLoop { $0.stop() }
            #expect(try await fixture.ruleCount() == before)
            await fixture.end()
        }

        @Test("an outcome that comes before the answer to its call is taken")
        func earlyOutcome() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.create = { request in
                // Some desktops give a path as what it is.
                request.respond(0, ["session_handle": .objectPath(request.session)])
                request.accept()
            }
            portal.behaviour.bind = { request in
                request.respond(0, ["shortcuts": .shortcuts(["a"])])
                request.accept()
            }
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            await fixture.end()
        }
    }
}
