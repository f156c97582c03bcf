// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

extension LiveTests {
    @Suite("Object tree", .timeLimit(.minutes(5)))
    struct ObjectTreeTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func introspect(_ path: ObjectPath) async throws -> String {
            var body = try await fixture.call(
                "Introspect", interface: "org.freedesktop.DBus.Introspectable", at: path
            ).body
            return try body.read()
        }

        private func nodes(_ path: ObjectPath) async throws -> [String] {
            try await introspect(path).split(separator: "\n")
                .filter { $0.contains("<node name=") }
                .map { String($0.split(separator: "\"")[1]) }
        }

        @Test("every path that leads to an object can be found from the root")
        func paths() async throws {
            await fixture.service.perform { connection in
                connection.objects.export(ExportedObject([TestInterface()]), at: "/org/other")
                connection.objects.export(TestSubtree(["b", "a"]), below: "/org/sentinel/Test")
                connection.objects.export(TestSubtree([]), below: "/empty")
                connection.objects.export(TestSubtree(["x"]), below: "/far/away")
            }
            #expect(try await nodes("/") == ["far", "org"])
            #expect(try await nodes("/org") == ["other", "sentinel"])
            #expect(try await nodes("/org/sentinel") == ["Test"])
            #expect(try await nodes("/org/sentinel/Test") == ["a", "b"])
            #expect(try await nodes("/org/sentinel/Test/a") == [])
            #expect(try await nodes("/far") == ["away"])
            #expect(try await nodes("/far/away") == ["x"])
        }

        @Test("an object shows its own interfaces and the standard ones, a path above it none of its own")
        func interfaces() async throws {
            let object = try await introspect(BusFixture.path)
            for name in ["org.sentinel.Test1", "Introspectable", "Peer", "Properties"] {
                #expect(object.contains(name))
            }
            #expect(!object.contains("ObjectManager"))
            let above = try await introspect("/org")
            #expect(!above.contains("<interface"))
        }

        @Test("a path that leads nowhere cannot be looked at")
        func nowhere() async throws {
            for path: ObjectPath in ["/nowhere", "/org/sentinel/Test/child"] {
                let refusal = try await fixture.refusal(
                    "Introspect", interface: "org.freedesktop.DBus.Introspectable", at: path)
                #expect(refusal.code == .unknownObject)
            }
        }

        @Test("a path with a million elements is answered like any other")
        func longPath() async throws {
            let path = try ObjectPath(String(repeating: "/a", count: 200_000))
            let refusal = try await fixture.refusal(
                "Introspect", interface: "org.freedesktop.DBus.Introspectable", at: path)
            #expect(refusal.code == .unknownObject)
        }

        @Test("children of a path are called like other objects, of the root path too", arguments: ["/", "/sub"])
        func subtree(_ root: String) async throws {
            let root = try ObjectPath(root)
            await fixture.service.perform { connection in
                connection.objects.export(TestSubtree(["child"]), below: root)
            }
            let child = try root.appending("child")
            #expect(try await nodes(root).contains("child"))
            _ = try await fixture.call("AnswerTwice", at: child)
            #expect(try await fixture.refusal("AnswerTwice", at: root.appending("other")).code == .unknownObject)
            #expect(try await fixture.refusal("AnswerTwice", at: child.appending("deeper")).code == .unknownObject)
        }

        @Test("an object that is taken back is gone, one that is put in its place is called")
        func replaced() async throws {
            let second = TestInterface()
            await fixture.service.perform { $0.objects.export(ExportedObject([second]), at: BusFixture.path) }
            _ = try await fixture.call("AnswerTwice")
            #expect(second.called.elements == ["AnswerTwice"])
            await fixture.service.perform { $0.objects.remove(at: BusFixture.path) }
            #expect(try await fixture.refusal("AnswerTwice").code == .unknownObject)
        }

