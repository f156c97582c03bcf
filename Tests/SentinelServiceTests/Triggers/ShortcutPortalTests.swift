// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    @Suite("Portals for shortcuts", .serialized, .timeLimit(.minutes(5)))
    struct ShortcutPortalTests {
        private static let left = "the desktop portal has left the session bus"
        private static let unknownForm = "the desktop portal has answered in a form that is not known"

        @Test("without a portal that is said, and one that comes later is taken")
        func late() async throws {
            let fixture = try ShortcutFixture()
            try await fixture.add("a")
            try await fixture.wait(for: "there is no desktop portal on the session bus", to: "a")
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.wait(for: nil, to: "a")
            #expect(portal.calls.elements == ["Register org.sentinel", "CreateSession", "BindShortcuts a"])
            await fixture.end()
        }

        @Test("a portal that cannot be started is said")
        func cannotStart() async throws {
            let fixture = try ShortcutFixture(activatable: [MockPortal.name.text: "/bin/false"])
            try await fixture.add("a")
            try await fixture.wait(
                for: "the desktop portal cannot be started (org.freedesktop.DBus.Error.Spawn.ChildExited)", to: "a")
            await fixture.end()
        }

        @Test("a portal that starts and does not take its name is not waited for long")
        func startHangs() async throws {
            let fixture = try ShortcutFixture(
                // Without the bus's output, whose end is waited for.
                activatable: [MockPortal.name.text: "/bin/sh -c 'exec sleep 30 >/dev/null 2>&1'"],
                deadline: .seconds(4))
            try await fixture.add("a")
            try await fixture.wait(
                for: "the desktop portal has not started, for which 4.0 seconds are allowed", to: "a")
            let portal = try await MockPortal(on: fixture.bus)
            try await portal.bindings.wait()
            await fixture.end()
        }

        @Test("a portal that restarts is asked anew, and keys of the session before fire nothing")
        func restart() async throws {
            let fixture = try ShortcutFixture()
            let first = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            let session = try #require(first.sessions.elements.last)
            first.end()
            try await fixture.wait(for: Self.left, to: "a")
            let second = try await MockPortal(on: fixture.bus)
            try await fixture.wait(for: nil, to: "a")
            #expect(second.calls.elements == ["Register org.sentinel", "CreateSession", "BindShortcuts a"])
            try second.activate("a", in: session)
            try await fixture.client.roundTrip()
            try second.activate("a", in: second.sessions.elements.last)
            try await fixture.fired.wait()
            #expect(fixture.fired.elements == ["a"])
            await fixture.end()
        }

        @Test("a process that is the portal no more is told to end its session, and fires nothing")
        func resignation() async throws {
            let fixture = try ShortcutFixture()
            let first = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            let session = try #require(first.sessions.elements.last)
            await first.resign()
            try await fixture.wait(for: Self.left, to: "a")
            #expect(try await first.closed.wait() == [session.session])
            try first.activate("a", in: session)
            let second = try await MockPortal(on: fixture.bus)
            try await fixture.wait(for: nil, to: "a")
            #expect(second.bindings.count == 1)
            #expect(fixture.fired.count == 0)
            await fixture.end()
        }

        @Test("a process that was the portal and answers late is asked nothing more")
        func lateAnswer() async throws {
            let fixture = try ShortcutFixture()
            let held = Recorder<MethodCall>()
            var behaviour = MockPortal.Behaviour()
            behaviour.register = { held.append($0) }
            let first = try await MockPortal(on: fixture.bus, behaviour)
            try await fixture.add("a")
            let call = try await held.wait()[0]
            await first.resign()
            try await fixture.wait(for: Self.left, to: "a")
            call.answer { _ in }
            // It comes before what follows from the same process.
            await first.resign()
            let second = try await MockPortal(on: fixture.bus)
            try await fixture.wait(for: nil, to: "a")
            #expect(second.bindings.count == 1)
            #expect(first.sessions.count == 0)
            await fixture.end()
        }

        @Test("a portal that dies while a person is asked leaves the question to the next")
        func deathWhileAsking() async throws {
            let fixture = try ShortcutFixture()
            let first = try await MockPortal(on: fixture.bus)
            first.behaviour.bind = { $0.accept() }
            try await fixture.add("a")
            try await first.bindings.wait()
            first.end()
            try await fixture.wait(for: Self.left, to: "a")
            let second = try await MockPortal(on: fixture.bus)
            try await fixture.wait(for: nil, to: "a")
            #expect(second.bindings.count == 1)
            await fixture.end()
        }

        @Test("a portal that dies of what it is asked is not started again for it")
        func deathOfQuestion() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.create = { [weak portal] _ in portal?.end() }
            try await fixture.add("a")
            try await fixture.wait(for: Self.left, to: "a")
            await fixture.end()
        }

        @Test("a portal without global shortcuts is said")
        func noShortcuts() async throws {
            let fixture = try ShortcutFixture()
            var behaviour = MockPortal.Behaviour()
            behaviour.hasShortcuts = false
            let portal = try await MockPortal(on: fixture.bus, behaviour)
            try await fixture.add("a")
            try await fixture.wait(for: "the desktop portal offers no global shortcuts", to: "a")
            #expect(portal.calls.elements == ["Register org.sentinel"])
            await fixture.end()
        }

        @Test("a portal that takes no application ids binds all the same")
        func noRegistry() async throws {
            let fixture = try ShortcutFixture()
            var behaviour = MockPortal.Behaviour()
            behaviour.hasRegistry = false
            let portal = try await MockPortal(on: fixture.bus, behaviour)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            #expect(portal.calls.elements == ["CreateSession", "BindShortcuts a"])
            await fixture.end()
        }

        @Test("a portal that does not say whether it takes the application id binds all the same")
        func silentRegistry() async throws {
            let fixture = try ShortcutFixture(deadline: .seconds(4))
            let held = Recorder<MethodCall>()
            var behaviour = MockPortal.Behaviour()
            behaviour.register = { held.append($0) }
            let portal = try await MockPortal(on: fixture.bus, behaviour)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            #expect(held.count == 1)
            #expect(portal.bindings.count == 1)
            await fixture.end()
        }

        @Test("an error of the portal is told with its name, without its words")
        func error() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.create = {
                $0.call.fail(DBusError("org.freedesktop.portal.Error.NotAllowed", "evil words"))
            }
            try await fixture.add("a")
            try await fixture.wait(
                for: "the desktop portal has refused (org.freedesktop.portal.Error.NotAllowed)", to: "a")
            await fixture.end()
        }

        @Test("a portal that hangs is not waited for, and is told to close what it could make yet", arguments: [0, 1])
        func hang(step: Int) async throws {
            let fixture = try ShortcutFixture(deadline: .seconds(4))
            let portal = try await MockPortal(on: fixture.bus)
            // The call is held, since one that is dropped is answered.
            let held = Recorder<MockPortal.Request>()
            portal.behaviour[keyPath: step == 0 ? \MockPortal.Behaviour.create : \.bind] = { held.append($0) }
            try await fixture.add("a")
            try await fixture.wait(
                for: "the desktop portal has not answered, for which 4.0 seconds are allowed", to: "a")
            let request = try await held.wait()[0]
            #expect(try await portal.closed.wait(for: 2) == [request.path, request.session])
            // What it answers too late says nothing.
            request.grant()
            portal.behaviour = MockPortal.Behaviour()
            try await fixture.add("b")
            try await fixture.wait(for: nil, to: "b")
            #expect(portal.sessions.count == 2)
            await fixture.end()
        }

        /// What a portal can answer that nobody has documented.
        private static let forms: [@Sendable (MockPortal.Request) -> Void] = [
            { $0.call.answer { _ in } },
            { request in request.call.answer { (writer) throws(DBusError) in try writer.write("text") } },
            { request in Reply<ObjectPath>(request.call)("/org/example") },
            { request in
                request.accept()
                request.respond { _ in }
            },
            { request in
                request.accept()
                request.respond { (writer) throws(DBusError) in
                    try writer.write(Int32(-1))
                    try writer.write([Key: Value]())
                }
            },
            { request in
                request.accept()
                request.respond { (writer) throws(DBusError) in
                    try writer.write(UInt32(0))
                    try writer.write([Key: String]())
                }
            },
            { request in
                request.accept()
                let long = String(repeating: "x", count: 2 << 20)
                request.respond(
                    0,
                    [
                        "long": .string(long), "session_handle": .string(request.session.text),
                        "shortcuts": .shortcuts(["a"]),
                    ])
            },
            { request in
                request.accept()
                request.respond(0, ["session_handle": .int64(.min), "shortcuts": .int64(.min)])
            },
            { request in
                request.accept()
                request.respond(0, ["session_handle": .string("no path"), "shortcuts": .strings(["a"])])
            },
            { request in
                request.accept()
                request.respond(
                    0, ["session_handle": .string(""), "shortcuts": .structure([.string("a"), .options([:])])])
            },
        ]

        @Test("answers in forms that nobody knows are told as such, and harm nothing", arguments: forms.indices)
        func nonsense(index: Int) async throws {
            for isForSession in [true, false] {
                let fixture = try ShortcutFixture()
                let portal = try await MockPortal(on: fixture.bus)
                portal.behaviour[keyPath: isForSession ? \MockPortal.Behaviour.create : \.bind] = Self.forms[index]
                try await fixture.add("a")
                try await fixture.wait(for: Self.unknownForm, to: "a")
                portal.behaviour = MockPortal.Behaviour()
                try await fixture.add("b")
                try await fixture.wait(for: nil, to: "a")
                await fixture.end()
            }
        }
    }
}
