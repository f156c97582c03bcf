// SPDX-License-Identifier: MIT

import SentinelPersistence

/// How many events start in a window of time, and how long events last in it.
public struct Amount: Hashable, Sendable {
    /// Events that start in the window.
    public var count: UInt64
    /// Microseconds: the sum of the durations, each clipped to the window.
    public var duration: Int128

    /// An amount, of nothing if nothing else is said.
    public init(count: UInt64 = 0, duration: Int128 = 0) {
        self.count = count
        self.duration = duration
    }

    init(_ tally: RollupReader.Tally) {
        self.init(count: UInt64(clamping: tally.count), duration: tally.duration)
    }

    /// The duration in seconds.
    public var seconds: Double { Double(duration) / 1_000_000 }

    static func + (left: Amount, right: Amount) -> Amount {
        let (sum, isTooLarge) = left.count.addingReportingOverflow(right.count)
        return Amount(count: isTooLarge ? .max : sum, duration: left.duration + right.duration)
    }
}
