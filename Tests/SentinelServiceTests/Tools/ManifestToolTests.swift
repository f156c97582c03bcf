// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Tools of manifests", .serialized, .timeLimit(.minutes(5)))
    struct ManifestToolTests {
        private let bus: PrivateBus
        private let tree: FileTree
        private let client: TestClient

        init() throws {
            bus = try PrivateBus()
            tree = try FileTree()
            client = try TestClient(on: bus)
        }

        private func start() async throws -> SentinelProcess {
            try await SentinelProcess.started(
                on: bus, dataDirectory: tree.path("data"),
                environment: ["XDG_DATA_HOME": tree.path("home"), "XDG_DATA_DIRS": tree.path("system")])
        }

        /// Writes the manifest of an application.
        ///
        /// - Returns: its path.
        @discardableResult
        private func write(_ id: String, tools: [String] = []) throws -> String {
            let tools = tools.map { tool in
                #"""
                {"id": "\#(tool)", "name": "Tool \#(tool)", "kind": "table", "sections": [
                  {"id": "main", "title": "Main", "items": [
                    {"id": "i", "kind": "integer", "title": "Item i", "value": 1, "writable": true}]}]}
                """#
            }
            return try tree.write(
                "home/sentinel/apps/\(id).json",
                #"{"application": {"id": "\#(id)"}, "tools": [\#(tools.joined(separator: ","))]}"#)
        }

        @Test("that the application declares just so are its own from then on, with what was set")
        func declaredAgain() async throws {
            let id = "com.example.App"
            let manifest = try write(id, tools: ["t", "theirs"])
            var service = try await start()
            try await waitUntil("the manifest is read") { try await client.entry(of: id) != nil }
            let tools = client.tools(at: "/org/sentinel/apps/com_2eexample_2eApp")
            try await waitUntil("the tools are there") { try await tools.list().map(\.id) == ["t", "theirs"] }
            #expect(try await tools.set(tool: "t", item: "i", value: .byte(7)) == .int64(7))
            let changes = try await client.record(MatchRule(interface: "org.sentinel.Tools1"))
            try await client.register(id)
            try await tools.declare(tools: [
                ToolDeclaration("t", [.of("i", "integer", .int64(1), ["writable": .boolean(true)])])
            ])
            #expect(try await tools.content(tool: "t").value("i") == .int64(7))
            try await client.roundTrip()
            #expect(changes.signals.count == 0)
            #expect(try service.stop() == .exited(0))

            try FileManager.default.removeItem(atPath: manifest)
            service = try await start()
            try await waitUntil("the manifest's are gone") { try await tools.list().map(\.id) == ["t"] }
            #expect(try await tools.content(tool: "t").value("i") == .int64(7))
            #expect(try service.stop() == .exited(0))
        }

        @Test("that cannot be taken back are told of in the log")
        func refused() async throws {
            let manifest = try write("org.sentinel")
            let service = try await start()
            try await waitUntil("it is refused") { try await client.sentinel.healthDetails()["manifests"] != nil }
            try FileManager.default.removeItem(atPath: manifest)
            try await waitUntil("the log says so") {
                service.process.errors.contains("what a manifest said of org.sentinel cannot be taken back")
            }
            #expect(try service.stop() == .exited(0))
        }
    }
}
