// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    @Suite("Signals of shortcuts", .serialized, .timeLimit(.minutes(5)))
    struct ShortcutSignalTests {
        /// Triggers `a` and `b`, bound.
        private static func bound() async throws -> (ShortcutFixture, MockPortal, MockPortal.Request) {
            let fixture = try ShortcutFixture(gathering: .milliseconds(50))
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a", "b")
            try await fixture.wait(for: nil, to: "b")
            return (fixture, portal, try #require(portal.bindings.elements.last))
        }

        @Test("keys that are pressed fire their trigger each time")
        func fires() async throws {
            let (fixture, portal, session) = try await Self.bound()
            for id in ["a", "b", "a"] {
                try portal.activate(id, in: session)
            }
            #expect(try await fixture.fired.wait(for: 3) == ["a", "b", "a"])
            await fixture.end()
        }

        @Test("what is of other sessions or of ids that nobody has added does nothing, nor do keys that are let go")
        func foreign() async throws {
            let (fixture, portal, session) = try await Self.bound()
            try portal.activate("c", in: session)
            try portal.activate("", in: session)
            for (member, path) in [("Activated", "/org/example"), ("Deactivated", session.session.text)] {
                let path = try ObjectPath(path)
                portal.emit(try MemberName(member), to: session.call.sender) { (writer) throws(DBusError) in
                    try writer.write(path)
                    try writer.write("a")
                    try writer.write(UInt64(1))
                    try writer.write([Key: Value]())
                }
            }
            portal.endSession(of: session, at: "/org/example")
            try portal.activate("b", in: session)
            try await fixture.fired.wait()
            #expect(fixture.fired.elements == ["b"])
            #expect(try await fixture.obstacle(to: "a") == nil)
            await fixture.end()
        }

        @Test("what another client sends in the portal's stead does nothing")
        func forged() async throws {
            let (fixture, portal, session) = try await Self.bound()
            let forger = try TestClient(on: fixture.bus)
            let receiver = fixture.client.connection.uniqueName
            for destination in [receiver, nil] {
                forger.connection.send(
                    try Message.signal(
                        from: MockPortal.path, "org.freedesktop.portal.GlobalShortcuts", "Activated", to: destination
                    ) { (writer) throws(DBusError) in
                        try writer.write(session.session)
                        try writer.write("a")
                        try writer.write(UInt64(1))
                        try writer.write([Key: Value]())
                    })
                forger.connection.send(
                    try Message.signal(
                        from: session.session, "org.freedesktop.portal.Session", "Closed", to: destination
                    ) { (writer) throws(DBusError) in
                        try writer.write([Key: Value]())
                    })
            }
            try await forger.roundTrip()
            try portal.activate("b", in: session)
            try await fixture.fired.wait()
            #expect(fixture.fired.elements == ["b"])
            #expect(try await fixture.obstacle(to: "a") == nil)
            await fixture.end()
        }

        @Test("a forged outcome of a request is not taken for the portal's")
        func forgedOutcome() async throws {
            let fixture = try ShortcutFixture()
            let portal = try await MockPortal(on: fixture.bus)
            portal.behaviour.bind = { $0.accept() }
            try await fixture.add("a")
            let request = try await portal.bindings.wait()[0]
            let forger = try TestClient(on: fixture.bus)
            forger.connection.send(
                try Message.signal(
                    from: request.path, "org.freedesktop.portal.Request", "Response", to: request.call.sender
                ) { (writer) throws(DBusError) in
                    try writer.write(UInt32(1))
                    try writer.write([Key: Value]())
                })
            try await forger.roundTrip()
            request.respond(0, ["shortcuts": .shortcuts(["a"])])
            try await fixture.wait(for: nil, to: "a")
            await fixture.end()
        }

        @Test("a trigger that is removed does not fire any more, though its session has not ended yet")
        func removed() async throws {
            let fixture = try ShortcutFixture(gathering: .milliseconds(200))
            let portal = try await MockPortal(on: fixture.bus)
            try await fixture.add("a")
            try await fixture.wait(for: nil, to: "a")
            let session = try #require(portal.sessions.elements.last)
            let (first, other) = (try Name("a"), try Name("b"))
            // Another is added, so that there is something to see fire.
            await fixture.onLoop { triggers in
                triggers.remove(first)
                triggers.add(other, .shortcut(TriggerCause.Shortcut()))
            }
            try portal.activate("a", in: session)
            try await fixture.wait(for: nil, to: "b")
            try portal.activate("a", in: portal.sessions.elements.last)
            try portal.activate("b", in: portal.sessions.elements.last)
            try await fixture.fired.wait()
            #expect(fixture.fired.elements == ["b"])
            await fixture.end()
        }

        @Test("signals with arguments of other types change nothing")
        func nonsense() async throws {
            let (fixture, portal, session) = try await Self.bound()
            for member in ["Activated", "ShortcutsChanged"] as [MemberName] {
                portal.emit(member, to: session.call.sender) { _ in }
                portal.emit(member, to: session.call.sender) { (writer) throws(DBusError) in
                    try writer.write(session.session.text)
                    try writer.write("a")
                }
                portal.emit(member, to: session.call.sender) { (writer) throws(DBusError) in
                    try writer.write(session.session)
                    try writer.write(Value.string("a"))
                }
            }
            portal.emit("ShortcutsChanged", to: session.call.sender) { (writer) throws(DBusError) in
                try writer.write("/org/example" as ObjectPath)
                try writer.write([PortalShortcut]())
            }
            try portal.activate("b", in: session)
            try await fixture.fired.wait()
            #expect(fixture.fired.elements == ["b"])
            #expect(try await fixture.obstacle(to: "a") == nil)
            await fixture.end()
        }

        @Test("a session that the desktop ends is told, and opened again with the next change")
        func closed() async throws {
            let (fixture, portal, session) = try await Self.bound()
            portal.endSession(of: session)
            try await fixture.wait(for: "the desktop has ended the session of shortcuts", to: "a")
            try portal.activate("a", in: session)
            try await fixture.add("c")
            try await fixture.wait(for: nil, to: "c")
            #expect(fixture.fired.count == 0)
            #expect(portal.bindings.count == 2)
            await fixture.end()
        }
    }
}
