// SPDX-License-Identifier: MIT

import Testing
import TestSupport

extension ClientTests {
    /// `busctl` of systemd.
    @Suite("busctl", .timeLimit(.minutes(5)))
    struct BusctlTests {
        private let demo = "/org/sentinel/apps/com_2eexample_2eDemo"

        private func register(_ session: ServiceOnBus) async throws {
            let path = try await session.output(
                of: "busctl --user call \(door) Register 'sa{sv}' com.example.Demo 2 name s Demo version s 1.0")
            #expect(path == "o \"\(demo)\"")
        }

        @Test("tree shows the service, its log control and each application")
        func tree() async throws {
            let session = try await ServiceOnBus.started()
            #expect(
                try await session.output(of: "busctl --user tree org.sentinel") == """
                    └─/org
                      ├─/org/freedesktop
                      │ └─/org/freedesktop/LogControl1
                      └─/org/sentinel
                    """)
            try await register(session)
            #expect(
                try await session.output(of: "busctl --user tree org.sentinel") == """
                    └─/org
                      ├─/org/freedesktop
                      │ └─/org/freedesktop/LogControl1
                      └─/org/sentinel
                        └─/org/sentinel/apps
                          └─/org/sentinel/apps/com_2eexample_2eDemo
                    """)
        }

        @Test("introspect shows members with their signatures, values and flags")
        func introspect() async throws {
            let session = try await ServiceOnBus.started()
            let version = try await ServiceOnBus.version()
            let front = try await session.output(of: "busctl --user introspect \(door)")
            #expect(
                Self.columns(front) == """
                    NAME TYPE SIGNATURE RESULT/VALUE FLAGS
                    .AddTrigger method ssa{sv} s -
                    .Describe method a{sv} s -
                    .Dismiss method sa{sv} - -
                    .Forget method sa{sv} - -
                    .Inspect method u a(ssa(sssva{sv})a{sv}) -
                    .ListApplications method - a(sosba{sv}) -
                    .ListTriggers method - a(sssa{sv}) -
                    .Register method sa{sv} o -
                    .RemoveTrigger method s - -
                    .Show method sa{sv} - -
                    .Toggle method sa{sv} - -
                    .Trigger method sa{sv} - -
                    .Unregister method sa{sv} - -
                    .Features property as \(features.count) \(features.map { "\"\($0)\"" }.joined(separator: " ")) const
                    .Health property s "ok" emits-change
                    .HealthDetails property a{sv} 0 emits-change
                    .PresentedApplications property as 0 emits-change
                    .Version property s "\(version)" const
                    .Dismissed signal s - -
                    .Presented signal s - -
                    .Ready signal - - -
                    .Triggered signal ssa{sv} - -
                    """)
            let log = try await session.output(of: "busctl --user introspect \(logControl)")
            #expect(
                Self.columns(log) == """
                    NAME TYPE SIGNATURE RESULT/VALUE FLAGS
                    .LogLevel property s "info" emits-change writable
                    .LogTarget property s "console" emits-change writable
                    .SyslogIdentifier property s "sentineld" emits-change
                    """)
        }

        @Test("introspect of a whole object works also where interfaces have nothing behind them yet")
        func introspectAll() async throws {
            let session = try await ServiceOnBus.started()
            let all = Self.columns(try await session.output(of: "busctl --user introspect org.sentinel /org/sentinel"))
            for interface in ["Sentinel1", "Device1", "Events1", "Analytics1"] {
                #expect(all.contains("\norg.sentinel.\(interface) interface - - -\n"))
            }
            #expect(all.contains("\n.DailySummary method ss a{sv} -\n"))
        }

        @Test("call registers and lists, as text and as JSON")
        func call() async throws {
            let session = try await ServiceOnBus.started()
            try await register(session)
            let version = try await ServiceOnBus.version()
            #expect(
                try await session.output(of: "busctl --user call \(door) ListApplications")
                    == "a(sosba{sv}) 2 \"com.example.Demo\" \"\(demo)\" \"Demo\" false 1 \"version\" s \"1.0\" "
                    + "\"org.sentinel\" \"/org/sentinel\" \"Sentinel\" true 1 \"version\" s \"\(version)\"")
            let text = try await session.output(of: "busctl --user -j call \(door) ListApplications")
            let reply = try JSON(text)
            #expect(reply["type"] == "a(sosba{sv})")
            #expect(
                reply["data"]?[0]?[0]
                    == ["com.example.Demo", .string(demo), "Demo", false, ["version": ["type": "s", "data": "1.0"]]])
        }

        @Test("get-property reads one and several, as text and as JSON")
        func getProperty() async throws {
            let session = try await ServiceOnBus.started()
            try await register(session)
            let object = "org.sentinel \(demo) org.sentinel.Application1"
            #expect(
                try await session.output(of: "busctl --user get-property \(object) Id Name Version Running ProcessId")
                    == "s \"com.example.Demo\"\ns \"Demo\"\ns \"1.0\"\nb false\nu 0")
            #expect(
                try await session.output(of: "busctl --user -j get-property \(door) Features")
                    == #"{"type":"as","data":["\#(features.joined(separator: #"",""#))"]}"#)
        }

        @Test("set-property changes the log level, which then shows in the log")
        func setProperty() async throws {
            let session = try await ServiceOnBus.started()
            #expect(try await session.output(of: "busctl --user set-property \(logControl) LogLevel s err") == "")
            #expect(try await session.output(of: "busctl --user get-property \(logControl) LogLevel") == "s \"err\"")
            try session.service.stop()
            #expect(!session.service.process.errors.contains("ending"), "messages below the level are not written")
        }

        @Test("what is wrong with a value is said, with what is wanted")
        func refusals() async throws {
            let session = try await ServiceOnBus.started()
            let logLevel = "Failed to set property LogLevel on interface org.freedesktop.LogControl1: "
            #expect(
                try await session.complaint(of: "busctl --user set-property \(logControl) LogLevel u 5")
                    == logLevel + "property LogLevel: expected text (s), got a value of type u that does not fit")
            #expect(
                try await session.complaint(of: "busctl --user set-property \(logControl) LogLevel s loud")
                    == logLevel + "not a log level; allowed are emerg, alert, crit, err, warning, notice, info, debug")
            #expect(
                try await session.complaint(of: "busctl --user set-property \(door) Version s 2")
                    == "Failed to set property Version on interface org.sentinel.Sentinel1: "
                    + "the property Version cannot be written")
            #expect(
                try await session.complaint(of: "busctl --user call \(door) Register ss com.example.Demo ''")
                    == "Call failed: Register takes (sa{sv}), not (ss)")
            #expect(
                try await session.complaint(of: "busctl --user call \(door) Register 'sa{sv}' nonsense 0")
                    == "Call failed: \(idRule)")
            #expect(
                try await session.complaint(
                    of: "busctl --user call \(door) Register 'sa{sv}' com.example.Demo 1 name u 5")
                    == "Call failed: option name: expected text (s), got a value of type u that does not fit")
            #expect(
                try await session.complaint(of: "busctl --user call \(door) Forget 'sa{sv}' com.example.Other 0")
                    == "Call failed: no application com.example.Other is known; it must register first")
        }

        @Test("monitor shows the start and a registration from the right paths")
        func monitor() async throws {
            let bus = try PrivateBus()
            let monitor = try ChildProcess(
                ["busctl", "--user", "--json=short", "monitor", "org.sentinel"], environment: bus.environment)
            try await waitUntil("busctl monitors") { monitor.errors.contains("Monitoring bus message stream.") }
            let session = try await ServiceOnBus.started(on: bus)
            try await register(session)
            try await register(session)
            try await waitUntil("the end of the second registration") {
                try Self.signals(monitor).count(where: Self.tellsWhetherItRuns) == 3
            }
            // What is found out of a process while it runs comes when it is read.
            let signals = try Self.signals(monitor).filter {
                $0["member"] != "PropertiesChanged" || Self.tellsWhetherItRuns($0)
            }
            #expect(
                signals.map { "\($0["path"]?.text ?? "") \($0["interface"]?.text ?? "").\($0["member"]?.text ?? "")" }
                    == [
                        "/org/sentinel org.sentinel.Sentinel1.Ready",
                        "/org/sentinel org.freedesktop.DBus.ObjectManager.InterfacesAdded",
                    ] + Array(repeating: "\(demo) org.freedesktop.DBus.Properties.PropertiesChanged", count: 3))
            #expect(signals[1]["payload"]?["data"]?[0] == .string(demo))
            let running = signals[2...].map { $0["payload"]?["data"]?[1]?["Running"]?["data"] }
            #expect(running == [false, true, false])
            #expect(signals[2...].allSatisfy { $0["payload"]?["data"]?[0] == "org.sentinel.Application1" })
        }

        private static func tellsWhetherItRuns(_ signal: JSON) -> Bool {
            signal["payload"]?["data"]?[1]?["Running"] != nil
        }

        /// The signals among the messages of a monitor, but for the bus's own.
        private static func signals(_ monitor: ChildProcess) throws -> [JSON] {
            let output = monitor.output
            guard let end = output.lastIndex(of: "\n") else { return [] }
            return try output[..<end].split(separator: "\n").map { try JSON(String($0)) }
                .filter { $0["type"] == "signal" && $0["sender"] != "org.freedesktop.DBus" }
        }

        /// A table with one space between its columns, however wide they are.
        private static func columns(_ table: String) -> String {
            table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
                .joined(separator: "\n")
        }
    }
}
