// SPDX-License-Identifier: MIT

import DBus
import Foundation
import TestSupport
import Testing

extension ClientTests {
    /// The examples in `dbus/examples`, and the desktop entry of the service, run as they are.
    @Suite("Examples of firing", .timeLimit(.minutes(5)))
    struct FiringExampleTests {
        private static let desktopEntries = [
            "dbus/examples/com.example.DebugMenu.desktop", "dbus/share/applications/org.sentinel.desktop",
        ]

        private static func path(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent(name).path
        }

        /// A service with an application, and somebody who hears what it signals.
        private static func start(_ application: String) async throws -> (ServiceOnBus, ChildProcess) {
            let session = try await ServiceOnBus.started()
            let monitor = try session.start("gdbus", "monitor", "--session", "--dest", "org.sentinel")
            try await monitor.waitForOutput("The name org.sentinel is owned by :1.")
            _ = try await session.output(of: "\(Self.sentinel) Register 'sa{sv}' \(application) 0")
            return (session, monitor)
        }

        private static let sentinel = "busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1"

        /// What the service has signalled with a beginning such as `Triggered ('com.example.App', 'method'`.
        private static func count(_ signal: String, in monitor: ChildProcess) -> Int {
            monitor.output.components(separatedBy: "org.sentinel.Sentinel1.\(signal)").count - 1
        }

        @Test("from a shell fire in each way, and leave what is presented as it was")
        func shell() async throws {
            let (session, monitor) = try await Self.start("com.example.Shell")
            let panel = try MockService("org.sentinel.Panel", on: session.bus)
            let action = MockInterface.Method("ActivateAction", arguments: "sava{sv}") { call in call.answer { _ in } }
            panel.export("/org/sentinel/Panel", "org.freedesktop.Application", [:], methods: [action])
            try await panel.appear()
            let output = try await session.output(
                of: "sh '\(Self.path("dbus/examples/fire_from_a_shell.sh"))' com.example.Shell")
            #expect(output == "()")
            try await waitUntil("all has been presented and dismissed: \(monitor.output)") {
                Self.count("Dismissed ('com.example.Shell',)", in: monitor) == 2
            }
            #expect(Self.count("Triggered ('com.example.Shell', 'notification', ", in: monitor) == 2)
            #expect(Self.count("Triggered ('com.example.Shell', 'method', ", in: monitor) == 2)
            #expect(Self.count("Presented ('com.example.Shell',)", in: monitor) == 2)
            #expect(
                try await session.output(
                    of: "busctl --user get-property org.sentinel /org/sentinel org.sentinel.Sentinel1 "
                        + "PresentedApplications") == "as 0")
            try await panel.calls.wait(for: 4)
        }

        @Test("from a shell say that nobody knows an application")
        func unknown() async throws {
            let session = try await ServiceOnBus.started()
            let complaint = try await session.complaint(
                of: "sh '\(Self.path("dbus/examples/fire_from_a_shell.sh"))' com.example.Nobody")
            #expect(
                complaint == "Call failed: no application com.example.Nobody is known; it must register first")
        }

        @Test("by a shortcut have the desktop bind the keys, which fire when they are pressed")
        func shortcut() async throws {
            let (session, monitor) = try await Self.start("com.example.Shell")
            let portal = try await MockPortal(on: session.bus)
            let output = try await session.output(
                of: "sh '\(Self.path("dbus/examples/fire_by_a_shortcut.sh"))' com.example.Shell")
            let request = try await portal.bindings.wait()[0]
            let (id, attributes) = try #require(request.shortcuts.first)
            #expect(request.shortcuts.count == 1)
            #expect(
                attributes == [
                    "preferred_trigger": .string("CTRL+ALT+d"),
                    "description": .string("Show the debug menu of com.example.Shell"),
                ])
            #expect(output.hasPrefix("s \"\(id.text)\"\na(sssa{sv}) 3 "))
            #expect(output.contains("\"\(id.text)\" \"com.example.Shell\" \"shortcut\" "))
            try portal.activate(id.text, in: request)
            try await monitor.waitForOutput("Triggered ('com.example.Shell', '\(id.text)', {'kind': <'shortcut'>")
        }

        @Test("from a desktop's menu fire, with the action for another application too")
        func desktopEntry() async throws {
            let (session, monitor) = try await Self.start("com.example.Demo")
            let fired = "Triggered ('org.sentinel', 'method', "
            for (index, entry) in Self.desktopEntries.enumerated() {
                _ = try await session.output(of: "gio launch '\(Self.path(entry))'")
                try await waitUntil("\(entry) has fired: \(monitor.output)") {
                    Self.count(fired, in: monitor) == index + 1
                }
            }
            // gio launches no actions: this is what it would run.
            let action = try String(contentsOfFile: Self.path(Self.desktopEntries[0]), encoding: .utf8)
                .components(separatedBy: "\n[Desktop Action Demo]\n")[1]
            let command = try #require(action.split(separator: "\n").first { $0.hasPrefix("Exec=") })
            #expect(try await session.output(of: String(command.dropFirst("Exec=".count))) == "()")
            try await monitor.waitForOutput("Triggered ('com.example.Demo', 'method', ")
        }

        @Test("are desktop entries without a fault", arguments: desktopEntries)
        func validity(entry: String) async throws {
            let result = try await Command.run(["desktop-file-validate", Self.path(entry)])
            #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
        }
    }
}
