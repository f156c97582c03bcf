// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ClientTests {
    /// `gdbus` of GLib.
    @Suite("gdbus", .timeLimit(.minutes(5)))
    struct GDBusTests {
        private let door = "gdbus call --session --dest org.sentinel --object-path /org/sentinel --method"
        private let demo = "/org/sentinel/apps/com_2eexample_2eDemo"

        private func register(_ session: ServiceOnBus) async throws {
            let path = try await session.output(
                of: "\(door) org.sentinel.Sentinel1.Register com.example.Demo \"{'name': <'Dämo'>, 'later': <[1, 2]>}\""
            )
            #expect(path == "(objectpath '\(demo)',)")
        }

        @Test("introspect shows members with the names of their arguments, values and annotations")
        func introspect() async throws {
            let session = try await ServiceOnBus.started()
            try await register(session)
            let front = try await session.output(
                of: "gdbus introspect --session --dest org.sentinel --object-path /org/sentinel")
            #expect(
                front.contains(
                    """
                          Register(in  s application_id,
                                   in  a{sv} options,
                                   out o application);
                    """))
            #expect(
                front.contains(
                    """
                          Triggered(s application_id,
                                    s trigger_id,
                                    a{sv} details);
                    """))
            let application = try await session.output(
                of: "gdbus introspect --session --dest org.sentinel --object-path \(demo) --only-properties")
            #expect(
                application.hasPrefix(
                    """
                    node \(demo) {
                      interface org.sentinel.Application1 {
                        properties:
                          @org.freedesktop.DBus.Property.EmitsChangedSignal("const")
                          readonly s Id = 'com.example.Demo';
                          @org.freedesktop.DBus.Property.EmitsChangedSignal("true")
                          readonly s Name = 'Dämo';
                    """))
        }

        @Test("introspect finds the way down from the root")
        func recurse() async throws {
            let session = try await ServiceOnBus.started()
            try await register(session)
            let tree = try await session.output(
                of: "gdbus introspect --session --dest org.sentinel --object-path / --recurse --only-properties")
            let nodes = tree.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("node ") }
            #expect(
                nodes == [
                    "node / {", "node /org {", "node /org/freedesktop {", "node /org/freedesktop/LogControl1 {",
                    "node /org/sentinel {", "node /org/sentinel/apps {", "node \(demo) {",
                ])
        }

        @Test("call registers, lists and reads properties")
        func call() async throws {
            let session = try await ServiceOnBus.started()
            try await register(session)
            let version = try await ServiceOnBus.version()
            #expect(
                try await session.output(of: "\(door) org.sentinel.Sentinel1.ListApplications")
                    == "([('com.example.Demo', objectpath '\(demo)', 'Dämo', false, @a{sv} {}), "
                    + "('org.sentinel', '/org/sentinel', 'Sentinel', true, {'version': <'\(version)'>})],)")
            #expect(
                try await session.output(
                    of: "\(door) org.freedesktop.DBus.Properties.Get org.sentinel.Sentinel1 Features")
                    == "(<['\(features.joined(separator: "', '"))']>,)")
            #expect(try await session.output(of: "\(door) org.freedesktop.DBus.Peer.Ping") == "()")
        }

        @Test("a refusal carries the name of the error and what is allowed")
        func refusal() async throws {
            let session = try await ServiceOnBus.started()
            #expect(
                try await session.complaint(of: "\(door) org.sentinel.Sentinel1.Register nonsense '{}'")
                    == "Error: GDBus.Error:org.freedesktop.DBus.Error.InvalidArgs: \(idRule)\n"
                    + "(According to introspection data, you need to pass 'sa{sv}')")
            #expect(
                try await session.complaint(of: "\(door) org.sentinel.Sentinel1.Unregister com.example.Other '{}'")
                    == "Error: GDBus.Error:org.sentinel.Error.UnknownApplication: "
                    + "no application com.example.Other is known; it must register first")
            #expect(
                try await session.complaint(of: "\(door) org.sentinel.Sentinel1.RemoveTrigger method")
                    == "Error: GDBus.Error:org.freedesktop.DBus.Error.NotSupported: "
                    + "the trigger method is always there")
        }

        @Test("monitor shows what comes, changes and goes")
        func monitor() async throws {
            let session = try await ServiceOnBus.started()
            let monitor = try session.start("gdbus", "monitor", "--session", "--dest", "org.sentinel")
            try await monitor.waitForOutput("The name org.sentinel is owned by :1.")
            try await register(session)
            try await monitor.waitForOutput("'Running': <false>")
            #expect(try await session.output(of: "\(door) org.sentinel.Sentinel1.Forget com.example.Demo '{}'") == "()")
            try await monitor.waitForOutput("InterfacesRemoved")
            let lines = monitor.output.split(separator: "\n").map(String.init)
            let start = "/org/sentinel: org.freedesktop.DBus.ObjectManager.InterfacesAdded (objectpath '\(demo)', {"
            #expect(lines.contains { $0.hasPrefix(start) && $0.contains("'Name': <'Dämo'>") })
            #expect(
                lines.contains(
                    "\(demo): org.freedesktop.DBus.Properties.PropertiesChanged ('org.sentinel.Application1', "
                        + "{'Instances': <@a(sua{sv}) []>, 'Running': <false>}, @as [])"))
            #expect(
                lines.contains(
                    "/org/sentinel: org.freedesktop.DBus.ObjectManager.InterfacesRemoved (objectpath '\(demo)', "
                        + "['org.sentinel.Application1', 'org.sentinel.Tools1', 'org.sentinel.Preferences1', "
                        + "'org.sentinel.Performance1'])"))
        }

        @Test("the signal fires for whom it names, and does nothing else with any arguments")
        func emit() async throws {
            let session = try await ServiceOnBus.started()
            let monitor = try session.start("gdbus", "monitor", "--session", "--dest", "org.sentinel")
            try await monitor.waitForOutput("The name org.sentinel is owned by :1.")
            for arguments in [" com.example.Demo", " 'nonsense!'", " 42", " \"<@as []>\""] {
                #expect(
                    try await session.output(
                        of: "gdbus emit --session --object-path /from/anywhere "
                            + "--signal org.sentinel.Notification.Trigger\(arguments)") == "")
            }
            // A registration is seen after all that came before it.
            try await register(session)
            try await monitor.waitForOutput("InterfacesAdded")
            #expect(!monitor.output.contains("Triggered"))
            for arguments in ["", " com.example.Demo"] {
                #expect(
                    try await session.output(
                        of:
                            "gdbus emit --session --object-path / --signal org.sentinel.Notification.Trigger\(arguments)"
                    )
                        == "")
            }
            try await monitor.waitForOutput("Triggered ('com.example.Demo', 'notification', {'kind': <'notification'>")
            #expect(monitor.output.contains("Triggered ('org.sentinel', 'notification', "))
            #expect(session.service.process.ending == nil)
        }
    }
}
