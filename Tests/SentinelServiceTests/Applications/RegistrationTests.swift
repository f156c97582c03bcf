// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Register", .serialized, .timeLimit(.minutes(5)))
    struct RegistrationTests {
        @Test("what an application says of itself is to be read at its object and in the list")
        func facts() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let path = try await client.register(
                "com.example.App",
                [
                    "name": .string("App \u{1F680}"), "version": .string("1.2"), "build": .string("77"),
                    "icon": .string("app"), "provider": .objectPath("/provider"),
                    "launch": .options(["verbose": .boolean(true), "level": .byte(3), "rate": .double(0.5)]),
                ])
            #expect(path == "/org/sentinel/apps/com_2eexample_2eApp")
            let application = client.application(at: path)
            #expect(try await application.id() == "com.example.App")
            #expect(try await application.name() == "App \u{1F680}")
            #expect(try await application.version() == "1.2")
            #expect(try await application.build() == "77")
            #expect(try await application.icon() == "app")
            #expect(try await application.running())
            #expect(try await application.processID() == UInt32(getpid()))
            let instance = try #require(try await application.instances().first)
            #expect(instance.uniqueName == client.name)
            #expect(instance.processID == UInt32(getpid()))
            #expect(instance.attributes["provider"] == .objectPath("/provider"))
            #expect(instance.attributes["launch"] == nil)

            let entry = try #require(try await client.entry(of: "com.example.App"))
            #expect(entry.object == path)
            #expect(entry.name == "App \u{1F680}")
            #expect(entry.running)
            #expect(
                entry.attributes == ["version": .string("1.2"), "build": .string("77"), "icon": .string("app")])
            try fixture.stop()
        }

        @Test("the name of an application that gives none is its id, and the list is in the order of the ids' bytes")
        func order() async throws {
            let fixture = try await ServiceFixture()
            for id in ["com.example.b", "com.example.B", "zz.z", "com.example-a.x", "A.a"] {
                try await fixture.client.register(id)
            }
            let list = try await fixture.client.sentinel.listApplications()
            #expect(
                list.map(\.id) == ["A.a", "com.example-a.x", "com.example.B", "com.example.b", "org.sentinel", "zz.z"])
            #expect(list.map(\.name) == list.map { $0.id == "org.sentinel" ? "Sentinel" : $0.id })
            #expect(!list.contains { !$0.running })
            try fixture.stop()
        }

        @Test("the same registered twice is one entry, one success, no signal and no disk write")
        func twice() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let options: [Key: Value] = ["name": .string("App"), "version": .string("1")]
            let path = try await client.register("com.example.App", options)
            try await waitUntil("the launch is recorded") { try await client.events.eventCount() == 1 }
            let log = fixture.service.dataDirectory + "/sentinel.db-wal"
            let before = try FileManager.default.attributesOfItem(atPath: log)
            let changes = try await client.record(MatchRule(sender: TestClient.service))

            for _ in 0..<10 {
                #expect(try await client.register("com.example.App", options) == path)
            }
            // What an instance leaves out stays as it is.
            #expect(try await client.register("com.example.App", options.filter { $0.key == "name" }) == path)

            let after = try FileManager.default.attributesOfItem(atPath: log)
            #expect(before[.size] as? Int == after[.size] as? Int)
            #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
            try await client.roundTrip()
            let signals = try changes.signals.elements.map { try PropertyChange($0) }.filter { !$0.isOfReadFacts }
            // The instance that leaves out its version has said less of itself; nothing else is new.
            #expect(signals.count == 1)
            #expect(signals.first?.changed.keys.map(\.text) == ["Instances"])
            #expect(try await client.sentinel.listApplications().count == 2)
            #expect(try await client.application(at: path).instances().count == 1)
            try fixture.stop()
        }

        @Test("what is registered anew is made known, from the application's own path")
        func update() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let path = try await client.register("com.example.App", ["version": .string("1")])
            try await client.register("com.example.Other", ["version": .string("1")])
            let changes = try await client.recordChanges()
            try await client.register("com.example.App", ["version": .string("2"), "name": .string("New")])
            try await client.roundTrip()
            let signal = try PropertyChange(#require(changes.signals.elements.first))
            #expect(changes.signals.count == 1)
            #expect(signal.path == path)
            #expect(signal.interface == "org.sentinel.Application1")
            #expect(signal.changed["Version"] == .string("2"))
            #expect(signal.changed["Name"] == .string("New"))
            #expect(signal.changed["Instances"] != nil)
            #expect(signal.changed.count == 3)
            #expect(signal.invalidated == [])
            try fixture.stop()
        }

        @Test("registrations that are sent without waiting build upon each other")
        func pipelined() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let outcomes = Recorder<Result<Message, DBusError>>()
            let parts: [(Key, String)] = [("name", "App"), ("version", "3"), ("build", "4"), ("icon", "star")]
            for (key, text) in parts {
                try client.send("Register", "com.example.App", [key: .string(text)], to: outcomes)
            }
            try client.send("Unregister", "com.example.App", to: outcomes)
            #expect(try await outcomes.wait(for: 5).allSatisfy { $0.errorCode == nil })
            let entry = try #require(try await client.entry(of: "com.example.App"))
            #expect(entry.name == "App")
            #expect(!entry.running)
            #expect(
                entry.attributes == ["version": .string("3"), "build": .string("4"), "icon": .string("star")])

            // What is forgotten in between is known anew, without what it said before.
            for member: MemberName in ["Forget", "Register", "Forget", "Register", "Unregister", "Forget", "Register"] {
                try client.send(member, "com.example.App", to: outcomes)
            }
            #expect(try await outcomes.wait(for: 12).allSatisfy { $0.errorCode == nil })
            let anew = try #require(try await client.entry(of: "com.example.App"))
            #expect(anew.name == "com.example.App")
            #expect(anew.running)
            #expect(anew.attributes.isEmpty)
            try fixture.stop()
        }

        @Test("two applications of one client are told apart")
        func twoOfOneClient() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let first = try await client.register("com.example.A")
            let second = try await client.register("com.example.B")
            try await client.sentinel.unregister(applicationID: "com.example.A", options: [:])
            #expect(try await client.application(at: first).running() == false)
            #expect(try await client.application(at: second).running())
            try fixture.stop()
        }
    }
}
