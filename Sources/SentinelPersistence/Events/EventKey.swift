// SPDX-License-Identifier: MIT

import SQLite

/// The key of an event's row: a UUID of version 7 (RFC 9562) whose 12 bits after the version hold the microseconds
/// within the millisecond, so that a range of time is a range of keys.
struct EventKey: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch in 48 bits, the version in 4, microseconds within the millisecond in 12.
    let high: UInt64
    /// The variant in 2 bits, then 62 that tell events of the same microsecond apart.
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The least key of the events that start at a time or later, not itself one of an event. A time that does
    /// not fit is taken for the nearest that does.
    init(lowerBound microseconds: Int64) {
        let time = UInt64(min(max(microseconds, 0), (1 << 48) * 1000 - 1))
        self.init(high: ((time / 1000) << 16) | 0x7000 | (time % 1000), low: 0)
    }

    /// When its event starts, in microseconds since the Unix epoch.
    var microseconds: Int64 {
        Int64(high >> 16) * 1000 + Int64(high & 0xFFF)
    }

    static func < (left: EventKey, right: EventKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension EventKey: StatementValue {
    func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        try statement.bind(sixteenBytes: high, low, at: index)
    }

    static func column(_ index: Int, of statement: Statement) throws(SQLiteError) -> EventKey {
        let (high, low) = try statement.sixteenBytes(at: index)
        return EventKey(high: high, low: low)
    }
}
