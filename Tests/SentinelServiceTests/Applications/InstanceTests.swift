// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Instances", .serialized, .timeLimit(.minutes(5)))
    struct InstanceTests {
        @Test("an instance ends with its connection, and the application's own path says so")
        func endOfConnection() async throws {
            let fixture = try await ServiceFixture()
            let other = try TestClient(on: fixture.bus)
            try await fixture.client.register("com.example.Stays")
            let path = try await other.register("com.example.App", ["name": .string("App")])
            let changes = try await fixture.client.recordChanges()
            other.close()
            let signal = try PropertyChange(try await changes.signals.wait()[0])
            #expect(signal.path == path)
            #expect(signal.interface == "org.sentinel.Application1")
            let noInstances = Value.array(try ArrayValue([], elementType: "(sua{sv})"))
            #expect(signal.changed == ["Running": .boolean(false), "Instances": noInstances])
            #expect(signal.invalidated == [])
            let application = fixture.client.application(at: path)
            #expect(try await application.running() == false)
            #expect(try await application.processID() == 0)
            #expect(try await application.instances() == [])
            #expect(try await application.name() == "App")
            #expect(try await fixture.client.entry(of: "com.example.Stays")?.running == true)
            try fixture.stop()
        }

        @Test("several instances are listed, the newest first, and the newest is the application's process")
        func several() async throws {
            let fixture = try await ServiceFixture()
            let clients = try (0..<4).map { _ in try TestClient(on: fixture.bus) }
            var path: ObjectPath = "/"
            for (number, client) in clients.enumerated() {
                path = try await client.register("com.example.App", ["build": .string("\(number)")])
            }
            let application = fixture.client.application(at: path)
            #expect(try await application.instances().map(\.uniqueName) == clients.reversed().map(\.name))
            #expect(try await application.build() == "3")

            // Who registers again stays where it was.
            try await clients[1].register("com.example.App", ["build": .string("1")])
            #expect(try await application.instances().map(\.uniqueName) == clients.reversed().map(\.name))

            clients[3].close()
            clients[1].close()
            let rest = [clients[2].name, clients[0].name]
            try await waitUntil("two instances end") {
                try await application.instances().map(\.uniqueName) == rest
            }
            #expect(try await application.running())
            try await clients[2].sentinel.unregister(applicationID: "com.example.App", options: [:])
            #expect(try await application.instances().map(\.uniqueName) == [clients[0].name])
            try fixture.stop()
        }

        @Test("the process id is that of the caller, whatever the caller says")
        func processID() async throws {
            let fixture = try await ServiceFixture()
            let script = """
                gdbus call --session --dest org.sentinel --object-path /org/sentinel \
                --method org.sentinel.Sentinel1.Register com.example.App "{'process_id': <uint32 1>, 'name': <'$$'>}"
                """
            let changes = try await fixture.client.record(
                MatchRule(interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"))
            let result = try await Command.run(["sh", "-c", "exec \(script)"], environment: fixture.bus.environment)
            #expect(result.status == 0)
            var body = try await changes.signals.wait()[0].body
            #expect(try body.read(ObjectPath.self) == "/org/sentinel/apps/com_2eexample_2eApp")
            let interfaces: [Key: [Key: Value]] = try body.read()
            let properties = try #require(interfaces["org.sentinel.Application1"])
            let name = try String(#require(properties["Name"]))
            let instances = try [ApplicationInstance](#require(properties["Instances"]))
            #expect(instances.map(\.processID) == [UInt32(name)])
            try fixture.stop()
        }

        @Test("a client that leaves without waiting for the reply leaves no instance")
        func vanishing() async throws {
            let fixture = try await ServiceFixture()
            let outcomes = Recorder<Result<Message, DBusError>>()
            for number in 0..<60 {
                let client = try TestClient(on: fixture.bus)
                if number % 3 == 0 {
                    // The service knows it already.
                    _ = try await client.sentinel.version()
                }
                try client.send("Register", "com.example.App\(number % 6)", to: outcomes)
                try client.send("Register", "com.example.Other\(number)", to: outcomes)
                client.close()
            }
            try await outcomes.wait(for: 120)
            try await waitUntil("all instances end") {
                try await fixture.client.sentinel.listApplications().filter(\.running).map(\.id) == ["org.sentinel"]
            }
            try fixture.stop()
        }

        @Test("Unregister ends the caller's instance alone, and does nothing for who has none")
        func unregister() async throws {
            let fixture = try await ServiceFixture()
            let other = try TestClient(on: fixture.bus)
            let path = try await other.register("com.example.App")
            let changes = try await fixture.client.recordChanges()
            try await fixture.client.sentinel.unregister(applicationID: "com.example.App", options: [:])
            #expect(try await fixture.client.application(at: path).instances().map(\.uniqueName) == [other.name])
            #expect(changes.signals.count == 0)
            try await other.sentinel.unregister(applicationID: "com.example.App", options: ["unknown": .byte(1)])
            #expect(try await fixture.client.application(at: path).running() == false)
            try await changes.signals.wait()
            try await other.sentinel.unregister(applicationID: "com.example.App", options: [:])
            try await other.register("com.example.App")
            #expect(try await fixture.client.application(at: path).running())
            #expect(changes.signals.count == 2)
            try fixture.stop()
        }

        @Test("clients that come and go leave neither match rules nor descriptors nor memory behind")
        func manyClients() async throws {
            let fixture = try await ServiceFixture()
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            try await fixture.client.register("com.example.App")
            let descriptors = try facts.descriptorCount
            // dbus-daemon refuses a connection more than 512 rules by default where it is asked to.
            for _ in 0..<300 {
                let client = try TestClient(on: fixture.bus)
                try await client.register("com.example.App")
                client.close()
            }
            let application = fixture.client.application(at: "/org/sentinel/apps/com_2eexample_2eApp")
            try await waitUntil("one instance is left") { try await application.instances().count == 1 }
            // Facts of the last instances may still be read, and a few descriptors be opened once for all: that of /proc
            // and those of the store's checkpoints.
            try await waitUntil("no more descriptors than before") { try facts.descriptorCount < descriptors + 10 }
            let statistics = try await RemoteInterface(
                "org.freedesktop.DBus.Debug.Stats", of: "/org/freedesktop/DBus", at: .bus,
                on: fixture.client.connection
            ).call("GetConnectionStats", TestClient.service.text, returning: [Key: Value].self)
            let rules: UInt32 = try #require(statistics["MatchRules"]).integer()
            #expect(rules < 10)
            try fixture.stop()
        }
    }
}
