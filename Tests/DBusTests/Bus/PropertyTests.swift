// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

extension LiveTests {
    @Suite("Properties", .timeLimit(.minutes(5)))
    struct PropertyTests {
        private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func get(_ interface: String, _ name: String) async throws -> Value {
            var body = try await fixture.call("Get", interface: Self.properties) { (writer) throws(DBusError) in
                try writer.write(interface)
                try writer.write(name)
            }.body
            return try body.read()
        }

        private func getAll(_ interface: String, at path: ObjectPath = BusFixture.path) async throws -> [Key: Value] {
            var body = try await fixture.call("GetAll", interface: Self.properties, at: path) {
                (writer) throws(DBusError) in
                try writer.write(interface)
            }.body
            return try body.read()
        }

        private func set(_ interface: String, _ name: String, _ value: Value) async throws -> DBusError? {
            do {
                _ = try await fixture.call("Set", interface: Self.properties) { (writer) throws(DBusError) in
                    try writer.write(interface)
                    try writer.write(name)
                    try writer.write(value)
                }
                return nil
            } catch let error as DBusError {
                return error
            }
        }

        @Test("a property is read with its interface and without", arguments: ["org.sentinel.Test1", ""])
        func getOne(_ interface: String) async throws {
            #expect(try await get(interface, "Title") == .string("untitled"))
            #expect(try await get(interface, "Level") == .int32(3))
            #expect(try await get(interface, "Clock") == .uint64(99))
        }

        @Test("all properties that can be had are read at once", arguments: ["org.sentinel.Test1", ""])
        func getEverything(_ interface: String) async throws {
            let expected: [Key: Value] = [
                "Title": .string("untitled"), "Level": .int32(3), "Version": .uint32(1), "Clock": .uint64(99),
            ]
            #expect(try await getAll(interface) == expected)
        }

        @Test("a property that is not there or cannot be had says why")
        func refusals() async throws {
            func code(_ interface: String, _ name: String) async throws -> ErrorName? {
                do {
                    _ = try await get(interface, name)
                    return nil
                } catch let error as DBusError {
                    return error.code
                }
            }
            #expect(try await code("org.sentinel.Test1", "Nothing") == .unknownProperty)
            #expect(try await code("", "Nothing") == .unknownProperty)
            #expect(try await code("org.sentinel.Other", "Title") == .unknownInterface)
            #expect(try await code("org.sentinel.Test1", "Broken") == .notSupported)
            #expect(try await code("org.sentinel.Test1", "not a name") == .invalidArgs)
            #expect(try await code("no name", "Title") == .invalidArgs)
            #expect(try await code("org.sentinel.Test1", "") == .invalidArgs)
        }

        @Test(
            "an interface that every object has by itself has no properties",
            arguments: ["Introspectable", "Peer", "Properties"])
        func standardInterfaces(name: String) async throws {
            // Clients that browse ask each interface that the introspection data names.
            #expect(try await getAll("org.freedesktop.DBus.\(name)") == [:])
            let refusal = await #expect(throws: DBusError.self) {
                try await get("org.freedesktop.DBus.\(name)", "Title")
            }
            #expect(refusal?.code == .unknownProperty)
        }

        @Test("a property is written with every integer width that fits")
        func setWidths() async throws {
            for value: Value in [
                .byte(1), .int16(2), .uint16(3), .uint32(4), .int64(-5), .uint64(6), .variant(.int32(7)),
            ] {
                #expect(try await set("org.sentinel.Test1", "Level", value) == nil)
                #expect(try await get("", "Level") == .int32(try value.integer()))
            }
            #expect(try await set("", "Title", .string("new")) == nil)
            #expect(try await get("", "Title") == .string("new"))
        }

