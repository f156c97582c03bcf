// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Triggers by signals", .serialized, .timeLimit(.minutes(5)))
    struct SignalTriggerTests {
        private static let app = "com.example.App"
        private static let notification: InterfaceName = "org.sentinel.Notification"

        /// Sends a signal from a connection of its own, which is gone before anybody could ask who that was.
        private func sendAndLeave(_ bus: PrivateBus, _ message: @autoclosure () throws -> Message) throws {
            let client = try TestClient(on: bus)
            client.connection.send(try message())
            client.close()
        }

        private func notify(_ id: String? = nil, from path: ObjectPath = "/") throws -> Message {
            try Message.signal(from: path, Self.notification, "Trigger") { (writer) throws(DBusError) in
                if let id { try writer.write(id) }
            }
        }

        @Test("a signal whose sender is gone fires, 100 of 100")
        func gone() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            // Each of another application: one fires ten times a second.
            for number in 0..<100 { try await client.register("com.example.App\(number)") }
            let id = try await client.addTrigger(
                "", "signal", ["interface": .string("com.example.Door"), "member": .string("Opened")])
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            for number in 0..<100 {
                try sendAndLeave(fixture.bus, try notify("com.example.App\(number)"))
            }
            try await fired.wait(for: 100)
            #expect(try Set(fired.applications()) == Set((0..<100).map { "com.example.App\($0)" }))
            for _ in 0..<100 {
                try sendAndLeave(fixture.bus, try Message.signal(from: "/x", "com.example.Door", "Opened"))
            }
            try await waitUntil("all are counted") { try await client.fired(id) == 100 }
            #expect(try await client.fired("notification") == 100)
            try fixture.stop()
        }

        @Test("a shell's signal fires", arguments: ["gdbus", "busctl"])
        func shell(program: String) async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let forms: [[String]] =
                program == "gdbus"
                ? [
                    [
                        "gdbus", "emit", "--session", "--object-path", "/", "--signal",
                        "org.sentinel.Notification.Trigger",
                    ],
                    [
                        "gdbus", "emit", "--session", "--object-path", "/any/where", "--signal",
                        "org.sentinel.Notification.Trigger", Self.app,
                    ],
                ]
                : [
                    ["busctl", "--user", "emit", "/", "org.sentinel.Notification", "Trigger"],
                    ["busctl", "--user", "emit", "/x", "org.sentinel.Notification", "Trigger", "s", Self.app],
                ]
            for form in forms {
                let result = try await Command.run(form, environment: fixture.bus.environment)
                #expect(result.status == 0, "\(result.errors)")
            }
            try await fired.wait(for: 2)
            #expect(try fired.applications() == ["org.sentinel", Self.app])
            #expect(try fired.triggers() == ["notification", "notification"])
            try fixture.stop()
        }

        @Test("a flood of 10 000 fires ten times a second, and the rest is counted")
        func flood() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let start = ContinuousClock.now
            for _ in 0..<10_000 { client.connection.send(try notify(Self.app)) }
            try await waitUntil("all are counted") {
                try await client.fired("notification") == 10_000
            }
            let seconds = Int((ContinuousClock.now - start).components.seconds) + 1
            #expect((10...10 * (seconds + 1)).contains(fired.count))
            try await waitUntil("all are recorded") {
                try await client.allEvents(["type": .string("sentinel.trigger")]).count == fired.count
            }
            try fixture.stop()
        }

        @Test("what means nobody is counted and does nothing else")
        func nobody() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let texts = ["com.example.Nobody", "no id at all", String(repeating: "x", count: 1 << 16)]
            for text in texts { client.connection.send(try notify(text)) }
            client.connection.send(
                try Message.signal(from: "/", Self.notification, "Trigger") { (writer) throws(DBusError) in
                    try writer.write(Int32(5))
                })
            client.connection.send(
                try Message.signal(from: "/", Self.notification, "Trigger") { (writer) throws(DBusError) in
                    try writer.write(Value.string("org.sentinel"))
                })
            // More arguments than are known may come with another version.
            client.connection.send(
                try Message.signal(from: "/", Self.notification, "Trigger") { (writer) throws(DBusError) in
                    try writer.write("org.sentinel")
                    try writer.write([Key: Value]())
                })
            try await fired.wait()
            #expect(try fired.applications() == ["org.sentinel"])
            #expect(try await client.fired("notification") == 6)
            try fixture.stop()
        }

        @Test("the options of a signal narrow it")
        func options() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let door: [Key: Value] = ["interface": .string("com.example.Door"), "member": .string("Opened")]
            func added(_ options: [Key: Value]) async throws -> String {
                try await client.addTrigger("", "signal", door.merging(options) { $1 })
            }
            let keeper = try MockService("com.example.Keeper", on: fixture.bus)
            try await keeper.appear()
            let any = try await added([:])
            let path = try await added(["path": .objectPath("/front")])
            let argument = try await added(["arg0": .string("it's \\ 'open'")])
            let sender = try await added(["sender": .string("com.example.Keeper")])
            let unique = try await added(["sender": .string(client.name)])
            func send(_ path: ObjectPath, _ text: String? = nil, _ member: MemberName = "Opened") throws {
                client.connection.send(
                    try Message.signal(from: path, "com.example.Door", member) { (writer) throws(DBusError) in
                        if let text { try writer.write(text) }
                    })
            }
            try send("/front", "x")
            try send("/back", "it's \\ 'open'")
            try send("/front/below", nil, "Closed")
            try await waitUntil("those of this client are counted") { try await client.fired(any) == 2 }
            #expect(try await client.fired(path) == 1)
            #expect(try await client.fired(argument) == 1)
            #expect(try await client.fired(unique) == 2)
            #expect(try await client.fired(sender) == 0)
            try keeper.emit("/back", "com.example.Door", "Opened")
            try await waitUntil("the keeper's is counted") { try await client.fired(sender) == 1 }
            #expect(try await client.fired(any) == 3)
            #expect(try fired.triggers().count == 8)

            // Once the name is another's, that one's count.
            await keeper.disappear()
            try keeper.emit("/back", "com.example.Door", "Opened")
            try await waitUntil("it is counted as anybody's") { try await client.fired(any) == 4 }
            #expect(try await client.fired(sender) == 1)

            try await client.sentinel.removeTrigger(triggerID: any)
            try send("/front")
            try await waitUntil("the other is counted") { try await client.fired(path) == 2 }
            let triggers = try fired.triggers()
            #expect(triggers.count { $0 == any } == 4)
            try fixture.stop()
        }

        @Test("signals that the service's process is sent fire those that wait for them, and end nothing")
        func unixSignals() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            fixture.service.process.send(SIGUSR1)
            fixture.service.process.send(SIGUSR2)
            try await client.roundTrip()
            let first = try await client.addTrigger("", "unix-signal", ["signal": .string("SIGUSR1")])
            let second = try await client.addTrigger("", "unix-signal", ["signal": .string("SIGUSR2")])
            fixture.service.process.send(SIGUSR2)
            try await fired.wait(for: 1)
            fixture.service.process.send(SIGUSR1)
            try await fired.wait(for: 2)
            #expect(try fired.triggers() == [second, first])
            #expect(try await client.obstacle(to: first) == nil)
            try fixture.stop()
        }
    }
}
