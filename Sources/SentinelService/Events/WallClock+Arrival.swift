// SPDX-License-Identifier: MIT

import SentinelModels

extension WallClock {
    /// The time at a moment that is just over.
    func time(at moment: ContinuousClock.Instant) -> Timestamp {
        Timestamp(clamping: now().microseconds - (ContinuousClock.now - moment).microseconds)
    }
}
