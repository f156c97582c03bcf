// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Presentation by triggers", .serialized, .timeLimit(.minutes(5)))
    struct FiringPresentationTests {
        private static let id = PresentationStage.id

        private func notify(_ stage: PresentationStage, _ id: String = id) throws {
            stage.client.connection.send(
                try Message.signal(from: "/", "org.sentinel.Notification", "Trigger") { (writer) throws(DBusError) in
                    try writer.write(id)
                })
        }

        @Test("begins with the first firing and ends with the next, whichever trigger it is")
        func toggles() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus)
            try await stage.client.addTrigger(
                Self.id, "signal", ["interface": .string("com.example.Door"), "member": .string("Opened")])
            try notify(stage)
            try await stage.expectPresented(true, after: ["Triggered", "Presented"])
            stage.client.connection.send(try Message.signal(from: "/", "com.example.Door", "Opened"))
            try await stage.expectPresented(false, after: ["Triggered", "Presented", "Triggered", "Dismissed"])
            try await stage.sentinel.trigger(applicationID: Self.id, details: [:])
            try await stage.expectPresented(
                true, after: ["Triggered", "Presented", "Triggered", "Dismissed", "Triggered", "Presented"])
            try await panel.calls.wait(for: 3)
            #expect(panel.calls.elements.map(\.action) == ["show", "dismiss", "show"])
            try stage.stop()
        }

        @Test("is not asked for by triggers that only signal")
        func quiet() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus)
            let quiet: [Key: Value] = ["signal": .string("SIGUSR1"), "present": .boolean(false)]
            try await stage.client.addTrigger(Self.id, "unix-signal", quiet)
            stage.fixture.service.process.send(SIGUSR1)
            try await stage.expectPresented(false, after: ["Triggered"])
            try await stage.client.addTrigger(Self.id, "unix-signal", ["signal": .string("SIGUSR1")])
            stage.fixture.service.process.send(SIGUSR1)
            try await stage.expectPresented(true, after: ["Triggered", "Triggered", "Presented"])
            #expect(panel.calls.elements.map(\.action) == ["show"])
            try stage.stop()
        }

        @Test("does not begin with nothing to present with, which keeps no trigger from firing")
        func nothing() async throws {
            let stage = try await PresentationStage()
            try await stage.sentinel.trigger(applicationID: Self.id, details: [:])
            try notify(stage)
            try await stage.expectPresented(false, after: ["Triggered", "Triggered"])
            // A client that presents is dismissed by a trigger, and not asked to come back.
            try await stage.sentinel.show(applicationID: Self.id, options: ["presenter": .boolean(true)])
            try notify(stage)
            try await stage.expectPresented(
                false, after: ["Triggered", "Triggered", "Presented", "Triggered", "Dismissed"])
            try stage.stop()
        }

        @Test("waits its turn while a panel hangs, and a flood leaves no more than its due")
        func flood() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus, .never)
            for _ in 0..<1000 { try notify(stage) }
            try await waitUntil("all are counted") { try await stage.client.fired("notification") == 1000 }
            try await panel.calls.wait(for: 1)
            #expect(panel.calls.count == 1)
            #expect(try await stage.sentinel.presentedApplications().isEmpty)
            try stage.stop()
        }
    }
}
