// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Capture of session and machine", .serialized, .timeLimit(.minutes(5)))
    struct SessionCaptureTests {
        private static let manager: ObjectPath = "/org/freedesktop/login1"
        private static let managerInterface: InterfaceName = "org.freedesktop.login1.Manager"
        private static let sessionInterface: InterfaceName = "org.freedesktop.login1.Session"

        private final class Stage {
            let fixture: FactsFixture
            let logind: MockService

            init() async throws {
                let started = Recorder<MockService>()
                fixture = try await FactsFixture(system: true) { _, bus in
                    let logind = try MockService.logind(on: try #require(bus))
                    try await logind.appear()
                    started.append(logind)
                }
                logind = try #require(started.elements.first)
                let service = logind
                try await waitUntil("the service follows logind") { service.calls.elements.contains("GetSession") }
                // Its questions are answered in order, and its rules are in place before them.
                try await waitUntil("the session is known") { [fixture] in
                    try service.emit(
                        SessionCaptureTests.manager, SessionCaptureTests.managerInterface, "PrepareForSleep"
                    ) { (writer) throws(DBusError) in try writer.write(true) }
                    return try await fixture.client.events.eventCount() == 1
                }
            }

            /// The types of the events of session and machine, the oldest first, without the one of the beginning.
            func types() async throws -> [String] {
                try await events().map(\.type)
            }

            func events() async throws -> [EventEntry] {
                try await fixture.client.allEvents(["source": .string("org.sentinel")]).reversed().dropFirst().map {
                    $0
                }
            }

            func sleep(_ isAsleep: Bool, from service: MockService? = nil) throws {
                try (service ?? logind).emit(
                    SessionCaptureTests.manager, SessionCaptureTests.managerInterface, "PrepareForSleep"
                ) { (writer) throws(DBusError) in try writer.write(isAsleep) }
            }

            func hint(_ isLocked: Bool) async throws {
                try await logind.change(MockService.sessionPath, ["LockedHint": .boolean(isLocked)])
            }
        }

        @Test("lock and unlock, sleep and wake are captured as pairs")
        func pairs() async throws {
            let stage = try await Stage()
            try stage.sleep(false)
            try await stage.hint(true)
            try await stage.hint(false)
            try await stage.hint(true)
            try stage.sleep(true)
            try await waitUntil("all are captured") { try await stage.types().count == 5 }
            let all = try await stage.events()
            #expect(
                all.map(\.type) == ["system.wake", "session.lock", "session.unlock", "session.lock", "system.sleep"])
            for (opening, closing) in [(0, 4), (2, 3)] {
                #expect(!all[opening].isMarked("open"))
                let end = all[opening].timestamp + Int64((all[opening].duration * 1_000_000).rounded())
                #expect(end == all[closing].timestamp)
                #expect(all[closing].duration == -1)
            }
            try stage.fixture.stop()
        }

        @Test("the signals of a session count once with its hint, and those of other sessions never")
        func signals() async throws {
            let stage = try await Stage()
            try stage.logind.emit("/org/freedesktop/login1/session/_33", Self.sessionInterface, "Lock")
            try stage.logind.emit(MockService.sessionPath, Self.sessionInterface, "Lock")
            try await stage.hint(true)
            try stage.logind.emit(MockService.sessionPath, Self.sessionInterface, "Lock")
            try await stage.hint(false)
            try stage.logind.emit(MockService.sessionPath, Self.sessionInterface, "Unlock")
            try stage.sleep(false)
            try stage.sleep(false)
            try await waitUntil("the last is captured") { try await stage.types().last == "system.wake" }
            #expect(try await stage.types() == ["session.lock", "session.unlock", "system.wake"])
            try stage.fixture.stop()
        }

        @Test("what others than logind signal does nothing")
        func forged() async throws {
            let stage = try await Stage()
            let liar = try MockService("com.example.Liar", on: try #require(stage.fixture.systemBus))
            try await liar.appear()
            try stage.sleep(false, from: liar)
            try liar.emit(MockService.sessionPath, Self.sessionInterface, "Lock")
            try liar.signal(MockService.sessionPath, Self.sessionInterface, ["LockedHint": .boolean(true)])
            try await liar.settle()
            try await stage.hint(true)
            try await waitUntil("the true one is captured") { try await !stage.types().isEmpty }
            #expect(try await stage.types() == ["session.lock"])
            // Nor does it on the session bus.
            let other = try MockService("org.freedesktop.login1", on: stage.fixture.bus)
            try await other.appear()
            try stage.sleep(false, from: other)
            try await other.settle()
            try await stage.hint(false)
            try await waitUntil("the true one is captured") { try await stage.types().count == 2 }
            #expect(try await stage.types() == ["session.lock", "session.unlock"])
            try stage.fixture.stop()
        }
    }
}
