// SPDX-License-Identifier: MIT

/// The lengths of time by which events are rolled up. Each unit of a tier lies in one unit of the next; days are those
/// of UTC.
enum RollupTier: Int64, CaseIterable, Sendable {
    /// 15 minutes: all time zones are whole quarters of an hour away from UTC since 1972.
    case quarter = 0
    case hour = 1
    case day = 2

    /// Length of a quarter in microseconds.
    static let quarterLength: Int64 = 900 * 1_000_000

    /// Length of a unit in quarters.
    var quarters: Int64 {
        switch self {
        case .quarter: 1
        case .hour: 4
        case .day: 96
        }
    }

    /// Length of a unit in microseconds.
    var length: Int64 {
        quarters * Self.quarterLength
    }

    /// The tier whose units are made of those of this one.
    var parent: RollupTier? {
        RollupTier(rawValue: rawValue + 1)
    }

    /// The tier of whose units those of this one are made.
    var child: RollupTier? {
        RollupTier(rawValue: rawValue - 1)
    }

    /// Start of the unit that holds a time at or after the epoch, in microseconds.
    func start(of microseconds: Int64) -> Int64 {
        microseconds - microseconds % length
    }

    /// The first start of a unit at or after a time.
    func firstStart(from microseconds: Int64) -> Int64 {
        start(of: microseconds + length - 1)
    }
}
