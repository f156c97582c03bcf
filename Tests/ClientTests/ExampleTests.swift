// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension ClientTests {
    /// The examples in `Tests/Examples`, run as they are.
    @Suite("Examples", .timeLimit(.minutes(5)))
    struct ExampleTests {
        private static func path(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Examples/\(name)").path
        }

        private static func call(_ session: ServiceOnBus, _ object: String, _ arguments: String) async throws -> String
        {
            try await session.output(of: "busctl --user call org.sentinel /org/sentinel/apps/\(object) \(arguments)")
        }

        @Test(
            "in shell declare, read, and hear of changes",
            arguments: [
                ("shell_busctl.sh", "com_2eexample_2eBusctl", "verbose is v b true"),
                ("shell_gdbus.sh", "com_2eexample_2eGdbus", "verbose is (<true>,)"),
            ])
        func shell(script: String, object: String, changed: String) async throws {
            let session = try await ServiceOnBus.started()
            let example = try session.start("sh", Self.path(script))
            try await waitUntil("the example has read its preference") {
                example.output.contains("v b false") || example.output.contains("(<false>,)")
            }
            // It is told of what changes once its monitor listens.
            try await waitUntil("the example hears of a change") {
                _ = try await Self.call(session, object, "org.sentinel.Preferences1 Set sv verbose b false")
                _ = try await Self.call(session, object, "org.sentinel.Preferences1 Set sv verbose b true")
                return example.output.contains(changed)
            }
            _ = try await Self.call(session, object, "org.sentinel.Tools1 Set ssv demo greeting s Servus")
            try await waitUntil("the example hears of its item: \(example.output)") {
                example.output.contains("Servus")
            }
        }

        @Test("in Python declare, read, hear of changes and perform an action")
        func python() async throws {
            try await run(
                ["/usr/bin/python3", Self.path("python_dbus_fast.py")], "com_2eexample_2ePython", "True", "False")
        }

        @Test("in C declare, read, hear of changes and perform an action")
        func c() async throws {
            let directory = try TemporaryDirectory()
            let program = directory.path(of: "example")
            let compiler = try await Command.run(
                [
                    "sh", "-c",
                    "cc -Wall -Wextra -Werror -o '\(program)' '\(Self.path("sd_bus.c"))' "
                        + "$(pkg-config --cflags --libs libsystemd)",
                ])
            try #require(compiler.status == 0, "\(compiler.errors)")
            try await run([program], "com_2eexample_2eC", "true", "false")
        }

        private func run(_ command: [String], _ object: String, _ yes: String, _ no: String) async throws {
            let session = try await ServiceOnBus.started()
            let example = try ChildProcess(command, environment: session.environment)
            try await waitUntil("the example has read its preference: \(example.errors)") {
                example.output.contains("verbose is \(no)\n")
            }
            _ = try await Self.call(session, object, "org.sentinel.Preferences1 Set sv verbose b true")
            try await waitUntil("the example hears of the change") { example.output.contains("verbose is \(yes)\n") }
            let result = try await Self.call(
                session, object, "org.sentinel.Tools1 Invoke 'ssa{sv}' demo greet 1 who s Ada")
            #expect(result.contains("Ada"))
            #expect(example.output.contains("greet Ada\n"))
        }
    }
}
