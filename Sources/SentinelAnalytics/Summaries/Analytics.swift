// SPDX-License-Identifier: MIT

import Locking
public import SentinelModels
public import SentinelPersistence

/// Answers questions about recorded events: exact, from what is rolled up of them.
///
/// Completions are called once, on the queue on which was read, which has utility quality of service and is neither held
/// up by what is written nor by ad-hoc queries. What fails, fails with an error: nothing is ever an empty answer because
/// it could not be read.
///
/// Windows are half-open, in microseconds since the Unix epoch. An event is counted in the window in which it starts;
/// its duration is clipped to the window. Where a window holds the present, events that are open count as lasting until
/// now.
public final class Analytics: Sendable {
    /// Called once with the answer, or why there is none.
    public typealias Completion<Answer> = @Sendable (Result<Answer, SentinelError>) -> Void

    /// The time zones that are known.
    public let zones: ZoneDatabase
    let store: Store
    let clock: WallClock
    let cache = SummaryCache()

    /// Answers from a store.
    public init(store: Store, zones: ZoneDatabase, clock: WallClock = .system) {
        self.store = store
        self.zones = zones
        self.clock = clock
        store.onTimesChange { [cache] in cache.note($0) }
    }

    /// Reads for an answer about a window.
    ///
    /// - Parameter isLong: whether it may take so long that what is to be answered at once must not wait for it.
    func read<Answer: Sendable>(
        _ window: Range<Int64>, isLong: Bool = false, _ cancellation: ReadCancellation?,
        _ body: @escaping @Sendable (SummaryReading) throws -> Answer, completion: @escaping Completion<Answer>
    ) {
        let now = clock.now()
        store.summarize(isLong: isLong, cancellation: cancellation) { reading in
            try Self.take(now, into: &reading, for: window)
            return try body(reading)
        } completion: {
            completion($0)
        }
    }

    /// Has open events count where a window holds the present.
    static func take(_ now: Timestamp, into reading: inout SummaryReading, for window: Range<Int64>) throws {
        if window.contains(now.microseconds) {
            try reading.take(present: now)
        }
    }
}
