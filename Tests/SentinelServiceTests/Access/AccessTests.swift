// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite(
        "Confined callers", .serialized, .timeLimit(.minutes(5)),
        .enabled(if: geteuid() == 0, "chroot(2) is root's"))
    struct ConfinedCallerTests {
        /// A service, and a root from which a program calls it.
        private struct Stage {
            let fixture: ServiceFixture
            let confinement: Confinement

            init(info: String) async throws {
                fixture = try await ServiceFixture()
                confinement = try Confinement(programs: ["busctl"])
                try confinement.writeInfo(info)
                try confinement.link(fixture.bus)
            }

            /// Calls a method from inside; empty if it worked, else what the error says.
            func call(_ path: String, _ interface: String, _ member: String, _ arguments: String...) async throws
                -> String
            {
                let result = try await Command.run(
                    confinement.arguments(
                        ["busctl", "--address=unix:path=/bus", "call", "org.sentinel", path, interface, member]
                            + arguments))
                return result.status == 0 ? "" : result.errors
            }

            /// Whether the policy refuses a call.
            func denies(_ path: String, _ interface: String, _ member: String, _ arguments: String...) async throws
                -> Bool
            {
                let result = try await Command.run(
                    confinement.arguments(
                        ["busctl", "--address=unix:path=/bus", "call", "org.sentinel", path, interface, member]
                            + arguments))
                return result.status != 0 && result.errors.contains("Access denied")
            }
        }

        private static let front = "/org/sentinel"
        private static let sentinel = "org.sentinel.Sentinel1"

        @Test("an application in a sandbox acts for itself alone, and what it may not is not done")
        func flatpak() async throws {
            let stage = try await Stage(info: "[Application]\nname=com.example.Boxed\n")
            let client = stage.fixture.client
            try await client.register("com.example.Other", ["name": .string("Other")])
            try await client.log.setLogLevel("err")
            let added = try await client.record(
                MatchRule(interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"))

            for id in ["com.example.New", "", "org.sentinel"] {
                #expect(try await stage.denies(Self.front, Self.sentinel, "Register", "sa{sv}", id, "0"))
            }
            for id in ["com.example.Other", "com.example.Boxed"] {
                #expect(try await stage.denies(Self.front, Self.sentinel, "Forget", "sa{sv}", id, "0"))
            }
            #expect(try await stage.denies(Self.front, Self.sentinel, "ListApplications"))
            let properties = "org.freedesktop.DBus.Properties"
            #expect(try await stage.denies(Self.front, properties, "Get", "ss", Self.sentinel, "Version"))
            #expect(
                try await stage.denies(Self.front, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))
            #expect(
                try await stage.denies(
                    "/org/freedesktop/LogControl1", properties, "Set", "ssv", "org.freedesktop.LogControl1", "LogLevel",
                    "s", "debug"))
            #expect(
                try await stage.denies(
                    "/org/sentinel/apps/com_2eexample_2eOther", "org.sentinel.Preferences1", "List"))

            // Nothing of it was done.
            #expect(try await client.sentinel.listApplications().map(\.id) == ["com.example.Other", "org.sentinel"])
            #expect(try await client.log.logLevel() == "err")
            #expect(added.signals.count == 0)

            #expect(
                try await stage.call(Self.front, Self.sentinel, "Register", "sa{sv}", "com.example.Boxed", "0") == "")
            #expect(try await client.entry(of: "com.example.Boxed") != nil)
            for member in ["Show", "Dismiss"] {
                #expect(
                    try await stage.call(
                        Self.front, Self.sentinel, member, "sa{sv}", "com.example.Boxed", "1", "presenter", "b", "true")
                        == "")
                #expect(try await stage.denies(Self.front, Self.sentinel, member, "sa{sv}", "com.example.Other", "0"))
            }
            #expect(try await stage.denies(Self.front, Self.sentinel, "Toggle", "sa{sv}", "com.example.Boxed", "0"))
            let own = "/org/sentinel/apps/com_2eexample_2eBoxed"
            #expect(try await !stage.denies(own, "org.sentinel.Preferences1", "List"))
            #expect(try await stage.denies(own, "org.sentinel.Application1", "Content"))
            // What tells nothing of what the service holds is open.
            #expect(try await stage.call(Self.front, "org.freedesktop.DBus.Peer", "Ping") == "")
            try stage.fixture.stop()
        }

        @Test(
            "an application in a sandbox sees and removes triggers of its own alone, and adds none that reach further")
        func triggers() async throws {
            let stage = try await Stage(info: "[Application]\nname=com.example.Boxed\n")
            let client = stage.fixture.client
            for id in ["com.example.Boxed", "com.example.Other"] { try await client.register(id) }
            let other = try await client.addTrigger("com.example.Other", "shake")
            let own = try await client.addTrigger("com.example.Boxed", "file", ["path": .string("/nowhere/x")])
            func call(_ member: String, _ arguments: String...) async throws -> Command.Result {
                try await Command.run(
                    stage.confinement.arguments(
                        [
                            "busctl", "--address=unix:path=/bus", "call", "org.sentinel", Self.front, Self.sentinel,
                            member,
                        ]
                            + arguments))
            }
            let list = try await call("ListTriggers").output
            #expect(list.contains(own))
            #expect(list.contains("\"notification\""))
            #expect(!list.contains(other))
            #expect(try await call("RemoveTrigger", "s", other).errors.contains("Access denied"))
            #expect(try await client.trigger(other) != nil)
            #expect(try await call("RemoveTrigger", "s", own).status == 0)
            #expect(try await client.trigger(own) == nil)
            for (kind, options) in [
                ("file", ["1", "path", "s", "/tmp/x"]), ("signal", ["2", "interface", "s", "a.b", "member", "s", "C"]),
            ] {
                let result = try await Command.run(
                    stage.confinement.arguments(
                        [
                            "busctl", "--address=unix:path=/bus", "call", "org.sentinel", Self.front, Self.sentinel,
                            "AddTrigger", "ssa{sv}", "com.example.Boxed", kind,
                        ] + options))
                #expect(result.errors.contains("Access denied"), "\(kind)")
            }
            #expect(try await call("AddTrigger", "ssa{sv}", "com.example.Boxed", "shake", "0").status == 0)
            #expect(try await call("AddTrigger", "ssa{sv}", "com.example.Other", "shake", "0").status != 0)
            #expect(try await client.sentinel.listTriggers().count == 2 + 2)
            try stage.fixture.stop()
        }

        @Test("a sandbox without an id may do nothing")
        func unidentified() async throws {
            let stage = try await Stage(info: "")
            for id in ["com.example.App", ""] {
                #expect(try await stage.denies(Self.front, Self.sentinel, "Register", "sa{sv}", id, "0"))
            }
            #expect(try await stage.fixture.client.sentinel.listApplications().count == 1)
            try stage.fixture.stop()
        }
    }

    @Suite("Identified callers", .serialized, .timeLimit(.minutes(5)))
    struct IdentifiedCallerTests {
        @Test("the calls of a peer stay in their order while it is being identified, and after")
        func order() async throws {
            let fixture = try await ServiceFixture()
            for round in 0..<20 {
                let client = try TestClient(on: fixture.bus)
                let outcomes = Recorder<Int>()
                let ids = Recorder<String>()
                let total = 60
                for number in 0..<total {
                    // What is open to all is answered before, but what is asked of one thing keeps its order.
                    let level = number.isMultiple(of: 2) ? "err" : "warning"
                    let set = try Message.methodCall(
                        to: TestClient.service, "/org/freedesktop/LogControl1", "org.freedesktop.DBus.Properties",
                        "Set"
                    ) { (writer) throws(DBusError) in
                        try writer.write("org.freedesktop.LogControl1")
                        try writer.write("LogLevel")
                        try writer.write(Value.string(level))
                    }
                    client.connection.call(set) { _ in outcomes.append(number) }
                    let get = try Message.methodCall(
                        to: TestClient.service, "/org/freedesktop/LogControl1", "org.freedesktop.DBus.Properties",
                        "Get"
                    ) { (writer) throws(DBusError) in
                        try writer.write("org.freedesktop.LogControl1")
                        try writer.write("LogLevel")
                    }
                    client.connection.call(get) { result in
                        var body = (try? result.get())?.body
                        ids.append((try? body?.read(Value.self).text()) ?? "nothing")
                    }
                }
                try await outcomes.wait(for: total)
                try await ids.wait(for: total)
                #expect(outcomes.elements == Array(0..<total))
                #expect(ids.elements == (0..<total).map { $0.isMultiple(of: 2) ? "err" : "warning" }, "round \(round)")
                client.close()
            }
            try fixture.stop()
        }
    }
}
