// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Tools of the service", .serialized, .timeLimit(.minutes(5)))
    struct ServiceToolTests {
        @Test("are listed, and are nobody else's to declare")
        func own() async throws {
            let fixture = try await ServiceFixture()
            let tools = fixture.client.tools(at: "/org/sentinel")
            let ids = try await tools.list().map(\.id)
            #expect(ids == ["events", "audit", "crashes", "settings"])
            for refused in [
                { try await tools.declare(tools: [ToolDeclaration("t", [])]) },
                { try await tools.remove(tools: ["audit"]) },
                { try await tools.update(tool: "audit", values: ["x": .byte(1)]) },
            ] as [@Sendable () async throws -> Void] {
                await expectError(.accessDenied, mentioning: "service") { try await refused() }
            }
            await expectError("org.sentinel.Error.UnknownTool") { _ = try await tools.content(tool: "nope") }
            await expectError("org.sentinel.Error.UnknownAction") {
                _ = try await tools.invoke(tool: "audit", action: "x", parameters: [:])
            }
            await expectError("org.sentinel.Error.ReadOnly") {
                _ = try await tools.set(tool: "audit", item: "x", value: .byte(1))
            }
            #expect(try await tools.list().map(\.id) == ids)
            try fixture.stop()
        }

        @Test("are in what Describe tells, as the tools of others are")
        func described() async throws {
            let fixture = try await ServiceFixture()
            let text = try await fixture.client.sentinel.describe(options: [:])
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let applications = try #require(document?["applications"] as? [[String: Any]])
            let own = try #require(applications.first { $0["id"] as? String == "org.sentinel" })
            let tools = try #require(own["tools"] as? [[String: Any]])
            let listed = try await fixture.client.tools(at: "/org/sentinel").list()
            #expect(tools.map { $0["id"] as? String } == listed.map(\.id))
            #expect(tools.map { $0["name"] as? String } == listed.map(\.name))
            #expect(tools.map { $0["kind"] as? String } == listed.map(\.kind))
            #expect(tools.allSatisfy { ($0["values"] as? [String: Any])?.isEmpty == true })
            try fixture.stop()
        }

        @Test("change the service's preferences")
        func settings() async throws {
            let fixture = try await ServiceFixture()
            let tools = fixture.client.tools(at: "/org/sentinel")
            let preferences = Preferences1Proxy(
                fixture.client.connection, destination: TestClient.service, path: "/org/sentinel")
            let content = try await tools.content(tool: "settings")
            let listed = try await preferences.list()
            #expect(content.allItems.map(\.id) == listed.map(\.key))
            let level = try #require(content.allItems.first { $0.kind == "choice" })
            #expect(level.attributes["writable"] == .boolean(true))
            #expect(try await tools.set(tool: "settings", item: level.id, value: .string("debug")) == .string("debug"))
            #expect(try await fixture.client.log.logLevel() == "debug")
            #expect(try await tools.content(tool: "settings").value(level.id) == .string("debug"))
            await expectError("org.sentinel.Error.InvalidValue") {
                _ = try await tools.set(tool: "settings", item: level.id, value: .string("loud"))
            }
            for id in ["nope", ""] {
                await expectError("org.sentinel.Error.UnknownItem") {
                    _ = try await tools.set(tool: "settings", item: id, value: .byte(1))
                }
            }
            try fixture.stop()
        }

        @Test("say that a setting has changed, however it was changed")
        func settingsChanged() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            let tools = client.tools(at: "/org/sentinel")
            let changes = try await client.record(MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            let level = "LogLevel"
            _ = try await tools.set(tool: "settings", item: level, value: .string("debug"))
            try await changes.signals.wait(for: 1)
            try await client.log.setLogLevel("info")
            try await changes.signals.wait(for: 2)
            _ = try await client.preferences(at: "/org/sentinel").set(key: level, value: .string("err"))
            try await changes.signals.wait(for: 3)
            for signal in changes.signals.elements {
                var body = signal.body
                #expect(signal.path == "/org/sentinel")
                #expect(try body.read() as String == "settings")
                #expect(try body.read() as [String] == [level])
            }
            try fixture.stop()
        }

        @Test("ask the journal once for all who want to know of crashes at the same time")
        func sharedCrashes() async throws {
            let tree = try FileTree()
            let script = """
                #!/bin/sh
                echo run >> \(tree.path("runs"))
                while [ ! -e \(tree.path("go")) ]; do sleep 0.05; done
                """
            let program = try tree.write("bin/journalctl", script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let fixture = try await ServiceFixture(environment: ["PATH": "\(tree.path("bin")):\(path)"])
            let outcomes = Recorder<Result<Message, DBusError>>()
            for _ in 0..<5 {
                let message = try Message.methodCall(
                    to: TestClient.service, "/org/sentinel", "org.sentinel.Tools1", "Content"
                ) { (writer) throws(DBusError) in
                    try writer.write("crashes")
                }
                fixture.client.connection.call(message) { outcomes.append($0) }
            }
            // Answered after all of them have been taken.
            _ = try await fixture.client.tools(at: "/org/sentinel").list()
            try tree.write("go", "")
            #expect(try await outcomes.wait(for: 5).allSatisfy { $0.errorCode == nil })
            #expect(try String(contentsOfFile: tree.path("runs"), encoding: .utf8) == "run\n")
            try fixture.stop()
        }

        @Test("show what is recorded, the newest first, without what was recorded with it")
        func events() async throws {
            let fixture = try await ServiceFixture()
            let tools = fixture.client.tools(at: "/org/sentinel")
            for type in ["build.run", "build.failed"] {
                try await fixture.client.record(
                    type, source: "com.example.App", ["data": .options(["token": .string("secret")])])
            }
            let content = try await tools.content(tool: "events")
            expectSound(content)
            #expect(content.map(\.id) == ["storage", "newest"])
            #expect(content.value("event_count") == .int64(2))
            #expect(content.value("capturing") == .boolean(true))
            #expect(content.last?.items.map(\.title) == ["build.failed", "build.run"])
            #expect(content.last?.items.map(\.value) == [.string("com.example.App"), .string("com.example.App")])
            #expect(!"\(content)".contains("secret"))
            try fixture.stop()
        }

        @Test("tell who has called what that changes something, also after a restart")
        func audit() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let client = try TestClient(on: bus)
            var service = try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
            let path = try await client.register("com.example.App")
            let tools = client.tools(at: path)
            try await tools.declare(tools: [
                ToolDeclaration("t", [.of("i", "toggle", .boolean(true), ["writable": .boolean(true)])])
            ])
            _ = try await tools.set(tool: "t", item: "i", value: .boolean(false))
            try await tools.update(tool: "t", values: ["i": .boolean(true)])
            _ = try await tools.list()
            let own = client.tools(at: "/org/sentinel")
            let before = try await own.content(tool: "audit")
            expectSound(before)
            #expect(
                before.allItems.map(\.title) == ["org.sentinel.Tools1.Set", "org.sentinel.Tools1.Declare"])
            #expect(before.allItems.prefix(2).map(\.value) == [.string("com.example.App"), .string("com.example.App")])
            guard case .string(let place)? = before.allItems[0].attributes["description"] else {
                Issue.record("no place is told")
                return
            }
            #expect(place.contains(path.text))
            try service.stop()
            service = try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
            #expect(try await own.content(tool: "audit") == before)
            try service.stop()
        }

        @Test(
            "show the crashes that the journal tells of, or why there are none to show",
            arguments: [
                (
                    #"""
                    echo 'Hint: you see less than there is'
                    echo '{"COREDUMP_EXE":"/usr/bin/app","COREDUMP_PID":"42","COREDUMP_SIGNAL_NAME":"SIGSEGV",
                    "x":null}' | tr -d '\n'; echo
                    echo '{"COREDUMP_EXE":"/opt/other","COREDUMP_PID":"7","COREDUMP_TIMESTAMP":"1796015400000000"}'
                    """#, ["app", "other"], nil
                ), ("exit 1", ["Crashes"], "may not be read"), ("exec sleep 60", ["Crashes"], "longer than 5 s"),
                ("true", [], nil),
            ] as [(String, [String], String?)])
        func crashes(journalctl: String, titles: [String], error: String?) async throws {
            let tree = try FileTree()
            let program = try tree.write("bin/journalctl", "#!/bin/sh\n\(journalctl)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let fixture = try await ServiceFixture(environment: ["PATH": "\(tree.path("bin")):\(path)"])
            let content = try await fixture.client.tools(at: "/org/sentinel").content(tool: "crashes")
            expectSound(content)
            #expect(content.allItems.map(\.title) == titles)
            if let error {
                #expect(content.error("crashes")?.contains(error) == true, "\(content)")
            } else if !titles.isEmpty {
                #expect(content.allItems[0].value == .string("SIGSEGV"))
                #expect(content.allItems[1].value == .string("a signal, 2026-11-30T05:10:00.000000Z"))
            }
            try fixture.stop()
        }
    }
}
