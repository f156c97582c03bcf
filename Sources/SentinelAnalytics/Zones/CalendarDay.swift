// SPDX-License-Identifier: MIT

public import SentinelModels

/// A day of the proleptic Gregorian calendar, in no time zone yet.
public struct CalendarDay: Hashable, Comparable, Sendable {
    /// The local days of times that can be kept: 1972-01-31 to 2200-01-01.
    public static let range = CalendarDay(daysSinceEpoch: 760)...CalendarDay(daysSinceEpoch: 84_006)

    /// Days since 1970-01-01.
    public let daysSinceEpoch: Int64

    /// The day that many days after 1970-01-01.
    public init(daysSinceEpoch: Int64) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// The day of a year, a month from 1 and a day of the month from 1; nil where the month has no such day.
    public init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let first = Self.days(toYear: year, month: month)
        let next = month == 12 ? Self.days(toYear: year + 1, month: 1) : Self.days(toYear: year, month: month + 1)
        guard day <= next - first else { return nil }
        daysSinceEpoch = first + day - 1
    }

    /// Reads `2026-03-29`.
    ///
    /// - Throws: `invalidArgs` for another form, a day that the calendar has not, and one out of ``range``.
    public init(parsing text: String) throws(SentinelError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // Four digits at most: no number of them is too large.
        let isForm = parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
        let numbers = isForm ? parts.map { $0.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } } : [0, 0, 0]
        guard let found = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            throw SentinelError(.invalidArgs, "day: expected one of the calendar in the form 2026-03-29")
        }
        guard Self.range.contains(found) else {
            throw SentinelError(
                .invalidArgs, "day \(found): expected one from \(Self.range.lowerBound) to \(Self.range.upperBound)")
        }
        self = found
    }

    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }

    /// The day so many days later.
    public func adding(days: Int64) -> CalendarDay {
        CalendarDay(daysSinceEpoch: daysSinceEpoch + days)
    }

    /// Days since Monday: 0 to 6.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        Int((daysSinceEpoch + 3).modulo(7))
    }

    /// Year, month from 1 and day of the month from 1.
    public var components: (year: Int64, month: Int64, day: Int64) {
        // Years that begin in March have their leap day last; an era is 400 of them.
        let days = daysSinceEpoch + 719_468
        let dayOfEra = days.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + (days - dayOfEra) / 146_097 * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// The first day of its month.
    public var firstOfMonth: CalendarDay {
        adding(days: 1 - components.day)
    }

    /// The first day of the month after its own.
    public var firstOfNextMonth: CalendarDay {
        firstOfMonth.adding(days: 31).firstOfMonth
    }

    /// The Monday on or before it.
    public var firstOfWeek: CalendarDay {
        adding(days: -Int64(weekday))
    }

    private static func days(toYear year: Int64, month: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let shifted = month <= 2 ? month + 9 : month - 3
        let yearOfEra = shiftedYear.modulo(400)
        let dayOfYear = (153 * shifted + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (shiftedYear - yearOfEra) / 400 * 146_097 + dayOfEra - 719_468
    }
}

extension CalendarDay: CustomStringConvertible {
    /// ISO 8601: `2026-03-29`.
    public var description: String {
        let (year, month, day) = components
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

extension Int64 {
    /// The remainder of a division that rounds down, which is never negative.
    func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    /// The quotient of a division that rounds down.
    func floored(by divisor: Int64) -> Int64 {
        (self - modulo(divisor)) / divisor
    }
}
