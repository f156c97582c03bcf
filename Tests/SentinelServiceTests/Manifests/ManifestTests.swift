// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import SQLite
import TestSupport
import Testing

extension LiveTests {
    @Suite("Manifests", .serialized, .timeLimit(.minutes(5)))
    struct ManifestTests {
        private static let id = "com.example.Manifest"
        private static let path: ObjectPath = "/org/sentinel/apps/com_2eexample_2eManifest"

        private static func manifest(name: String = "From a file", tools: String = "", preferences: String = "")
            -> String
        {
            """
            {"application": {"id": "\(id)", "name": "\(name)", "icon": "face-smile", "version": "3", "build": "b"},
             "preferences": [\(preferences)], "tools": [\(tools)],
             "triggers": [{"kind": "shortcut", "options": {"preferred": "LOGO+d"}}]}
            """
        }

        private static func tool(_ id: String, value: Int = 1) -> String {
            """
            {"id": "\(id)", "name": "Tool", "kind": "table", "sections": [{"id": "s", "title": "S", "items": [
              {"id": "i", "kind": "integer", "title": "I", "value": \(value), "writable": true, "max": 9},
              {"id": "d", "kind": "double", "title": "D", "value": 2}]}]}
            """
        }

        private static func place(_ directory: String, _ id: String = id) -> String {
            "\(directory)/sentinel/apps/\(id).json"
        }

        /// Puts a file in place as a package manager does it.
        private static func replace(_ tree: FileTree, _ place: String, _ text: String) throws {
            let temporary = try tree.write("temporary", text)
            let target = tree.path(place)
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            guard rename(temporary, target) == 0 else { throw TestSupportError("cannot rename") }
        }

        private static func findings(_ client: TestClient) async throws -> [String] {
            guard let value = try await client.sentinel.healthDetails()["manifests"] else { return [] }
            return try [String](value)
        }

