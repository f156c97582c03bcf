// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

/// A process that writes is killed at random moments.
@Suite("A process that is killed while it stores events", .timeLimit(.minutes(60)))
struct EventCrashTests {
    private static let rounds = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] == "1" ? 200 : 10

    /// What a process said that it had done.
    private struct Report {
        var stored: Set<String> = []
        var doubtful: Set<String> = []
        var deleted: Set<String> = []

        init(_ output: String) {
            // The last line may be cut.
            for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let id = String(line.dropFirst(2))
                switch line.first {
                case "+":
                    stored.insert(id)
                    deleted.remove(id)
                case "?": doubtful.insert(id)
                case "-": deleted.insert(id)
                default: Issue.record("unexpected line: \(line)")
                }
            }
        }
    }

    @Test("loses nothing that was acknowledged, and leaves rollups that fit the events")
    func kill() async throws {
        let fixture = try StoreFixture()
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var stored: Set<String> = []
        for round in 0..<Self.rounds {
            let child = try ChildProcess([BuiltProducts.path(of: "StoreChild"), fixture.directory])
            let lines = Int.random(in: 1..<600, using: &random)
            try await waitUntil("\(lines) lines in round \(round)") {
                guard child.ending == nil else { throw TestSupportError("the child ended: \(child.errors)") }
                return child.output.utf8.count > lines * 39
            }
            child.send(SIGKILL)
            #expect(try child.waitForEnd() == .killed(signal: SIGKILL))
            let report = Report(child.output)
            let store = fixture.open()
            #expect(store.health.state == .ok)
            let present = Set(try await store.allEvents().map(\.id.description))
            stored = stored.union(report.stored).subtracting(report.doubtful)
            #expect(stored.subtracting(present).isEmpty, "round \(round)")
            #expect(report.deleted.intersection(present).isEmpty, "round \(round)")
            #expect(try await store.findings() == [], "round \(round)")
            #expect(store.eventCount == UInt64(present.count))
            store.close()
        }
        let connection = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        #expect(try connection.quickCheck() == [])
    }
}
