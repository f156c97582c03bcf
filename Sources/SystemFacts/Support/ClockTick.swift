// SPDX-License-Identifier: MIT

import Glibc

/// The unit of times in proc(5), mostly a hundredth of a second (`_SC_CLK_TCK` of sysconf(3)).
enum ClockTick {
    static let perSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    /// So many ticks in nanoseconds; nil if that does not fit.
    static func nanoseconds(_ ticks: UInt64) -> UInt64? {
        let (whole, isTooLarge) = (ticks / perSecond).multipliedReportingOverflow(by: 1_000_000_000)
        let part = (ticks % perSecond) &* (1_000_000_000 / perSecond)
        let (sum, isStillTooLarge) = whole.addingReportingOverflow(part)
        return isTooLarge || isStillTooLarge ? nil : sum
    }
}
