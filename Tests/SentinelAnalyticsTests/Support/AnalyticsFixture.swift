// SPDX-License-Identifier: MIT

import Locking
import SentinelModels
import SentinelPersistence
import TestSupport

@testable import SentinelAnalytics

/// A store in a directory of its own with a clock that is set by hand, and what answers questions about it.
final class AnalyticsFixture: Sendable {
    private let directory: TemporaryDirectory
    private let time: Guarded<Timestamp>
    let store: Store
    let analytics: Analytics

    /// - Parameter now: what the clock shows at first.
    init(now: Timestamp) throws {
        directory = try TemporaryDirectory()
        let time = Guarded(now)
        self.time = time
        let clock = WallClock { time.withLock { $0 } }
        store = Store.open(location: .directory(directory.path(of: "data")), clock: clock)
        analytics = Analytics(store: store, zones: ZoneDatabase { "UTC" }, clock: clock)
    }

    var now: Timestamp {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Waits for an answer.
    static func wait<Answer: Sendable>(
        _ ask: (@escaping Analytics.Completion<Answer>) -> Void
    ) async throws -> Answer {
        try await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }.get()
    }

    func record(_ events: [Event]) async throws {
        _ = try await Self.wait { store.record(events, completion: $0) }
    }
}