        @Test("a managing object lists what is below it with the properties that can be followed")
        func managedObjects() async throws {
            await fixture.service.perform { connection in
                connection.objects.export(ExportedObject([], managesObjects: true), at: "/org")
                connection.objects.export(TestSubtree(["a"]), below: "/org/list")
                connection.objects.export(ExportedObject([TestInterface()]), at: "/other")
            }
            var body = try await fixture.call(
                "GetManagedObjects", interface: "org.freedesktop.DBus.ObjectManager", at: "/org"
            ).body
            let objects = try body.read([ObjectPath: [Key: [Key: Value]]].self)
            #expect(objects.keys.sorted() == ["/org/list/a", "/org/sentinel/Test"])
            let properties = try #require(objects["/org/list/a"]?["org.sentinel.Test1"])
            #expect(properties.keys.sorted() == ["Level", "Title", "Version"])
        }

        @Test("an object that manages nothing has no such interface")
        func notManaging() async throws {
            let refusal = try await fixture.refusal(
                "GetManagedObjects", interface: "org.freedesktop.DBus.ObjectManager")
            #expect(refusal.code == .unknownInterface)
        }

        @Test("coming and going is made known by the nearest managing object above")
        func managerSignals() async throws {
            let signals = Recorder<Message>()
            let subscription = fixture.client.subscribe(
                to: MatchRule(interface: "org.freedesktop.DBus.ObjectManager")
            ) { signals.append($0) }
            try await fixture.settle()
            await fixture.service.perform { connection in
                connection.objects.export(ExportedObject([], managesObjects: true), at: "/org")
                connection.objects.export(ExportedObject([], managesObjects: true), at: "/org/sentinel")
                connection.objects.objectAdded(at: BusFixture.path)
                connection.objects.objectAdded(at: "/org/absent")
                connection.objects.export(ExportedObject([TestInterface()]), at: "/unmanaged")
                connection.objects.objectAdded(at: "/unmanaged")
                connection.objects.remove(at: BusFixture.path)
                connection.objects.objectRemoved(at: BusFixture.path, interfaces: [TestInterface.name])
            }
            let received = try await signals.wait(for: 2)
            #expect(received.map(\.path) == ["/org/sentinel", "/org/sentinel"])
            #expect(received.map(\.member) == ["InterfacesAdded", "InterfacesRemoved"])
            var added = received[0].body
            #expect(try added.read(ObjectPath.self) == BusFixture.path)
            #expect(try added.read([Key: [Key: Value]].self).keys.sorted() == ["org.sentinel.Test1"])
            var removed = received[1].body
            #expect(try removed.read(ObjectPath.self) == BusFixture.path)
            #expect(try removed.read([String].self) == ["org.sentinel.Test1"])
            subscription.cancel()
        }

        @Test("every path answers as a peer and knows the machine")
        func peer() async throws {
            _ = try await fixture.call("Ping", interface: "org.freedesktop.DBus.Peer", at: "/nowhere")
            do {
                var body = try await fixture.call(
                    "GetMachineId", interface: "org.freedesktop.DBus.Peer", at: "/nowhere"
                ).body
                #expect(try body.read(String.self).utf8.count == 32)
            } catch let error as DBusError {
                // A machine without an identifier says so.
                #expect(error.message.contains("machine"))
            }
        }

        @Test("an interface that is not there yet is announced and answers so")
        func absent() async throws {
            let description = TestInterface().description
            await fixture.service.perform { connection in
                connection.objects.export(ExportedObject([AbsentInterface(description)]), at: "/absent")
            }
            #expect(try await introspect("/absent").contains("org.sentinel.Test1"))
            #expect(try await fixture.refusal("Drop", at: "/absent").code == .notSupported)
            var body = try await fixture.call("GetAll", interface: "org.freedesktop.DBus.Properties", at: "/absent") {
                (writer) throws(DBusError) in
                try writer.write("")
            }.body
            #expect(try body.read([Key: Value].self) == [:])
        }
    }
}
