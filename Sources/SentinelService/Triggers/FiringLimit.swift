// SPDX-License-Identifier: MIT

/// Lets something happen so often within a second, wherever that second begins.
struct FiringLimit {
    /// So often within a second.
    static let mostInASecond = 10

    /// When it has happened the last times, the earliest at `oldest`.
    private var times: [ContinuousClock.Instant] = []
    private var oldest = 0

    /// Whether it may happen now; if so, it counts.
    mutating func admits(at now: ContinuousClock.Instant) -> Bool {
        guard times.count == Self.mostInASecond else {
            times.append(now)
            return true
        }
        guard now - times[oldest] >= .seconds(1) else { return false }
        times[oldest] = now
        oldest = (oldest + 1) % Self.mostInASecond
        return true
    }
}
