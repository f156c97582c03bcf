// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// A path that leads to a file system that does not answer keeps whoever asks for it in the kernel, also who only
    /// wants to be told of changes.
    @Suite(
        "Manifests with paths that hang", .serialized,
        .enabled(if: HangingFileSystem.isPossible, "only root may mount"), .timeLimit(.minutes(5)))
    struct HangingManifestTests {
        private let fixture: FactsFixture
        private let files: HangingFileSystem
        private var client: TestClient { fixture.client }
        private var tree: FileTree { fixture.tree }

        init() async throws {
            fixture = try await FactsFixture()
            files = try HangingFileSystem(without: fixture.service.process.identifier)
        }

        private func write(_ directory: String, _ name: String, _ file: String) throws {
            try tree.write(
                "\(directory)/sentinel/apps/com.example.\(name).json",
                #"""
                {"application": {"id": "com.example.\#(name)"}, "preferences": [{"key": "a", "name": "A", "default": 0,
                 "storage": {"file": {"path": "\#(file)", "format": "env", "key": "A"}}}]}
                """#)
        }

        private func waitForValue(_ value: Int64) async throws {
            try await waitUntil("the value is \(value)") {
                guard try await client.entry(of: "com.example.Fine") != nil else { return false }
                return try await client.preferences(at: "/org/sentinel/apps/com_2eexample_2eFine").list().first?.value
                    == .int64(value)
            }
        }

        private func findings() async throws -> [String] {
            guard let value = try await client.sentinel.healthDetails()["manifests"] else { return [] }
            return try [String](value)
        }

        @Test("files of settings hold up neither the service nor what is watched and read beside them")
        func settings() async throws {
            try write("home", "Dead", "\(files.path)/file")
            try await waitUntil("the file is looked at") { files.waitingCount(for: .lookup) == 1 }
            try tree.write("settings", "A=1\n")
            try write("home", "Fine", tree.path("settings"))
            try await waitForValue(1)
            for value in Int64(2)...3 {
                try tree.write("settings", "A=\(value)\n")
                try await waitForValue(value)
            }
            files.end()
            try fixture.stop()
        }

        @Test("a directory that hangs is said not to answer, and holds up none beside it")
        func directory() async throws {
            try tree.link("home/sentinel/apps", to: files.path)
            try await waitUntil("the directory is opened") { files.waitingCount(for: .openDirectory) == 1 }
            try tree.write("settings", "A=1\n")
            try write("system", "Fine", tree.path("settings"))
            try await waitForValue(1)
            #expect(try await findings().contains { $0.contains("home/sentinel/apps") && $0.contains("not answer") })
            try tree.write("other", "A=2\n")
            try write("system", "Fine", tree.path("other"))
            try await waitForValue(2)
            files.end()
            try FileManager.default.removeItem(atPath: tree.path("home/sentinel/apps"))
            try await waitUntil("nothing is left to report") { try await findings() == [] }
            try fixture.stop()
        }
    }
}
