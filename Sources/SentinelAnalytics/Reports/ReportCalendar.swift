// SPDX-License-Identifier: MIT

import SentinelModels

/// Times as the clocks of a report's zone show them, in English.
struct ReportCalendar: Sendable {
    let zone: Zone
    /// Whether the offset changes in the report's window, so that a time of day can be two moments.
    let showsOffsets: Bool
    /// Whether a time of day of the window can be of more than one day.
    let hasDays: Bool

    init(_ window: Range<Int64>, _ zone: Zone) {
        self.zone = zone
        let start = max(window.lowerBound, -Zone.day)
        showsOffsets = zone.nextChange(after: start).map { $0 < window.upperBound } ?? false
        hasDays = zone.day(at: window.lowerBound) != zone.day(at: max(window.lowerBound, window.upperBound - 1))
    }

    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    // MARK: Days

    /// `March`.
    static func month(of day: CalendarDay) -> String {
        months[Int((day.components.month - 1).modulo(12))]
    }

    /// `Monday`.
    static func weekday(of day: CalendarDay) -> String {
        weekdays[day.weekday]
    }

    /// `9 March 2026`.
    static func date(_ day: CalendarDay) -> String {
        "\(day.components.day) \(month(of: day)) \(day.components.year)"
    }

    /// `9 Mar`.
    static func shortDate(_ day: CalendarDay) -> String {
        "\(day.components.day) \(month(of: day).prefix(3))"
    }

    /// `Mar 2026`.
    static func shortMonth(_ day: CalendarDay) -> String {
        "\(month(of: day).prefix(3)) \(day.components.year)"
    }

    /// From a day to one that may be the same: `9 to 15 March 2026`.
    static func days(from first: CalendarDay, to last: CalendarDay) -> String {
        guard first != last else { return "\(weekday(of: first)), \(date(first))" }
        let (start, end) = (first.components, last.components)
        if first == first.firstOfMonth, last.adding(days: 1) == first.firstOfNextMonth {
            return "\(month(of: first)) \(start.year)"
        }
        if start.month == 1, start.day == 1, end.month == 12, end.day == 31, start.year == end.year {
            return "\(start.year)"
        }
        if start.year != end.year { return "\(date(first)) to \(date(last))" }
        if start.month != end.month { return "\(start.day) \(month(of: first)) to \(date(last))" }
        return "\(start.day) to \(date(last))"
    }

    // MARK: Times

    /// `09:12`, with seconds where there are some and they are asked for.
    func time(_ time: Int64, seconds: Bool = false) -> String {
        let second = secondOfDay(time)
        let text = "\((second / 3600).padded(to: 2)):\((second / 60 % 60).padded(to: 2))"
        return seconds && second % 60 != 0 ? "\(text):\((second % 60).padded(to: 2))" : text
    }

    /// The hour that clocks show.
    func hour(at time: Int64) -> Int {
        Int(secondOfDay(time) / 3600)
    }

    /// Whether clocks show the beginning of an hour.
    func isWholeHour(_ time: Int64) -> Bool {
        secondOfDay(time).isMultiple(of: 3600)
    }

    /// A time within the window as shortly as it is clear: `09:12`, `9 Mar 09:12`, `29 Mar 02:30 +02:00`.
    func shortMoment(_ time: Int64) -> String {
        let text = hasDays ? "\(Self.shortDate(zone.day(at: time))) \(self.time(time))" : self.time(time)
        return showsOffsets ? "\(text) \(offset(at: time))" : text
    }

    /// `9 March 2026, 09:12`.
    func moment(_ time: Int64) -> String {
        "\(Self.date(zone.day(at: time))), \(self.time(time, seconds: true))"
    }

    /// `2026-03-09T09:12:00+01:00` (RFC 3339).
    func machineReadable(_ time: Int64) -> String {
        let second = secondOfDay(time)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(zone.day(at: time))T\(clock)\(offset(at: time))"
    }

    /// `+01:00`.
    func offset(at time: Int64) -> String {
        let offset = zone.offset(at: time)
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }

    /// A window: whole days as such, else with the times of its ends.
    func window(_ window: Range<Int64>) -> String {
        if window.lowerBound <= Timestamp.earliest.microseconds, window.upperBound >= Timestamp.latest.microseconds {
            return "All recorded events"
        }
        let (first, end) = (zone.day(at: window.lowerBound), zone.day(at: window.upperBound))
        guard window.isEmpty || zone.start(of: first) != window.lowerBound || zone.start(of: end) != window.upperBound
        else { return Self.days(from: first, to: end.adding(days: -1)) }
        let last = first == end ? time(window.upperBound, seconds: true) : moment(window.upperBound)
        return "\(moment(window.lowerBound)) to \(last)"
    }

    /// The zone and its offset, with the last one too where it changes: `Europe/Berlin, UTC+01:00`.
    func zone(of window: Range<Int64>) -> String {
        let first = offset(at: window.lowerBound)
        let last = offset(at: max(window.lowerBound, window.upperBound - 1))
        let changes = first == last ? "" : " to UTC\(last)"
        return zone.name == Zone.utc.name ? zone.name : "\(zone.name), UTC\(first)\(changes)"
    }

    private func secondOfDay(_ time: Int64) -> Int64 {
        (time + zone.offset(at: time) * Zone.second).modulo(Zone.day) / Zone.second
    }
}

extension ReportSeries {
    /// What one of its points is called, in a table.
    func name(of point: Point, in calendar: ReportCalendar) -> String {
        let day = calendar.zone.day(at: point.start)
        return switch step {
        case .hour: calendar.shortMoment(point.start)
        case .day: "\(ReportCalendar.weekday(of: day).prefix(3)) \(ReportCalendar.shortDate(day))"
        case .week:
            "\(ReportCalendar.shortDate(day)) to \(ReportCalendar.shortDate(calendar.zone.day(at: point.end - 1)))"
        case .month: ReportCalendar.shortMonth(day)
        case .year: String(day.components.year)
        }
    }
}
