// SPDX-License-Identifier: MIT

import Glibc

/// A day of the calendar.
struct CalendarDay: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    let description: String

    /// The day of a date in ISO 8601, `2024-05-31` or with a time behind; nil for what is none.
    init?(_ text: String) {
        let parts = text.utf8.prefix(10).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let following = text.utf8.dropFirst(10).first
        guard parts.map(\.utf8.count) == [4, 2, 2], following == nil || following == UInt8(ascii: "T"),
            parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let month = parts.dropFirst().first.flatMap({ Int($0) }), (1...12).contains(month),
            let number = parts.last.flatMap({ Int($0) }), (1...31).contains(number)
        else { return nil }
        description = parts.joined(separator: "-")
    }

    /// The day of a time, UTC; nil outside the years 0 to 9999.
    init?(secondsSinceEpoch: Int64) {
        var seconds = time_t(secondsSinceEpoch)
        var parts = tm()
        guard (-62_135_596_800...253_402_300_799).contains(secondsSinceEpoch), gmtime_r(&seconds, &parts) != nil else {
            return nil
        }
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        description = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    }
}
