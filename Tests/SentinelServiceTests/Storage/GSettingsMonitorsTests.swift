// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

@Suite("Monitors of GSettings", .timeLimit(.minutes(5)))
struct GSettingsMonitorsTests {
    /// Watches a schema by a program that ends at once, until it was started so often.
    private static func run(steady: Duration, startCount: Int) async throws {
        let loop = try EventLoop.startThread(named: "monitors")
        let pool = ReadingPool("test", places: 1, loop: loop)
        let (starts, problems) = (Recorder<Void>(), Recorder<[String: String]>())
        let restarts = GSettingsMonitors.Restarts(
            delays: [.milliseconds(1), .milliseconds(2), .milliseconds(3)], steady: steady)
        let monitors = GSettingsMonitors(on: loop, pool: pool, restarts: restarts) { () throws(SentinelError) in
            starts.append(())
            return try HelperProgram("true")
        }
        loop.enqueue {
            monitors.problemsChanged = { [unowned monitors] in problems.append(monitors.problems) }
            monitors.watch("com.example.Schema")
        }
        try await starts.wait(for: startCount)
        try await waitUntil("its end is told") { problems.elements.last?.isEmpty == false }
        loop.enqueue {
            monitors.keep([])
            pool.stop()
        }
        loop.stop()
    }

    @Test("are started again as often as there are delays")
    func delays() async throws {
        try await Self.run(steady: .seconds(3600), startCount: 4)
    }

    @Test("are started again for ever where they go on for long enough")
    func steady() async throws {
        try await Self.run(steady: .zero, startCount: 12)
    }
}
