// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// The data directory is in the way of a file at the start, and comes back later.
    @Suite("A database that comes into use later", .serialized, .timeLimit(.minutes(5)))
    struct DatabaseChangeTests {
        private let bus: PrivateBus
        private let directory: TemporaryDirectory
        private var data: String { directory.path(of: "data") }
        private var aside: String { directory.path(of: "aside") }

        init() throws {
            bus = try PrivateBus()
            directory = try TemporaryDirectory()
        }

        /// Takes the directory away, so that the next start has none.
        private func takeAway() throws {
            try FileManager.default.moveItem(atPath: data, toPath: aside)
            try Data().write(to: URL(fileURLWithPath: data))
        }

        private func bringBack() throws {
            try FileManager.default.removeItem(atPath: data)
            try FileManager.default.moveItem(atPath: aside, toPath: data)
        }

        private static func tool(_ id: String) -> ToolDeclaration {
            ToolDeclaration(
                id, [.of("i", "toggle", .boolean(true), ["writable": .boolean(true)]), .of("n", "info", .int64(0))])
        }

        /// Fills a database with what two applications declare and set.
        private func fill(_ client: TestClient) async throws {
            for id in ["com.example.App", "com.example.Gone"] {
                let path = try await client.register(id, ["name": .string("Name of \(id)")])
                let preferences = client.preferences(at: path)
                try await preferences.declare(preferences: [
                    .of("x", .int64(1)), .of("brief", .int64(1)), .of("other", .string("")),
                ])
                _ = try await preferences.set(key: "x", value: .int64(7))
                try await preferences.setFor(key: "brief", value: .int64(8), seconds: 1000)
                try await preferences.saveProfile(name: "kept")
                try await client.addTrigger(id, "shake")
                try await client.addTrigger(id, "screenshot", ["present": .boolean(false)])
                try await client.tools(at: path).declare(tools: [Self.tool("old"), Self.tool("both")])
                for tool in ["old", "both"] {
                    _ = try await client.tools(at: path).set(tool: tool, item: "i", value: .boolean(false))
                    try await client.tools(at: path).update(tool: tool, values: ["n": .int64(3)])
                }
            }
        }

        @Test("shows what was there before, and keeps what was declared meanwhile")
        func comesBack() async throws {
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            try await fill(try TestClient(on: bus))
            try service.stop()
            try takeAway()

            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let client = try TestClient(on: bus)
            #expect(try await client.sentinel.health() == "degraded")
            #expect(try await client.sentinel.listApplications().map(\.id) == ["org.sentinel"])
            let path = try await client.register("com.example.App")
            let preferences = client.preferences(at: path)
            let tools = client.tools(at: path)
            try await preferences.declare(preferences: [.of("new", .int64(3)), .of("x", .int64(2))])
            try await tools.declare(tools: [Self.tool("both"), Self.tool("fresh")])
            #expect(try await preferences.get(key: "x") == .int64(2))
            try await tools.update(tool: "both", values: ["n": .int64(5)])
            // What would be lost with the memory, or come back, is not acknowledged.
            await expectError("org.sentinel.Error.Unavailable") {
                _ = try await tools.set(tool: "both", item: "i", value: .boolean(false))
            }
            await expectError("org.sentinel.Error.Unavailable") { try await tools.remove(tools: ["fresh"]) }
            await expectError("org.sentinel.Error.Unavailable") {
                try await client.addTrigger("com.example.App", "shake")
            }
            let brief: [Key: Value] = ["lifetime": .string("connection")]
            try await client.addTrigger("com.example.App", "shake", brief)

            let items = try await client.record(MatchRule(interface: "org.sentinel.Tools1", member: "ItemChanged"))
            let (signals, subscription) = try await client.recordPreferences("Changed")
            defer { subscription.cancel() }
            try bringBack()
            // The next write finds the database.
            try await client.register("com.example.Late")
            let changes = try await signals.wait(for: 1).map { try PreferenceChangeSignal($0) }
            #expect(changes == [PreferenceChangeSignal(path, ["x"], ["x": .int64(7)])])
            try await waitUntil("all of the database is taken in") {
                try await client.entry(of: "com.example.Gone") != nil
            }
            try await check(client)
            let changed = try items.signals.elements.map { signal in
                var body = signal.body
                return try Tools1.ItemChanged(from: &body)
            }
            #expect(changed.map(\.tool) == ["both"])
            #expect(changed.map(\.items) == [["i"]])
            #expect(try await client.sentinel.health() == "ok")
            try service.stop()

            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            try await check(client)
            try service.stop()
        }

        private func check(_ client: TestClient) async throws {
            let entries = try await client.sentinel.listApplications()
            #expect(
                entries.map(\.id) == ["com.example.App", "com.example.Gone", "com.example.Late", "org.sentinel"])
            #expect(try await client.entry(of: "com.example.App")?.name == "Name of com.example.App")
            let app = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eApp")
            #expect(try await app.list().map(\.key) == ["x", "brief", "other", "new"])
            #expect(
                try await app.getAll() == [
                    "x": .int64(7), "brief": .int64(8), "other": .string(""), "new": .int64(3),
                ])
            #expect(try await app.explain(key: "brief").map(\.layer) == ["temporary", "default"])
            #expect(try await app.explain(key: "x").map(\.value) == [.int64(7), .int64(2)])
            #expect(try await app.profiles() == ["kept"])
            #expect(try await app.history(key: "", options: [:]).map(\.key) == ["brief", "x"])
            let appTools = client.tools(at: app.path)
            #expect(try await appTools.list().map(\.id) == ["old", "both", "fresh"])
            #expect(try await appTools.content(tool: "old").value("i") == .boolean(false))
            #expect(try await appTools.content(tool: "both").value("i") == .boolean(false))
            #expect(try await appTools.content(tool: "both").value("n") == .int64(5))

            let gone = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eGone")
            try await waitUntil("the preferences of the other application are there") {
                try await gone.getAll()["x"] == .int64(7)
            }
            #expect(try await gone.profiles() == ["kept"])
            try await waitUntil("the triggers are there") {
                try await client.sentinel.listTriggers().count == 2 + 4
            }
            for id in ["com.example.App", "com.example.Gone"] {
                let own = try await client.sentinel.listTriggers().filter { $0.application == id }
                #expect(Set(own.map(\.kind)) == ["shake", "screenshot"])
                #expect(own.allSatisfy { $0.attributes["lifetime"] == .string("application") })
                #expect(own.first { $0.kind == "screenshot" }?.attributes["present"] == .boolean(false))
            }
            #expect(try await client.tools(at: gone.path).list().map(\.id) == ["old", "both"])
            let audit = try await client.tools(at: "/org/sentinel").content(tool: "audit").allItems.map(\.title)
            // Of both runs.
            #expect(audit.count { $0 == "org.sentinel.Preferences1.Declare" } == 3)
            #expect(audit.count { $0 == "org.sentinel.Preferences1.SetFor" } == 2)
        }

        @Test("is no fault where the service ends while it is taken in")
        func ending() async throws {
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let client = try TestClient(on: bus)
            for number in 0..<100 {
                try await client.register("com.example.App\(number)", ["name": .string("App")])
            }
            try service.stop()
            try takeAway()
            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            try bringBack()
            try await client.register("com.example.Late")
            #expect(try service.stop() == .exited(0))
            #expect(!service.process.errors.contains("<4>what is kept"))
            #expect(!service.process.errors.contains("closed"))
        }

        @Test("that is new, since the one in use was removed, gets all that is known")
        func removed() async throws {
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let client = try TestClient(on: bus)
            try await fill(client)
            let app = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eApp")
            let (values, explained) = (try await app.getAll(), try await app.explain(key: "brief"))
            try FileManager.default.removeItem(atPath: data)
            try await client.register("com.example.Late")
            try await waitUntil("the application is known to the new database") {
                // Until then nothing can be stored of it; what is answered afterwards comes behind all that was known.
                (try? await app.set(key: "other", value: .string("set"))) == .string("set")
            }
            try service.stop()

            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            #expect(try await app.getAll() == values.merging(["other": .string("set")]) { $1 })
            #expect(try await app.explain(key: "brief").map(\.layer) == explained.map(\.layer))
            #expect(try await app.profiles() == ["kept"])
            let tools = client.tools(at: app.path)
            #expect(try await tools.list().map(\.id) == ["old", "both"])
            for tool in ["old", "both"] {
                #expect(try await tools.content(tool: tool).value("i") == .boolean(false))
                #expect(try await tools.content(tool: tool).value("n") == .int64(3))
            }
            #expect(try await client.entry(of: "com.example.Gone")?.name == "Name of com.example.Gone")
            try service.stop()
        }
    }
}
