// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Panel", .serialized, .timeLimit(.minutes(5)))
    struct PanelTests {
        private typealias Call = MockPanel.Call
        private static let id = PresentationStage.id

        @Test("shows, shows another screen, and dismisses, with what it is to know for that")
        func shows() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus)
            let token: [Key: Value] = ["activation-token": .string("t1"), "desktop-startup-id": .string("t1")]
            try await stage.sentinel.show(
                applicationID: Self.id, options: ["screen": .string("tools"), "activation_token": .string("t1")])
            try await stage.expectPresented(true, after: ["Presented"])
            try await stage.sentinel.show(applicationID: Self.id, options: ["screen": .string("device")])
            try await stage.sentinel.dismiss(
                applicationID: Self.id, options: ["screen": .string("device"), "activation_token": .string("t1")])
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try await stage.sentinel.toggle(applicationID: Self.id, options: [:])
            try await stage.sentinel.toggle(applicationID: Self.id, options: [:])
            try await panel.calls.wait(for: 5)
            #expect(
                panel.calls.elements == [
                    Call("show", "tools", token), Call("show", "device"),
                    Call("dismiss", "device", token, wantsReply: false), Call("show"),
                    Call("dismiss", wantsReply: false),
                ])
            try await stage.expectPresented(false, after: ["Presented", "Dismissed", "Presented", "Dismissed"])
            try stage.stop()
        }

        @Test("that leaves takes its presentation along; a client that takes over has it dismiss")
        func leaves() async throws {
            let stage = try await PresentationStage()
            var panel: MockPanel? = try await MockPanel(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            #expect(panel?.calls.count == 1)
            panel = nil
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            let other = try await MockPanel(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try await stage.sentinel.show(applicationID: Self.id, options: ["presenter": .boolean(true)])
            try await other.calls.wait(for: 2)
            #expect(other.calls.elements == [Call("show"), Call("dismiss", wantsReply: false)])
            await other.disappear()
            try await stage.expectPresented(true, after: ["Presented", "Dismissed", "Presented"])
            try stage.stop()
        }

        @Test("reports that it was closed, and is not told back")
        func reports() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try await panel.reportClosing()
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try await panel.calls.wait(for: 2)
            #expect(panel.calls.elements == [Call("show"), Call("show")])
            try stage.stop()
        }

        @Test("that is not there is started by the bus where that is possible")
        func activated() async throws {
            let mark = try TemporaryDirectory()
            let bus = try PrivateBus(activatable: [
                "org.sentinel.Panel": "/bin/sh -c \"touch \(mark.path(of: "started")); exit 1\""
            ])
            let service = try await SentinelProcess.started(on: bus)
            let client = try TestClient(on: bus)
            await expectError("org.sentinel.Error.Unavailable") {
                try await client.sentinel.show(applicationID: "", options: [:])
            }
            #expect(access(mark.path(of: "started"), F_OK) == 0)
            #expect(try service.stop() == .exited(0))
        }

        @Test("that fails leaves it to the notification, and what it says is not passed on")
        func fails() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus, .failure)
            let error = await #expect(throws: DBusError.self) {
                try await stage.sentinel.show(applicationID: Self.id, options: [:])
            }
            #expect(error?.code == "org.sentinel.Error.Unavailable")
            #expect(error?.message.contains("secret") == false)
            try await stage.expectPresented(false, after: [])
            panel.answer(.success)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            panel.answer(.failure)
            // It does not show what is asked for: with nobody else the presentation ends.
            await expectError("org.sentinel.Error.Unavailable") {
                try await stage.sentinel.show(applicationID: Self.id, options: [:])
            }
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            #expect(try await daemon.shown().count == 1)
            try await stage.expectPresented(true, after: ["Presented", "Dismissed", "Presented"])
            try stage.stop()
        }

        @Test("that hangs is given up, and holds up nobody but those who wait for the same application")
        func hangs() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus, .never)
            try await stage.client.register("com.example.Other")
            let outcomes = Recorder<Result<Message, DBusError>>()
            // One is being done and 64 wait; the others are refused at once.
            for _ in 0..<67 {
                try stage.client.send("Show", Self.id, ["presenter": .boolean(false)], to: outcomes)
            }
            try await outcomes.wait(for: 2)
            #expect(outcomes.elements.map(\.errorCode) == [.limitsExceeded, .limitsExceeded])
            try await stage.sentinel.show(
                applicationID: "com.example.Other", options: ["presenter": .boolean(true)])
            #expect(outcomes.count == 2)
            try await panel.calls.wait()
            #expect(panel.calls.elements == [Call("show")])
            try await outcomes.wait(for: 3)
            #expect(outcomes.elements[2].errorCode == "org.sentinel.Error.Unavailable")
            // It is told that nobody expects it to show any more.
            try await panel.calls.wait(for: 2)
            #expect(panel.calls.elements[1] == Call("dismiss", wantsReply: false))
            // The end of the service waits for no panel, and every call is answered.
            try stage.stop()
            try await outcomes.wait(for: 67)
            #expect(Set(outcomes.elements[3...].map(\.errorCode)) == ["org.sentinel.Error.Unavailable"])
        }

        @Test("is not waited for when the application has been forgotten, and told to dismiss; what waits is refused")
        func forgottenMeanwhile() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus, .never)
            let outcomes = Recorder<Result<Message, DBusError>>()
            for member: MemberName in ["Show", "Dismiss", "Toggle"] {
                try stage.client.send(member, Self.id, to: outcomes)
            }
            try await panel.calls.wait(for: 1)
            try await stage.sentinel.forget(applicationID: Self.id, options: [:])
            try await outcomes.wait(for: 3)
            #expect(
                outcomes.elements.map(\.errorCode)
                    == Array(repeating: "org.sentinel.Error.UnknownApplication", count: 3))
            try await panel.calls.wait(for: 2)
            panel.answerHeld()
            try await stage.client.register(Self.id)
            #expect(panel.calls.elements == [Call("show"), Call("dismiss", wantsReply: false)])
            try await stage.expectPresented(false, after: [])
            try stage.stop()
        }

        @Test("that has answered is followed by what was asked meanwhile, in its order")
        func order() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus, .never)
            let outcomes = Recorder<Result<Message, DBusError>>()
            try stage.client.send("Show", Self.id, to: outcomes)
            try stage.client.send("Dismiss", Self.id, to: outcomes)
            try stage.client.send("Toggle", Self.id, ["presenter": .boolean(true)], to: outcomes)
            try await panel.calls.wait(for: 1)
            try await stage.expectPresented(false, after: [])
            panel.answerHeld()
            try await outcomes.wait(for: 3)
            #expect(outcomes.elements.allSatisfy { $0.errorCode == nil })
            try await stage.expectPresented(true, after: ["Presented", "Dismissed", "Presented"])
            #expect(panel.calls.elements.map(\.action) == ["show", "dismiss"])
            try stage.stop()
        }

        @Test("is told to dismiss when the application is forgotten and when the service ends")
        func ends() async throws {
            let stage = try await PresentationStage()
            let panel = try await MockPanel(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try await stage.sentinel.forget(applicationID: Self.id, options: [:])
            try await panel.calls.wait(for: 2)
            try await stage.client.register(Self.id)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try stage.stop()
            try await panel.calls.wait(for: 4)
            #expect(panel.calls.elements.map(\.action) == ["show", "dismiss", "show", "dismiss"])
        }
    }
}
