// SPDX-License-Identifier: MIT

/// What may be set for how long events are kept.
enum RetentionRange {
    static let standardDays: UInt32 = 90
    /// 100 years.
    static let longestDays: UInt32 = 36_525
    static let smallestBytes: Int64 = 1 << 20
}
