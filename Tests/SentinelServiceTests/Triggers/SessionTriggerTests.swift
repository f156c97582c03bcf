// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Triggers by the session", .serialized, .timeLimit(.minutes(5)))
    struct SessionTriggerTests {
        private static let manager: ObjectPath = "/org/freedesktop/login1"
        private static let managerInterface: InterfaceName = "org.freedesktop.login1.Manager"
        private static let sessionInterface: InterfaceName = "org.freedesktop.login1.Session"

        private func sleep(_ isAsleep: Bool, from service: MockService) throws {
            try service.emit(Self.manager, Self.managerInterface, "PrepareForSleep") { (writer) throws(DBusError) in
                try writer.write(isAsleep)
            }
        }

        @Test("lock, unlock, sleep and wake fire those that wait for them; what others signal does nothing")
        func events() async throws {
            let started = Recorder<MockService>()
            let fixture = try await FactsFixture(system: true) { _, bus in
                let logind = try MockService.logind(on: try #require(bus))
                try await logind.appear()
                started.append(logind)
            }
            let client = fixture.client
            let logind = try #require(started.elements.first)
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            var ids: [String: String] = [:]
            for event in ["lock", "unlock", "sleep", "wake"] {
                ids[event] = try await client.addTrigger("", "session", ["event": .string(event)])
            }
            for id in ids.values {
                try await waitUntil("it is available") { try await client.obstacle(to: id) == nil }
            }
            #expect(try await client.trigger(try #require(ids["lock"]))?.attributes["present"] == .boolean(false))

            // Forged ones, from a client of the system bus, and on the session bus.
            let liar = try MockService("com.example.Liar", on: try #require(fixture.systemBus))
            try await liar.appear()
            let other = try MockService("org.freedesktop.login1", on: fixture.bus)
            try await other.appear()
            for forger in [liar, other] {
                try sleep(true, from: forger)
                try forger.emit(MockService.sessionPath, Self.sessionInterface, "Lock")
                try forger.signal(MockService.sessionPath, Self.sessionInterface, ["LockedHint": .boolean(true)])
                try forger.emit("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged") {
                    (writer) throws(DBusError) in
                    try writer.write("org.freedesktop.login1")
                    try writer.write(":1.0")
                    try writer.write("")
                }
                try await forger.settle()
            }
            try await logind.change(MockService.sessionPath, ["LockedHint": .boolean(true)])
            try await fired.wait(for: 1)
            try await logind.change(MockService.sessionPath, ["LockedHint": .boolean(false)])
            try await fired.wait(for: 2)
            try sleep(true, from: logind)
            try await fired.wait(for: 3)
            try sleep(false, from: logind)
            try await fired.wait(for: 4)
            #expect(try fired.triggers() == ["lock", "unlock", "sleep", "wake"].compactMap { ids[$0] })
            for id in ids.values { #expect(try await client.fired(id) == 1) }

            await logind.disappear()
            let sleeping = try #require(ids["sleep"])
            try await waitUntil("it is told that logind has gone") {
                try await client.obstacle(to: sleeping) == "logind is not on the system bus"
            }
            try await logind.appear()
            try await waitUntil("it is there again") { try await client.obstacle(to: sleeping) == nil }
            try fixture.stop()
        }

        @Test("without a system bus they are there, and say what is missing")
        func absent() async throws {
            let fixture = try await ServiceFixture()
            let id = try await fixture.client.addTrigger("", "session", ["event": .string("lock")])
            try await waitUntil("it says so") {
                try await fixture.client.obstacle(to: id)?.contains("system bus") == true
            }
            try fixture.stop()
        }
    }
}
