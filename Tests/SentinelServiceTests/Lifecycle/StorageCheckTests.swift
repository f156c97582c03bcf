// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@Suite("The check on the command line", .timeLimit(.minutes(5)))
struct StorageCheckTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(_ option: String) async throws -> Command.Result {
        try await Command.run([
            BuiltProducts.path(of: "sentineld"), "--data-dir", directory.path(of: "data"), option,
        ])
    }

    private func makeDatabase() async throws {
        let store = Store.open(location: .directory(directory.path(of: "data")))
        let now = WallClock.system.now()
        let event = Event(
            id: .make(at: now), timestamp: now, type: try Name("test.event"), source: try Name("com.example.App"))
        _ = try await withCheckedContinuation { continuation in
            store.record([event]) { continuation.resume(returning: $0) }
        }.get()
        store.close()
    }

    @Test("says what is wrong with status 65, and finds nothing once all was made anew")
    func findings() async throws {
        try await makeDatabase()
        let good = try await run("--check")
        #expect(good.status == 0)
        #expect(good.output.isEmpty)
        try Connection(.file(directory.path(of: "data") + "/sentinel.db")).execute("DELETE FROM type_rollups")
        let bad = try await run("--check")
        #expect(bad.status == 65)
        #expect(!bad.output.isEmpty)
        #expect(bad.errors.contains("--rebuild"))
        let rebuilt = try await run("--rebuild")
        #expect(rebuilt.status == 0)
        #expect(rebuilt.output == bad.output)
        #expect(try await run("--check").status == 0)
    }

    @Test("ends with status 69 where there is no database, and 74 where it is damaged")
    func failures() async throws {
        for option in ["--check", "--rebuild"] {
            let missing = try await run(option)
            #expect(missing.status == 69)
            #expect(missing.errors.contains("there is no database"))
        }
        try await makeDatabase()
        try Data(repeating: 0x42, count: 10_000).write(
            to: URL(fileURLWithPath: directory.path(of: "data") + "/sentinel.db"))
        for option in ["--check", "--rebuild"] {
            #expect(try await run(option).status == 74)
        }
    }

    @Test("refuses to make anything anew while a store is open")
    func open() async throws {
        try await makeDatabase()
        let store = Store.open(location: .directory(directory.path(of: "data")))
        #expect(try await run("--rebuild").status == 69)
        #expect(try await run("--check").status == 0)
        store.close()
    }
}
