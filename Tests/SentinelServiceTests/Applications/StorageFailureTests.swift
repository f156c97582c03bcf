// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite(
        "Storage that fails", .serialized, .timeLimit(.minutes(5)),
        .enabled(if: geteuid() == 0, "mounting a small file system is root's"))
    struct StorageFailureTests {
        /// A file system in memory, mounted as long as it is referenced.
        private final class SmallFileSystem: Sendable {
            let directory: TemporaryDirectory

            init(kibibytes: Int) async throws {
                directory = try TemporaryDirectory()
                let result = try await Command.run(
                    ["mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "tmpfs", directory.path])
                guard result.status == 0 else { throw TestSupportError(result.errors) }
            }

            deinit {
                umount2(directory.path, Int32(MNT_DETACH))
            }

            /// Takes all the room that is left, or gives it back.
            func fill(_ isFull: Bool) throws {
                let filler = directory.path(of: "filler")
                guard isFull else { return try FileManager.default.removeItem(atPath: filler) }
                let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                defer { close(descriptor) }
                let block = [UInt8](repeating: 1, count: 1024)
                while write(descriptor, block, block.count) > 0 {}
            }
        }

        @Test("a full disk is told to the caller, who is not registered, and passes")
        func fullDisk() async throws {
            let disk = try await SmallFileSystem(kibibytes: 1024)
            let bus = try PrivateBus()
            let service = try await SentinelProcess.started(on: bus, dataDirectory: disk.directory.path(of: "data"))
            let client = try TestClient(on: bus)
            let text = Value.string(String(repeating: "x", count: 1000))
            try await client.register("com.example.Before", ["name": .string("Before")])
            let health = try await client.recordChanges()

            try disk.fill(true)
            let full: ErrorName = "org.sentinel.Error.StorageFull"
            let more: [Key: Value] = ["name": text, "icon": text, "version": text, "build": text]
            // The log may have room that it has got hold of before.
            await expectError(full) {
                for number in 0..<200 {
                    try await client.register("com.example.Filler\(number)", more)
                }
            }
            let changes = try await client.record(MatchRule(interface: "org.freedesktop.DBus.ObjectManager"))
            await expectError(full) { try await client.register("com.example.New", more) }
            #expect(try await client.entry(of: "com.example.New") == nil)
            await expectError(full) { try await client.register("com.example.Before", more) }
            #expect(try await client.entry(of: "com.example.Before")?.name == "Before")
            let event: [Key: Value] = ["data": .options(["pad": .bytes([UInt8](repeating: 1, count: 20_000))])]
            await expectError(full) { try await client.record("test", event) }
            #expect(try await client.events.count(filter: ["type": .string("test")]) == 0)
            // What changes nothing needs no disk.
            try await client.register("com.example.Before", ["name": .string("Before")])
            #expect(changes.signals.count == 0)
            #expect(try await client.sentinel.health() == "degraded")
            let details = try await client.sentinel.healthDetails()
            #expect(try [String](#require(details["storage"])).contains { $0.contains("full") })

            try disk.fill(false)
            try await client.register("com.example.New", ["name": text])
            #expect(try await client.entry(of: "com.example.New")?.running == true)
            let id = try await client.record("test", event)
            #expect(try await client.event(id: id).type == "test")
            #expect(try await client.sentinel.health() == "ok")
            #expect(try await client.sentinel.healthDetails() == [:])
            try await client.roundTrip()
            let said = try health.signals.elements.map { try PropertyChange($0) }
                .filter { $0.interface == "org.sentinel.Sentinel1" }
            #expect(said.compactMap { $0.changed["Health"] } == [.string("degraded"), .string("ok")])
            #expect(said.allSatisfy { $0.path == "/org/sentinel" })
            #expect(try service.stop() == .exited(0))
        }

        @Test("a manifest that has met a full disk is taken when there is room again, and the reason told till then")
        func manifest() async throws {
            let disk = try await SmallFileSystem(kibibytes: 1024)
            let (bus, tree) = (try PrivateBus(), try FileTree())
            let service = try await SentinelProcess.started(
                on: bus, dataDirectory: disk.directory.path(of: "data"),
                environment: ["XDG_DATA_HOME": tree.path("home"), "XDG_DATA_DIRS": tree.path("system")])
            let client = try TestClient(on: bus)
            try await client.register("com.example.Before")
            try disk.fill(true)
            let text = Value.string(String(repeating: "x", count: 1000))
            await expectError("org.sentinel.Error.StorageFull") {
                for number in 0..<200 {
                    try await client.register("com.example.Filler\(number)", ["name": text, "icon": text])
                }
            }
            try tree.write(
                "home/sentinel/apps/com.example.Manifest.json",
                """
                {"application": {"id": "com.example.Manifest"}, "preferences": [{"key": "a", "default": 1}]}
                """)
            try await waitUntil("it is said why") {
                let findings = try await client.sentinel.healthDetails()["manifests"].map { try [String]($0) } ?? []
                return findings.count == 1 && findings[0].contains("the disk is full")
            }
            let preferences = client.preferences(at: "/org/sentinel/apps/com_2eexample_2eManifest")
            #expect(try await preferences.list().isEmpty)

            try disk.fill(false)
            try await client.register("com.example.New", ["name": text])
            try await waitUntil("it is taken") { try await preferences.list().map(\.key) == ["a"] }
            try await waitUntil("nothing is said any more") { try await client.sentinel.healthDetails() == [:] }
            #expect(try service.stop() == .exited(0))
        }

        @Test("a read-only disk is told, and what is on it is shown")
        func readOnlyDisk() async throws {
            let disk = try await SmallFileSystem(kibibytes: 4096)
            let bus = try PrivateBus()
            let data = disk.directory.path(of: "data")
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let client = try TestClient(on: bus)
            try await client.register("com.example.App", ["name": .string("App")])
            #expect(try service.stop() == .exited(0))
            let remount = try await Command.run(["mount", "-o", "remount,ro", disk.directory.path])
            #expect(remount.status == 0)

            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            #expect(try await client.sentinel.health() == "degraded")
            let details = try await client.sentinel.healthDetails()
            #expect(try [String](#require(details["storage"])).contains { $0.contains("read-only") })
            #expect(try await client.entry(of: "com.example.App")?.name == "App")
            try await client.register("com.example.App")
            await expectError("org.sentinel.Error.Unavailable") { try await client.register("com.example.New") }
            #expect(try await client.entry(of: "com.example.New") == nil)
            let path: ObjectPath = "/org/sentinel/apps/com_2eexample_2eApp"
            await expectError("org.sentinel.Error.Unavailable") {
                try await client.preferences(at: path).declare(preferences: [.of("a", .int64(1))])
            }
            await expectError("org.sentinel.Error.Unavailable") {
                try await client.tools(at: path).declare(tools: [ToolDeclaration("t", [])])
            }
            #expect(try service.stop() == .exited(0))
        }
    }
}