        @Test("declare an application that never ran, with its tools and preferences")
        func declared() async throws {
            let fixture = try await FactsFixture { tree, _ in
                let preferences = #"""
                    {"key": "depth", "name": "Depth", "default": 3, "min": 1}, {"key": "ratio", "name": "R", "default": 1,
                    "kind": "double"}
                    """#
                try tree.write(
                    Self.place("system"), Self.manifest(tools: Self.tool("t"), preferences: preferences))
            }
            let client = fixture.client
            try await waitUntil("the manifest is read") { try await client.entry(of: Self.id) != nil }
            let application = client.application(at: Self.path)
            #expect(try await application.name() == "From a file")
            #expect(try await application.icon() == "face-smile")
            #expect(try await application.version() == "3")
            #expect(try await application.build() == "b")
            #expect(try await application.running() == false)
            let tools = client.tools(at: Self.path)
            try await waitUntil("the tools are there") { try await tools.list().map(\.id) == ["t"] }
            let content = try await tools.content(tool: "t")
            #expect(content.value("i") == .int64(1))
            #expect(content.value("d") == .double(2))
            #expect(try await tools.set(tool: "t", item: "i", value: .byte(4)) == .int64(4))
            let preferences = Preferences1Proxy(
                client.connection, destination: TestClient.service, path: Self.path)
            try await waitUntil("the preferences are there") { try await preferences.list().count == 2 }
            #expect(try await preferences.get(key: "ratio") == .double(1))
            #expect(try await preferences.set(key: "depth", value: .byte(5)) == .int64(5))
            #expect(try await Self.findings(client) == [])
            // What an instance says of itself counts more.
            try await client.register(Self.id, ["name": .string("Own"), "version": .string("4")])
            #expect(try await application.name() == "Own")
            #expect(try await application.version() == "4")
            #expect(try await application.build() == "b")
            // Forgotten, the manifest's part is there again, with nothing that was set.
            try await client.sentinel.forget(applicationID: Self.id, options: [:])
            try await waitUntil("the tools are back") { try await tools.list().map(\.id) == ["t"] }
            #expect(try await tools.content(tool: "t").value("i") == .int64(1))
            try await waitUntil("the preferences are back") { try await preferences.get(key: "depth") == .int64(3) }
            try fixture.stop()
        }

        @Test("are followed when they come, are edited, replaced and removed, in directories that come later too")
        func followed() async throws {
            let fixture = try await FactsFixture()
            let (client, tree) = (fixture.client, fixture.tree)
            let tools = client.tools(at: Self.path)
            #expect(try await client.entry(of: Self.id) == nil)
            try Self.replace(tree, Self.place("home"), Self.manifest(tools: Self.tool("a")))
            try await waitUntil("a manifest in a new directory is read") {
                try await client.entry(of: Self.id)?.name == "From a file"
            }
            try await waitUntil("its tool is there") { try await tools.list().map(\.id) == ["a"] }
            // In place.
            try tree.write(Self.place("home"), Self.manifest(name: "Edited", tools: Self.tool("b")))
            try await waitUntil("an edited one is read") { try await client.entry(of: Self.id)?.name == "Edited" }
            try await waitUntil("its tool is there") { try await tools.list().map(\.id) == ["b"] }
            // The application's own tools are not the manifest's.
            try await tools.declare(tools: [ToolDeclaration("own", []), ToolDeclaration("b", [])])
            try Self.replace(tree, Self.place("home"), Self.manifest(tools: Self.tool("b") + "," + Self.tool("c")))
            try await waitUntil("a replaced one is read") { try await tools.list().map(\.id) == ["b", "own", "c"] }
            #expect(try await tools.content(tool: "b").allItems.isEmpty)
            try FileManager.default.removeItem(atPath: tree.path(Self.place("home")))
            try await waitUntil("a removed one is gone") { try await tools.list().map(\.id) == ["b", "own"] }
            #expect(try await client.entry(of: Self.id)?.name == Self.id)
            // The whole directory goes and comes.
            try FileManager.default.removeItem(atPath: tree.path("home"))
            try Self.replace(tree, Self.place("home"), Self.manifest(name: "Again"))
            try await waitUntil("it is read again") { try await client.entry(of: Self.id)?.name == "Again" }
            try fixture.stop()
        }

        @Test("of the user come before those of the system, by application")
        func override() async throws {
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(Self.place("system"), Self.manifest(name: "System", tools: Self.tool("system")))
                try tree.write(Self.place("home"), Self.manifest(name: "User", tools: Self.tool("user")))
            }
            let tools = fixture.client.tools(at: Self.path)
            try await waitUntil("the user's is read") {
                try await fixture.client.entry(of: Self.id)?.name == "User"
            }
            try await waitUntil("its tool is there") { try await tools.list().map(\.id) == ["user"] }
            try FileManager.default.removeItem(atPath: fixture.tree.path(Self.place("home")))
            try await waitUntil("the system's counts") {
                try await fixture.client.entry(of: Self.id)?.name == "System"
            }
            try await waitUntil("its tool is there") { try await tools.list().map(\.id) == ["system"] }
            try fixture.stop()
        }

        @Test("that are bad are reported with line or place, change nothing, and are reported no more once right")
        func bad() async throws {
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(Self.place("home"), Self.manifest(name: "Good", tools: Self.tool("t")))
            }
            let (client, tree) = (fixture.client, fixture.tree)
            try await waitUntil("the good one is read") { try await client.entry(of: Self.id)?.name == "Good" }
            // What is declared is stored before it counts.
            try await waitUntil("its tool is there") {
                try await client.tools(at: Self.path).list().map(\.id) == ["t"]
            }
            let bad: [(text: String, mention: String)] = [
                ("{\n\"application\": {\n]", "line 3"), ("[]", "expected an object"),
                ("{}", "application: it is missing"),
                (#"{"application": {"id": "com.example.Other"}}"#, "application.id"),
                (Self.manifest(tools: Self.tool("t", value: 10)), "tools[0].sections[0].items[0].value"),
                (Self.manifest(tools: Self.tool("t") + "," + Self.tool("t")), "tools[1].id"),
                (Self.manifest(preferences: #"{"key": "a", "name": "A", "default": 1, "min": 2}"#), "preferences[0]"),
                (
                    Self.manifest(
                        preferences: #"{"key": "a", "name": "A", "default": 1, "storage": {"file": {"path": "x"}}}"#),
                    "preferences[0].storage.file"
                ),
            ]
            for (text, mention) in bad {
                try tree.write(Self.place("home"), text)
                try await waitUntil("\(mention) is reported") {
                    try await Self.findings(client).contains {
                        $0.contains(mention) && $0.contains(tree.path(Self.place("home")))
                    }
                }
                #expect(try await client.entry(of: Self.id)?.name == "Good")
                #expect(try await client.tools(at: Self.path).list().map(\.id) == ["t"])
                #expect(try await client.sentinel.health() == "ok")
            }
            try tree.write(
                Self.place("home"), #"{"application": {"id": "\#(Self.id)", "colour": "red"}, "tols": []}"#)
            try await waitUntil("members that mean nothing are reported") {
                let findings = try await Self.findings(client)
                return findings.contains { $0.contains("application.colour") }
                    && findings.contains { $0.contains("tols") }
            }
            #expect(try await client.entry(of: Self.id)?.name == Self.id)
            try tree.write(Self.place("home"), Self.manifest(name: "Good"))
            try tree.write(Self.place("home", "no-id"), "{}")
            try await waitUntil("only a file of no application is left") {
                try await Self.findings(client).allSatisfy { $0.contains("no-id.json") }
            }
            try FileManager.default.removeItem(atPath: tree.path(Self.place("home", "no-id")))
            try await waitUntil("nothing is left to report") { try await Self.findings(client) == [] }
            try fixture.stop()
        }

        @Test("are followed through links, and so are the files of their preferences")
        func links() async throws {
            let preferences = #"""
                {"key": "size", "name": "S", "default": 1, "storage": {"file": {"path": "PATH", "format": "env", "key": "A"}}}
                """#
            let fixture = try await FactsFixture { tree, _ in
                try tree.link(Self.place("home"), to: "../../../dotfiles/manifest")
                try tree.link("settings", to: "dotfiles/settings")
                try tree.write("dotfiles/settings", "A=3\n")
                try tree.write(
                    "dotfiles/manifest",
                    Self.manifest(preferences: preferences.replacing("PATH", with: tree.path("settings"))))
            }
            let (client, tree) = (fixture.client, fixture.tree)
            func waitForValue(_ value: Int64) async throws {
                try await waitUntil("the value is \(value)") {
                    guard try await client.entry(of: Self.id) != nil else { return false }
                    let known = try await client.preferences(at: Self.path).list().first
                    return known?.value == .int64(value) && known?.attributes["stale"] == nil
                }
            }
            try await waitForValue(3)
            for value in Int64(4)...6 {
                try tree.write("dotfiles/settings", "A=\(value)\n")
                try await waitForValue(value)
            }
            for name in ["One", "Two"] {
                try tree.write("dotfiles/manifest", Self.manifest(name: name))
                try await waitUntil("it is read again") { try await client.entry(of: Self.id)?.name == name }
            }
            try fixture.stop()
        }

        @Test("that change while their application is being forgotten are declared, and nothing is found wrong")
        func forgotten() async throws {
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(Self.place("home"), Self.manifest(tools: Self.tool("a")))
            }
            let (client, tree) = (fixture.client, fixture.tree)
            let tools = client.tools(at: Self.path)
            try await waitUntil("the tool is there") {
                guard try await client.entry(of: Self.id) != nil else { return false }
                return try await tools.list().map(\.id) == ["a"]
            }
            // Nothing is stored until this ends.
            let lock = try SQLite.Connection(.file("\(fixture.service.dataDirectory)/sentinel.db"))
            try lock.begin(.immediate)
            let forgotten = Recorder<Bool>()
            client.connection.call(
                try Message.methodCall(to: TestClient.service, "/org/sentinel", Sentinel1.name, "Forget") {
                    (writer) throws(DBusError) in
                    try writer.write(Self.id)
                    try writer.write([Key: DBus.Value]())
                }
            ) { forgotten.append($0.errorCode == nil) }
            try await client.roundTrip()
            try tree.write(Self.place("home"), Self.manifest(name: "New", tools: Self.tool("b")))
            try await waitUntil("the changed one is read") { try await client.entry(of: Self.id)?.name == "New" }
            #expect(forgotten.count == 0)
            try lock.execute("ROLLBACK")
            #expect(try await forgotten.wait() == [true])
            try await waitUntil("its tool is there") {
                guard try await client.entry(of: Self.id) != nil else { return false }
                return try await tools.list().map(\.id) == ["b"]
            }
            #expect(try await Self.findings(client) == [])
            try fixture.stop()
        }

        @Test(
            "bring preferences that live in files of the application, which others edit too",
            arguments: [
                ("json", "{\n  // x", "editor/size"),
                ("json", "{\n  \"editor\": { \"size\": 3 },\n  \"other\": [1, 2]\n}\n", "editor/size"),
                ("ini", "; comment\n[editor]\nsize = 3\n\n[other]\na=b\n", "editor/size"),
                ("env", "# comment\nexport SIZE=3\nOTHER='x y'\n", "SIZE"),
            ])
        func storage(format: String, text: String, key: String) async throws {
            let isBroken = text.contains("//")
            let fixture = try await FactsFixture { tree, _ in
                let file = try tree.write("settings", text)
                try tree.write(
                    Self.place("home"),
                    Self.manifest(
                        preferences: #"""
                            {"key": "size", "name": "Size", "default": 1, "max": 100,
                             "storage": {"file": {"path": "\#(file)", "format": "\#(format)", "key": "\#(key)"}}}
                            """#))
            }
            let preferences = Preferences1Proxy(
                fixture.client.connection, destination: TestClient.service, path: Self.path)
            try await waitUntil("the manifest is read") {
                guard try await fixture.client.entry(of: Self.id) != nil else { return false }
                return try await preferences.list().count == 1
            }
            if isBroken {
                await expectError("org.sentinel.Error.Unavailable", mentioning: "JSON") {
                    _ = try await preferences.get(key: "size")
                }
                return try fixture.stop()
            }
            #expect(try await preferences.get(key: "size") == .int64(3))
            #expect(try await preferences.set(key: "size", value: .byte(7)) == .int64(7))
            let file = fixture.tree.path("settings")
            let expected = text.replacing("3", with: "7")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == expected)
            let changes = try await fixture.client.record(
                MatchRule(path: Self.path, interface: "org.sentinel.Preferences1", member: "Changed"))
            try Self.replace(fixture.tree, "settings", text.replacing("3", with: "42"))
            try await changes.signals.wait()
            #expect(try await preferences.get(key: "size") == .int64(42))
            try FileManager.default.removeItem(atPath: file)
            try await waitUntil("the default counts") { try await preferences.get(key: "size") == .int64(1) }
            try fixture.stop()
        }
    }
}
