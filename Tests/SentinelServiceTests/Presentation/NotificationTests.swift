// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Notifications", .serialized, .timeLimit(.minutes(5)))
    struct NotificationTests {
        private static let id = PresentationStage.id

        /// An application with a preference, a toggle that it keeps itself, and two actions.
        private static func stage(
            _ change: (inout TestProvider.Behaviour) -> Void = { _ in }
        ) async throws -> (PresentationStage, Preferences1Proxy) {
            let stage = try await PresentationStage(change)
            let preferences = stage.client.preferences(at: stage.provider.application)
            try await preferences.declare(preferences: [
                PreferenceDeclaration(
                    key: "dark", name: "<Dark> mode", defaultValue: .boolean(false), attributes: [:]),
                .of("secret", .boolean(true), ["sensitive": .boolean(true)]),
            ])
            try await stage.provider.tools(through: stage.client).declare(tools: [
                ToolDeclaration(
                    "main",
                    [
                        .of(
                            "trace", "toggle", .string(""), ["live": .boolean(true), "writable": .boolean(true)]),
                        .of("clear", "action", .string("")), .of("more", "action", .string("")),
                    ])
            ])
            return (stage, preferences)
        }

        @Test("show an application, and what is pressed in them is done and can be seen")
        func pressed() async throws {
            let (stage, preferences) = try await Self.stage()
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: ["screen": .string("tools")])
            try await stage.expectPresented(true, after: ["Presented"])
            let first = try await daemon.last(of: 1)
            #expect(first.replaced == 0)
            #expect(first.summary == Self.id)
            #expect(first.labels == ["Turn <Dark> mode on", "Turn Item trace on", "Item clear", "Dismiss"])
            #expect(first.body == "&lt;Dark&gt; mode: off\n2 preferences, 1 tool")
            #expect(first.hints["resident"] == .boolean(true))
            #expect(first.expiry == 0)

            try await daemon.press(first.keys[0])
            let second = try await daemon.last(of: 2)
            #expect(try await preferences.get(key: "dark") == .boolean(true))
            #expect(second.replaced == NotificationDaemon.first)
            #expect(second.labels[0] == "Turn <Dark> mode off")
            let history = try await preferences.history(key: "dark", options: [:])
            #expect(history.map { $0.attributes["origin"] } == [.string("org.sentinel")])

            try await daemon.press(second.keys[1])
            let third = try await daemon.last(of: 3)
            #expect(third.labels[1] == "Turn Item trace off")
            try await daemon.press(third.keys[2])
            let fourth = try await daemon.last(of: 4)
            #expect(fourth.body.hasPrefix("Item clear: done\n"))
            #expect(stage.provider.calls.elements == ["SetItem trace", "Invoke clear"])

            try await daemon.press(try #require(fourth.keys.last))
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try await waitUntil("it is closed") { try await daemon.closed() == [NotificationDaemon.first] }
            try stage.stop()
        }

        @Test("follow tools and their items, whoever changes them")
        func tools() async throws {
            let (stage, _) = try await Self.stage()
            let tools = stage.provider.tools(through: stage.client)
            try await tools.declare(tools: [
                ToolDeclaration("kept", [.of("on", "toggle", .boolean(false), ["writable": .boolean(true)])])
            ])
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            let first = try await daemon.last(of: 1)
            #expect(first.labels[2] == "Turn Item on on")
            try await daemon.press(first.keys[2])
            let second = try await daemon.last(of: 2)
            #expect(second.labels[2] == "Turn Item on off")
            try await tools.update(tool: "kept", values: ["on": .boolean(false)])
            let third = try await daemon.last(of: 3)
            #expect(third.labels[2] == "Turn Item on on")
            try await daemon.press(third.keys[2])
            _ = try await daemon.last(of: 4)
            #expect(try await tools.content(tool: "kept").value("on") == .boolean(true))
            try await tools.remove(tools: ["kept"])
            let fifth = try await daemon.last(of: 5)
            #expect(fifth.labels[2] == "Item clear")
            try stage.stop()
        }

        @Test("say what has failed, and do nothing for keys that are not theirs or not theirs any more")
        func failures() async throws {
            let (stage, preferences) = try await Self.stage { behaviour in
                behaviour.setItem = { _, _, reply in reply.fail(DBusError(.failed, "out of & order")) }
            }
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            let first = try await daemon.last(of: 1)
            try await daemon.press(first.keys[1])
            let second = try await daemon.last(of: 2)
            #expect(second.body.hasPrefix("Turn Item trace on: failed: out of &amp; order\n"))
            #expect(second.labels == first.labels)
            #expect(Set(second.keys).intersection(first.keys) == [try #require(first.keys.last)])
            for key in [first.keys[0], "default", "0", "", "\u{1F}", String(repeating: "9", count: 100)] {
                try await daemon.press(key)
            }
            for number: UInt32 in [0, 2, .max] {
                try await daemon.press(second.keys[0], of: number)
                try await daemon.close(number)
            }
            #expect(try await preferences.get(key: "dark") == .boolean(false))
            // A value that changes elsewhere is seen: everything before has been taken in by then.
            _ = try await preferences.set(key: "dark", value: .boolean(true))
            let third = try await daemon.last(of: 3)
            #expect(third.labels[0] == "Turn <Dark> mode off")
            try await stage.expectPresented(true, after: ["Presented"])
            try stage.stop()
        }

        @Test("listen to nobody but the server")
        func forged() async throws {
            let (stage, preferences) = try await Self.stage()
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            let first = try await daemon.last(of: 1)
            let service = try BusName(try await stage.client.nameOfService())
            for destination in [nil, service] {
                for key in first.keys {
                    try stage.client.forge("ActionInvoked", to: destination) { (writer) throws(DBusError) in
                        try writer.write(NotificationDaemon.first)
                        try writer.write(key)
                    }
                }
                try stage.client.forge("NotificationClosed", to: destination) { (writer) throws(DBusError) in
                    try writer.write(NotificationDaemon.first)
                    try writer.write(UInt32(2))
                }
            }
            try await stage.client.roundTrip()
            try await stage.expectPresented(true, after: ["Presented"])
            try await daemon.press(first.keys[2])
            _ = try await daemon.last(of: 2)
            #expect(stage.provider.calls.elements == ["Invoke clear"])
            #expect(try await preferences.get(key: "dark") == .boolean(false))
            try stage.stop()
        }

        @Test("that are closed end the presentation, and so does a server that is killed")
        func closed() async throws {
            let (stage, _) = try await Self.stage()
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.toggle(applicationID: Self.id, options: [:])
            try await daemon.close()
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            // What has closed by itself is not closed again.
            #expect(try await daemon.closed().isEmpty)
            try await stage.sentinel.toggle(applicationID: Self.id, options: [:])
            try await stage.expectPresented(true, after: ["Presented", "Dismissed", "Presented"])
            daemon.kill()
            try await stage.expectPresented(false, after: ["Presented", "Dismissed", "Presented", "Dismissed"])
            try stage.stop()
        }

        @Test("are shown again where they are, give way to a client, and are closed when the service ends")
        func again() async throws {
            let (stage, _) = try await Self.stage()
            let daemon = try await NotificationDaemon(on: stage.bus)
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            #expect(try await daemon.last(of: 2).replaced == NotificationDaemon.first)
            try await stage.sentinel.show(applicationID: Self.id, options: ["presenter": .boolean(true)])
            try await waitUntil("it is closed") { try await daemon.closed() == [1] }
            try await stage.expectPresented(true, after: ["Presented"])
            try await stage.sentinel.dismiss(applicationID: Self.id, options: [:])
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            try stage.stop()
            try await waitUntil("both are closed") { try await daemon.closed() == [1, 2] }
        }

        @Test("leave no match rules behind, however they end")
        func rules() async throws {
            let (stage, _) = try await Self.stage()
            let before = try await stage.ruleCount()
            await expectError("org.sentinel.Error.Unavailable") {
                try await stage.sentinel.show(applicationID: Self.id, options: [:])
            }
            #expect(try await stage.ruleCount() == before)
            let daemon = try await NotificationDaemon(on: stage.bus)
            for round in 1...3 {
                try await stage.sentinel.show(applicationID: Self.id, options: [:])
                #expect(try await stage.ruleCount() > before)
                switch round {
                case 1: try await stage.sentinel.dismiss(applicationID: Self.id, options: [:])
                case 2: try await daemon.close(2)
                default: daemon.kill()
                }
                try await waitUntil("the rules are gone") { try await stage.ruleCount() == before }
                #expect(try await stage.sentinel.presentedApplications().isEmpty)
            }
            try stage.stop()
        }

        @Test("of the service itself switch its own preferences")
        func own() async throws {
            let stage = try await PresentationStage()
            let daemon = try await NotificationDaemon(on: stage.bus, capabilities: "actions")
            try await stage.sentinel.show(applicationID: "", options: [:])
            let first = try await daemon.last(of: 1)
            #expect(first.summary == "Sentinel")
            #expect(first.body.isEmpty)
            #expect(first.labels == ["Turn Record events off", "Dismiss"])
            try await daemon.press(first.keys[0])
            #expect(try await daemon.last(of: 2).labels == ["Turn Record events on", "Dismiss"])
            let properties = try await stage.client.properties(of: "org.sentinel.Events1")
            #expect(properties["Capturing"] == .boolean(false))
            try await stage.expectTold(["Presented org.sentinel"])
            try stage.stop()
        }

        /// How a server can fail to show something.
        enum Failure: CaseIterable {
            case refuses, answersWithAnotherType, givesNoNumber, hangs
        }

        @Test("of a server that does not show them are no presentation", arguments: Failure.allCases)
        func broken(failure: Failure) async throws {
            let stage = try await PresentationStage()
            let before = try await stage.ruleCount()
            let server = try MockService(NotificationDaemon.name, on: stage.bus)
            let held = Recorder<MethodCall>()
            // A call holds its connection, and the connection's objects hold who holds the call.
            defer { _ = held.takeAll() }
            let capabilities = MockInterface.Method("GetCapabilities") { call in
                Reply<[String]>(call)(["actions"])
            }
            let notify = MockInterface.Method("Notify", arguments: "susssasa{sv}i") { call in
                switch failure {
                case .refuses: call.fail(DBusError(.failed, "secret words of the server"))
                case .answersWithAnotherType: Reply<String>(call)("1")
                case .givesNoNumber: Reply<UInt32>(call)(0)
                case .hangs: held.append(call)
                }
            }
            server.export(
                NotificationDaemon.path, NotificationDaemon.interface, [:], methods: [capabilities, notify])
            try await server.appear()
            let error = await #expect(throws: DBusError.self) {
                try await stage.sentinel.show(applicationID: Self.id, options: [:])
            }
            #expect(error?.code == "org.sentinel.Error.Unavailable")
            #expect(error?.message.contains("secret") == false)
            #expect(server.calls.elements == ["GetCapabilities", "Notify"])
            try await stage.expectPresented(false, after: [])
            #expect(try await stage.ruleCount() == before)
            try stage.stop()
        }

        @Test("of a server without actions show how things are")
        func plain() async throws {
            let (stage, _) = try await Self.stage()
            let daemon = try await NotificationDaemon(on: stage.bus, capabilities: "body")
            try await stage.sentinel.show(applicationID: Self.id, options: [:])
            let first = try await daemon.last(of: 1)
            #expect(first.keys.isEmpty)
            #expect(first.body == "<Dark> mode: off\n2 preferences, 1 tool")
            try stage.stop()
        }
    }
}

extension TestClient {
    /// Sends a signal as the notification server would send it.
    fileprivate func forge(
        _ member: MemberName, to destination: BusName?, body: (inout Writer) throws(DBusError) -> Void
    ) throws {
        connection.send(
            try Message.signal(
                from: NotificationDaemon.path, NotificationDaemon.interface, member, to: destination, body: body))
    }
}
