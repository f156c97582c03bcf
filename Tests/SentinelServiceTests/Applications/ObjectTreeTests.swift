// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Objects", .serialized, .timeLimit(.minutes(5)))
    struct ObjectTreeTests {
        private static let applicationInterfaces: Set<Key> = [
            "org.sentinel.Application1", "org.sentinel.Tools1", "org.sentinel.Preferences1",
            "org.sentinel.Performance1",
        ]

        private func nodes(_ xml: String) -> [String] {
            xml.matches(of: /<node name="([^"]*)"\/>/).map { String($0.output.1) }
        }

        private func interfaces(_ xml: String) -> [String] {
            xml.matches(of: /<interface name="([^"]*)"/).map { String($0.output.1) }
        }

        @Test("introspection leads from the root to every object")
        func tree() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            #expect(try await nodes(client.introspect("/")) == ["org"])
            #expect(try await nodes(client.introspect("/org")) == ["freedesktop", "sentinel"])
            #expect(try await nodes(client.introspect("/org/freedesktop")) == ["LogControl1"])
            #expect(try await nodes(client.introspect("/org/sentinel")) == [])
            await expectError(.unknownObject) { _ = try await client.introspect("/org/sentinel/apps") }

            let ids = ["com.example.App", "com.example-x.a_b", "a.b"]
            for id in ids {
                try await client.register(id)
            }
            #expect(try await nodes(client.introspect("/org/sentinel")) == ["apps"])
            let labels = ["a_2eb", "com_2eexample_2dx_2ea_5fb", "com_2eexample_2eApp"]
            #expect(try await nodes(client.introspect("/org/sentinel/apps")) == labels)
            #expect(
                try await interfaces(client.introspect("/org/sentinel/apps/a_2eb")) == [
                    "org.sentinel.Application1", "org.sentinel.Tools1", "org.sentinel.Preferences1",
                    "org.sentinel.Performance1", "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer",
                    "org.freedesktop.DBus.Properties",
                ])
            #expect(try await interfaces(client.introspect("/org/sentinel")).count == 12)
            #expect(try await interfaces(client.introspect("/")) == [])
            try fixture.stop()
        }

        @Test("a path that is no label of a known application has no object")
        func otherPaths() async throws {
            let fixture = try await ServiceFixture()
            try await fixture.client.register("a.b")
            let paths: [ObjectPath] = [
                "/org/sentinel/apps", "/org/sentinel/apps/b_2ea", "/org/sentinel/apps/a_2Eb", "/org/sentinel/Apps",
                "/org/sentinel/apps/_61_2eb", "/org/sentinel/apps/_", "/org/sentinel/apps/org_2esentinel",
                "/org/sentinel/apps/a_2eb/c", "/org/sentinel/apps/a_2eb_", "/apps/a_2eb", "/", "/a_2eb",
            ]
            for path in paths {
                await expectError(.unknownObject) { _ = try await fixture.client.application(at: path).id() }
            }
            try fixture.stop()
        }

        @Test("GetManagedObjects holds every application with the properties that a cache can hold")
        func managedObjects() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            #expect(try await client.managedObjects() == [:])
            let path = try await client.register("com.example.App", ["name": .string("App")])
            let objects = try await client.managedObjects()
            #expect(Array(objects.keys) == [path])
            let object = try #require(objects[path])
            #expect(Set(object.keys) == Self.applicationInterfaces)
            let properties = try #require(object["org.sentinel.Application1"])
            #expect(properties["Id"] == .string("com.example.App"))
            #expect(properties["Name"] == .string("App"))
            #expect(properties["Running"] == .boolean(true))
            // They change without a signal.
            for name: Key in ["ProcessId", "Executable", "CommandLine", "StartTime"] {
                #expect(properties[name] == nil)
            }
            try fixture.stop()
        }

        @Test("a new application is made known once, by the service's object")
        func interfacesAdded() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let added = try await client.record(
                MatchRule(interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"))
            let changes = try await client.recordChanges()
            let path = try await client.register("com.example.App", ["version": .string("1")])
            let signal = try await added.signals.wait()[0]
            #expect(signal.path == "/org/sentinel")
            var body = signal.body
            #expect(try body.read(ObjectPath.self) == path)
            let interfaces: [Key: [Key: Value]] = try body.read()
            #expect(Set(interfaces.keys) == Self.applicationInterfaces)
            #expect(interfaces["org.sentinel.Application1"]?["Version"] == .string("1"))
            #expect(interfaces["org.sentinel.Application1"]?["Running"] == .boolean(true))
            try await client.register("com.example.App", ["version": .string("1")])
            try await client.roundTrip()
            #expect(added.signals.count == 1)
            #expect(changes.signals.count == 0)
            try fixture.stop()
        }

        @Test("Describe is one JSON document of the service and its applications")
        func describe() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let odd = "\"\\/\u{1F600}\u{2028}\u{202E}</script>e\u{301}"
            try await client.register("com.example.App", ["name": .string(odd), "version": .string("1")])
            let text = try await client.sentinel.describe(options: ["unknown": .byte(1)])
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let service = try #require(document["service"] as? [String: Any])
            #expect(service["name"] as? String == "org.sentinel")
            #expect(try await service["version"] as? String == client.sentinel.version())
            #expect(service["health"] as? String == "ok")
            #expect(try await service["features"] as? [String] == client.sentinel.features())
            let applications = try #require(document["applications"] as? [[String: Any]])
            #expect(applications.map { $0["id"] as? String } == ["com.example.App", "org.sentinel"])
            let application = applications[0]
            #expect((application["name"] as? String).map { Array($0.utf8) } == Array(odd.utf8))
            #expect(application["version"] as? String == "1")
            #expect(application["running"] as? Bool == true)
            let instances = try #require(application["instances"] as? [[String: Any]])
            #expect(instances.map { $0["unique_name"] as? String } == [client.name])
            #expect(instances.map { $0["process_id"] as? Int32 } == [getpid()])
            let now = Date().timeIntervalSince1970 * 1e6
            let first = try #require(application["first_seen"] as? Double)
            #expect((now - 60e6...now).contains(first))
            try fixture.stop()
        }

        @Test("a call without an interface is answered where one alone has the method")
        func withoutInterface() async throws {
            let fixture = try await ServiceFixture()
            let call = { (member: MemberName) in
                try await fixture.client.connection.call(
                    Message.methodCall(to: TestClient.service, "/org/sentinel", nil, member))
            }
            #expect(try await call("ListApplications").signature == "a(sosba{sv})")
            #expect(try await call("GetManagedObjects").signature == "a{oa{sa{sv}}}")
            await expectError(
                .unknownMethod, mentioning: "org.sentinel.Device1", "org.sentinel.Application1"
            ) { _ = try await call("Content") }
            await expectError(.unknownMethod) { _ = try await call("NoSuchMethod") }
            try fixture.stop()
        }
    }
}
