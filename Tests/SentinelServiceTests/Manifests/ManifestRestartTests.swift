// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Manifests after a restart", .serialized, .timeLimit(.minutes(5)))
    struct ManifestRestartTests {
        private static let id = "com.example.Manifest"
        private static let path: ObjectPath = "/org/sentinel/apps/com_2eexample_2eManifest"

        private let bus: PrivateBus
        private let tree: FileTree
        private let client: TestClient

        init() throws {
            bus = try PrivateBus()
            tree = try FileTree()
            client = try TestClient(on: bus)
        }

        private var preferences: Preferences1Proxy { client.preferences(at: Self.path) }

        private func start() async throws -> SentinelProcess {
            try await SentinelProcess.started(
                on: bus, dataDirectory: tree.path("data"),
                environment: ["XDG_DATA_HOME": tree.path("home"), "XDG_DATA_DIRS": tree.path("system")])
        }

        private func write(_ directory: String, _ preferences: String) throws {
            try tree.write(
                "\(directory)/sentinel/apps/\(Self.id).json",
                #"{"application": {"id": "\#(Self.id)"}, "preferences": [\#(preferences)]}"#)
        }

        private func findings() async throws -> [String] {
            guard let value = try await client.sentinel.healthDetails()["manifests"] else { return [] }
            return try [String](value)
        }

        /// Starts the service with a manifest of the user's, and sets what it declares.
        private func set() async throws -> SentinelProcess {
            try write("home", #"{"key": "mine", "name": "Mine", "default": 1}"#)
            let service = try await start()
            try await waitUntil("the preference is there") {
                guard try await client.entry(of: Self.id) != nil else { return false }
                return try await preferences.list().map(\.key) == ["mine"]
            }
            #expect(try await preferences.set(key: "mine", value: .byte(5)) == .int64(5))
            return service
        }

        @Test(
            "whose directory cannot be read keep what was set, and are declared again once it can",
            arguments: [false, true])
        func unreadable(hasOther: Bool) async throws {
            var service = try await set()
            try service.stop()
            if hasOther {
                try write("system", #"{"key": "theirs", "name": "Theirs", "default": 1}"#)
            }
            let (place, aside) = (tree.path("home/sentinel/apps"), tree.path("home/sentinel/aside"))
            try FileManager.default.moveItem(atPath: place, toPath: aside)
            try tree.link("home/sentinel/apps", to: "apps")
            service = try await start()
            try await waitUntil("it is reported") {
                try await findings().contains { $0.contains(place) && $0.contains("cannot be read") }
            }
            #expect(try await preferences.list().map(\.key) == ["mine"])
            #expect(try await preferences.get(key: "mine") == .int64(5))
            // In one step, since without a directory there is nothing that declares.
            try tree.link("home/sentinel/found", to: "aside")
            try #require(rename(tree.path("home/sentinel/found"), place) == 0)
            try await waitUntil("nothing is left to report") { try await findings() == [] }
            #expect(try await preferences.get(key: "mine") == .int64(5))
            // Once it is known to be gone, so is what it declared.
            try FileManager.default.removeItem(atPath: place)
            try await waitUntil("the preference is gone") {
                guard try await client.entry(of: Self.id) != nil else { return true }
                return try await preferences.list().map(\.key) == (hasOther ? ["theirs"] : [])
            }
            #expect(try service.stop() == .exited(0))
        }

        @Test("that have become bad meanwhile keep what was set, though the system has another one")
        func bad() async throws {
            var service = try await set()
            try service.stop()
            try write("system", #"{"key": "theirs", "name": "Theirs", "default": 1}"#)
            try tree.write("home/sentinel/apps/\(Self.id).json", "{")
            service = try await start()
            try await waitUntil("it is reported") { try await findings().contains { $0.contains("line 1") } }
            #expect(try await preferences.list().map(\.key) == ["mine"])
            #expect(try await preferences.get(key: "mine") == .int64(5))
            try write("home", #"{"key": "mine", "name": "Again", "default": 1}"#)
            try await waitUntil("it is declared again") { try await preferences.list().map(\.name) == ["Again"] }
            #expect(try await preferences.get(key: "mine") == .int64(5))
            #expect(try service.stop() == .exited(0))
        }

        @Test("leave live preferences that the application has declared itself to its provider")
        func ownLive() async throws {
            let service = try await start()
            var behaviour = TestProvider.Behaviour()
            behaviour.readPreference = { _, reply in reply(.byte(7)) }
            let provider = try await TestProvider(Self.id, on: bus, behaviour)
            try await preferences.declare(preferences: [.of("own", .int64(1), ["live": .boolean(true)])])
            let file = try tree.write("settings", "OWN=3\nFILE=4\n")
            let storage = ["own": "OWN", "file": "FILE"].map { key, name in
                #"""
                {"key": "\#(key)", "name": "K", "default": 1,
                 "storage": {"file": {"path": "\#(file)", "format": "env", "key": "\#(name)"}}}
                """#
            }
            try write("home", storage.joined(separator: ","))
            try await waitUntil("the manifest is read") {
                try await Set(preferences.list().map(\.key)) == ["own", "file"]
            }
            #expect(try await preferences.get(key: "file") == .int64(4))
            #expect(try await preferences.get(key: "own") == .int64(7))
            try await preferences.declare(preferences: [.of("file", .int64(1), ["live": .boolean(true)])])
            #expect(try await preferences.get(key: "file") == .int64(7))
            provider.end()
            #expect(try service.stop() == .exited(0))
        }

        @Test("have values in files of which one that is bad says nothing of the others")
        func oneBad() async throws {
            let file = try tree.write("settings", "A=3\nB=4\n")
            let storage = ["A", "B"].map { key in
                #"""
                {"key": "\#(key)", "name": "K", "default": 1, "max": 100,
                 "storage": {"file": {"path": "\#(file)", "format": "env", "key": "\#(key)"}}}
                """#
            }
            try write("home", storage.joined(separator: ","))
            let service = try await start()
            try await waitUntil("the values are known") {
                guard try await client.entry(of: Self.id) != nil else { return false }
                return try await preferences.list().map(\.value) == [.int64(3), .int64(4)]
            }
            for text in ["A=1000\nB=5\n", "A=x\nB=6\n"] {
                try tree.write("settings", text)
                let value: Value = text.contains("5") ? .int64(5) : .int64(6)
                try await waitUntil("the other value is known") {
                    let list = try await preferences.list()
                    return list.map(\.value) == [.int64(3), value]
                        && list.map { $0.attributes["stale"] } == [.boolean(true), nil]
                }
            }
            #expect(try service.stop() == .exited(0))
        }
    }
}
