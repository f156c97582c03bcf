// SPDX-License-Identifier: MIT

import SentinelModels

/// The rule that a time zone follows after its last transition: the value of `TZ` of POSIX.1-2024, 8.3, as RFC 8536,
/// 3.3.1 extends it.
struct ZoneFooter: Sendable {
    /// A day of each year and a time of it.
    struct Moment: Hashable, Sendable {
        enum Date: Hashable, Sendable {
            /// From 1 to 365; 29 February is not counted.
            case julian(Int64)
            /// From 0 to 365; 29 February is counted.
            case ordinal(Int64)
            /// A weekday, Sunday being 0, for the n-th time in a month; 5 for the last time.
            case weekday(Int64, number: Int64, month: Int64)
        }

        var date: Date
        /// Seconds after midnight; negative, or more than a day, where another day is meant.
        var time: Int64 = 7200

        /// Seconds since the epoch on a clock of UTC that shows what this moment's clock shows.
        func seconds(in year: Int64) -> Int64 {
            day(in: year) * 86_400 + time
        }

        private func day(in year: Int64) -> Int64 {
            func start(month: Int64) -> Int64 {
                CalendarDay(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
            }
            switch date {
            case .julian(let day):
                let isLeap = start(month: 3) - start(month: 1) == 60
                return start(month: 1) + day - (isLeap && day >= 60 ? 0 : 1)
            case .ordinal(let day): return start(month: 1) + day
            case .weekday(let weekday, let number, let month):
                let first = CalendarDay(daysSinceEpoch: start(month: month))
                // Weekdays of days count from Monday.
                let firstSuch = first.daysSinceEpoch + (weekday - 1 - Int64(first.weekday)).modulo(7)
                let next = first.firstOfNextMonth.daysSinceEpoch
                let wanted = firstSuch + (number - 1) * 7
                return wanted < next ? wanted : wanted - 7
            }
        }
    }

    /// Daylight saving time.
    struct Saving: Hashable, Sendable {
        /// Seconds east of UTC.
        var offset: Int64
        var start: Moment
        var end: Moment
    }

    /// Seconds east of UTC outside of daylight saving time.
    var standard: Int64
    /// Nil where there is none.
    var saving: Saving?

    func offset(at time: Int64) -> Int64 {
        transitions(around: time).last { $0.time <= time }?.offset ?? standard
    }

    /// The next transition after a time, nil where there is none.
    func nextTransition(after time: Int64) -> ZoneRules.Transition? {
        transitions(around: time).first { $0.time > time }
    }

    /// The transitions of the year of a time, of the one before and the one after. Two that come together are in the
    /// order in which they count.
    private func transitions(around time: Int64) -> [ZoneRules.Transition] {
        guard let saving, saving.offset != standard else { return [] }
        let year = CalendarDay(daysSinceEpoch: (time + standard).floored(by: 86_400)).components.year
        var found: [ZoneRules.Transition] = []
        for year in (year - 1)...(year + 1) {
            let start = ZoneRules.Transition(
                time: saving.start.seconds(in: year) - standard, offset: saving.offset)
            let end = ZoneRules.Transition(
                time: saving.end.seconds(in: year) - saving.offset, offset: standard)
            found += start.time <= end.time ? [start, end] : [end, start]
        }
        return found
    }
}

extension ZoneFooter {
    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for what is none.
    init?(parsing text: [UInt8]) {
        var scanner = Scanner(bytes: text[...])
        guard scanner.skipName(), let west = scanner.offset(upTo: 24) else { return nil }
        standard = -west
        guard !scanner.isAtEnd else { return }
        guard scanner.skipName() else { return nil }
        var offset = standard + 3600
        if !scanner.isAtEnd, scanner.next != UInt8(ascii: ",") {
            guard let west = scanner.offset(upTo: 24) else { return nil }
            offset = -west
        }
        if scanner.isAtEnd {
            // POSIX leaves the rule open; the C library takes that of the United States.
            scanner = Scanner(bytes: Array(",M3.2.0,M11.1.0".utf8)[...])
        }
        guard scanner.skip(","), let start = scanner.moment(), scanner.skip(","), let end = scanner.moment(),
            scanner.isAtEnd
        else { return nil }
        saving = Saving(offset: offset, start: start, end: end)
    }

    private struct Scanner {
        var bytes: ArraySlice<UInt8>

        var isAtEnd: Bool { bytes.isEmpty }
        var next: UInt8? { bytes.first }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        /// Skips the abbreviation of a time: letters, or anything between `<` and `>`.
        mutating func skipName() -> Bool {
            if skip("<") {
                bytes = bytes.drop { $0 != UInt8(ascii: ">") }
                return skip(">")
            }
            let rest = bytes.drop { $0.isASCIILetter }
            defer { bytes = rest }
            return rest.count < bytes.count
        }

        mutating func number(upTo most: Int64) -> Int64? {
            let digits = bytes.prefix { $0.isASCIIDigit }
            guard (1...4).contains(digits.count) else { return nil }
            bytes.removeFirst(digits.count)
            let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            return number <= most ? number : nil
        }

        /// Reads `[+-]hh[:mm[:ss]]` as seconds.
        mutating func offset(upTo hours: Int64) -> Int64? {
            let isNegative = skip("-")
            if !isNegative {
                _ = skip("+")
            }
            guard var seconds = number(upTo: hours).map({ $0 * 3600 }) else { return nil }
            for unit: Int64 in [60, 1] where skip(":") {
                guard let part = number(upTo: 59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func moment() -> Moment? {
            guard let date = date() else { return nil }
            guard skip("/") else { return Moment(date: date) }
            // RFC 8536, 3.3.1 has more hours than POSIX.
            return offset(upTo: 167).map { Moment(date: date, time: $0) }
        }

        private mutating func date() -> Moment.Date? {
            if skip("J") {
                return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil }
            }
            guard skip("M") else { return number(upTo: 365).map { .ordinal($0) } }
            guard let month = number(upTo: 12), month > 0, skip("."), let count = number(upTo: 5), count > 0, skip("."),
                let weekday = number(upTo: 6)
            else { return nil }
            return .weekday(weekday, number: count, month: month)
        }
    }
}
