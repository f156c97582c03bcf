// SPDX-License-Identifier: MIT

extension Duration {
    /// The duration in whole microseconds, the unit of timestamps, cut towards zero. One that is too long for that is
    /// the longest that fits.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLongWithRest) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard !isTooLong, !isTooLongWithRest else { return seconds < 0 ? .min : .max }
        return sum
    }
}