        @Test("a value of another type or outside the range is refused with the type wanted, and nothing changes")
        func setBadly() async throws {
            for value: Value in [.string("5"), .boolean(true), .double(1), .uint32(.max), .int64(.min)] {
                let refusal = try #require(try await set("org.sentinel.Test1", "Level", value))
                #expect(refusal.code == .invalidArgs)
                #expect(refusal.message.contains("Level"))
                #expect(refusal.message.contains("-2147483648 to 2147483647"))
            }
            #expect(try await get("", "Level") == .int32(3))
            #expect(try await set("org.sentinel.Test1", "Title", .byte(1))?.message.contains("text (s)") == true)
        }

        @Test("a read-only property is not written")
        func readOnly() async throws {
            #expect(try await set("org.sentinel.Test1", "Version", .uint32(2))?.code == .propertyReadOnly)
            #expect(try await set("org.sentinel.Test1", "Nothing", .uint32(2))?.code == .unknownProperty)
        }

        @Test("Set called with a bare text is refused with the signature wanted")
        func setAsTexts() async throws {
            let refusal = try await fixture.refusal("Set", interface: Self.properties) { (writer) throws(DBusError) in
                try writer.write("org.sentinel.Test1")
                try writer.write("Title")
                try writer.write("new")
            }
            #expect(refusal.code == .invalidArgs)
            #expect(refusal.message.contains("(ssv)"))
            #expect(refusal.message.contains("(sss)"))
        }

        @Test("a property that two interfaces have must be asked for by interface")
        func ambiguous() async throws {
            await fixture.service.perform { connection in
                connection.objects.export(
                    ExportedObject([TestInterface(), TestInterface(name: "org.sentinel.Test2")]), at: "/two")
            }
            let refusal = try await fixture.refusal("Get", interface: Self.properties, at: "/two") {
                (writer) throws(DBusError) in
                try writer.write("")
                try writer.write("Title")
            }
            #expect(refusal.code == .unknownProperty)
            #expect(refusal.message.contains("org.sentinel.Test2"))
        }

        @Test("a change is made known from the path of the object that changed, as its annotation says")
        func changes() async throws {
            let signals = Recorder<Message>()
            let other: ObjectPath = "/org/sentinel/Other"
            let subscription = fixture.client.subscribe(to: MatchRule(member: "PropertiesChanged")) {
                signals.append($0)
            }
            try await fixture.settle()
            await fixture.service.perform { [interface = fixture.interface] connection in
                connection.objects.export(ExportedObject([interface]), at: other)
                connection.objects.propertiesChanged([0, 1, 2, 3, 4], of: TestInterface.name, at: other)
                connection.objects.propertiesChanged([2, 3], of: TestInterface.name, at: other)
                connection.objects.propertiesChanged([], of: TestInterface.name, at: other)
                connection.objects.propertiesChanged([0], of: "org.sentinel.Absent", at: other)
                connection.objects.propertiesChanged([0], of: TestInterface.name, at: "/nowhere")
                connection.objects.propertiesChanged([1], of: TestInterface.name, at: BusFixture.path)
            }
            let changed = try await signals.wait(for: 2)
            #expect(changed.map(\.path) == [other, BusFixture.path])
            var body = changed[0].body
            #expect(try body.read(String.self) == "org.sentinel.Test1")
            #expect(try body.read([Key: Value].self) == ["Title": .string("untitled")])
            #expect(try body.read([String].self) == ["Level", "Broken"])
            try await fixture.settle()
            #expect(signals.count == 2)
            subscription.cancel()
        }

        @Test("ready-made clients read and write properties")
        func foreignClients() async throws {
            let busctl = ["busctl", "--user"]
            let object = [fixture.service.uniqueName.text, BusFixture.path.text, "org.sentinel.Test1"]
            let environment = fixture.bus.environment
            let set = try await Command.run(
                busctl + ["set-property"] + object + ["Level", "i", "8"], environment: environment)
            #expect(set.status == 0, "\(set.errors)")
            let get = try await Command.run(busctl + ["get-property"] + object + ["Level"], environment: environment)
            #expect(get.output == "i 8\n")
        }
    }
}
