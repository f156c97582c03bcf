// SPDX-License-Identifier: MIT

import Testing
import TestSupport

extension ConformanceTests {
    /// What runs against `Introspection/*.xml`.
    @Suite("Introspection", .timeLimit(.minutes(5)))
    struct IntrospectionTests {
        @Test("every object has just the interfaces of the contract, and each is that of its file")
        func liveInterfaces() async throws {
            let documented = try IntrospectionDocument.documented()
            let session = try await ServiceOnBus.withApplication()
            for object in PublishedObject.all {
                let live = try await session.introspection(of: object.path)
                #expect(Set(live.interfaces.keys) == object.interfaces.union(object.standardInterfaces), "\(object)")
                for name in object.interfaces {
                    let running = try #require(live.interfaces[name], "\(object) \(name)")
                    let written = try #require(documented[name], "no file for \(name)")
                    #expect(running.annotations == written.annotations, "\(object) \(name)")
                    #expect(Set(running.members.keys) == Set(written.members.keys), "\(object) \(name)")
                    for (key, member) in written.members {
                        #expect(running.members[key] == member, "\(object) \(name) \(key)")
                    }
                }
            }
        }

        @Test("every documented interface is on an object, but for those that others have")
        func everyInterfaceIsUsed() throws {
            let published = PublishedObject.all.reduce(into: Set<String>()) { $0.formUnion($1.interfaces) }
            #expect(
                Set(try IntrospectionDocument.documented().keys) == published.union(PublishedObject.elsewhere))
        }

        @Test("a file is named after its one interface")
        func fileNames() throws {
            for (name, document) in try IntrospectionDocument.files() {
                #expect(document.interfaces.keys.map { "\($0).xml" } == [name])
            }
        }

        @Test("the way down from the root leads to every object and to nothing else")
        func tree() async throws {
            let session = try await ServiceOnBus.withApplication()
            var objects: [String] = []
            var paths = ["/"]
            while let path = paths.popLast() {
                let document = try await session.introspection(of: path)
                if document.interfaces["org.freedesktop.DBus.Properties"] != nil {
                    objects.append(path)
                } else {
                    #expect(document.interfaces.isEmpty, "\(path) leads on and is nothing by itself")
                }
                paths += document.children.map { path == "/" ? "/\($0)" : "\(path)/\($0)" }
            }
            #expect(Set(objects) == Set(PublishedObject.all.map(\.path)))
            #expect(objects.count == PublishedObject.all.count)
        }

        @Test("the standard interfaces have the members of the D-Bus specification")
        func standardInterfaces() async throws {
            let session = try await ServiceOnBus.started()
            let live = try await session.introspection(of: "/org/sentinel").interfaces
            let shapes = try PublishedObject.service.standardInterfaces.sorted().flatMap { name in
                try #require(live[name]).members.sorted { $0.key < $1.key }.map { key, member in
                    "\(name) \(key) (\(member.signature("in"))) (\(member.signature("out")))"
                }
            }
            let prefix = "org.freedesktop.DBus"
            #expect(
                shapes == [
                    "\(prefix).Introspectable method Introspect () (s)",
                    "\(prefix).ObjectManager method GetManagedObjects () (a{oa{sa{sv}}})",
                    "\(prefix).ObjectManager signal InterfacesAdded () (oa{sa{sv}})",
                    "\(prefix).ObjectManager signal InterfacesRemoved () (oas)",
                    "\(prefix).Peer method GetMachineId () (s)",
                    "\(prefix).Peer method Ping () ()",
                    "\(prefix).Properties method Get (ss) (v)",
                    "\(prefix).Properties method GetAll (s) (a{sv})",
                    "\(prefix).Properties method Set (ssv) ()",
                    "\(prefix).Properties signal PropertiesChanged () (sa{sv}as)",
                ])
        }

        @Test("each property says how its changes are made known, as the contract has it")
        func changeSignals() throws {
            let constant: Set = [
                "Sentinel1.Version", "Sentinel1.Features", "Application1.Id", "Events1.Location", "Device1.Identifier",
                "Device1.Architecture", "Device1.Kernel", "Device1.BootTime",
            ]
            let silent: Set = [
                "Events1.EventCount", "Events1.StorageBytes", "Device1.BatteryState", "Device1.BatteryLevel",
                "Device1.ProximityState", "Application1.CommandLine", "Application1.Executable",
                "Application1.ProcessId", "Application1.StartTime",
            ]
            for (name, interface) in try IntrospectionDocument.documented() {
                for property in interface.members("property") {
                    let label = "\(name.split(separator: ".").last ?? "").\(property.name)"
                    let expected = constant.contains(label) ? "const" : silent.contains(label) ? "false" : "true"
                    #expect(
                        property.annotations["org.freedesktop.DBus.Property.EmitsChangedSignal"] == expected,
                        "\(label)")
                }
            }
        }

        @Test("arguments are named in lower case with underscores, members in upper camel case")
        func names() throws {
            for (name, interface) in try IntrospectionDocument.documented() {
                for member in interface.members.values {
                    #expect(
                        member.name.wholeMatch(of: /([A-Z][a-z0-9]*)+/) != nil, "\(name).\(member.name)")
                    for argument in member.arguments {
                        #expect(
                            argument.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil,
                            "\(name).\(member.name) \(argument.name)")
                    }
                }
            }
        }
    }
}
