// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelAnalytics

@Suite("The calendar", .timeLimit(.minutes(5)))
struct CalendarTests {
    @Test("has its days in order, each with its components back")
    func components() throws {
        var (year, month, day) = (Int64(1972), Int64(1), Int64(31))
        var current = CalendarDay.range.lowerBound
        while current < CalendarDay.range.upperBound {
            #expect(current.components == (year, month, day))
            #expect(CalendarDay(year: year, month: month, day: day) == current)
            current = current.adding(days: 1)
            day += 1
            if CalendarDay(year: year, month: month, day: day) == nil {
                (month, day) = (month + 1, 1)
                if month > 12 {
                    (year, month) = (year + 1, 1)
                }
            }
        }
        #expect(current.description == "2200-01-01")
    }

    @Test(
        "reads no day that there is not",
        arguments: [
            "", "2026-3-29", "2026-02-29", "2026-00-10", "2026-01-32",
            "1971-12-31", "2200-01-02", "2026-03-29 ", "+026-03-29", "99999999999999999999999-03-29", "２０２６-03-29",
        ])
    func unreadable(text: String) {
        let error = #expect(throws: SentinelError.self) { try CalendarDay(parsing: text) }
        #expect(error?.code == .invalidArgs)
    }

    @Test("begins weeks on Monday and months on their first day")
    func firsts() throws {
        let sunday = try CalendarDay(parsing: "2026-03-01")
        #expect(sunday.weekday == 6)
        #expect(sunday.firstOfWeek.description == "2026-02-23")
        #expect(sunday.firstOfMonth == sunday)
        #expect(try CalendarDay(parsing: "2024-02-29").firstOfNextMonth == CalendarDay(parsing: "2024-03-01"))
        #expect(try CalendarDay(parsing: "2025-12-31").firstOfNextMonth.description == "2026-01-01")
    }

    private static let zones = ZoneDatabase { nil }

    private static func time(_ day: String, _ hours: Double = 0, in zone: Zone) throws -> Int64 {
        zone.start(of: try CalendarDay(parsing: day)) + Int64(hours * 3_600_000_000)
    }

    struct Division: Sendable {
        var zone: String
        var from: String
        var to: String
        var step: CalendarStep
        /// After the window's start.
        var hours: [Double]
    }

    private static func every(_ hours: Double, below end: Double) -> [Double] {
        Array(stride(from: 0, to: end, by: hours))
    }

    static let divisions: [Division] = [
        Division(zone: "Africa/Cairo", from: "2024-04-25", to: "2024-04-28", step: .day, hours: [0, 24, 47]),
        Division(
            zone: "Australia/Lord_Howe", from: "2026-04-05", to: "2026-04-06", step: .hour, hours: every(1, below: 24.5)
        ),
        Division(zone: "Pacific/Apia", from: "2011-12-29", to: "2012-01-01", step: .day, hours: [0, 24]),
        Division(
            zone: "America/New_York", from: "2026-03-08", to: "2026-03-09", step: .quarter,
            hours: every(0.25, below: 23)),
        Division(zone: "UTC", from: "2026-01-30", to: "2026-03-02", step: .month, hours: [0, 48, 720]),
        Division(zone: "UTC", from: "2026-03-01", to: "2026-03-10", step: .week, hours: [0, 24, 192]),
    ]

    @Test("divides windows into steps, the first and the last one clipped", arguments: divisions)
    func steps(division: Division) throws {
        let (zone, step) = (try Self.zones.zone(division.zone), division.step)
        let (start, end) = (try Self.time(division.from, in: zone), try Self.time(division.to, in: zone))
        let found = try step.boundaries(from: start, to: end, in: zone, limit: 1000)
        let expected: [Int64] = division.hours.map { start + Int64($0 * 3_600_000_000) }
        #expect(found == expected + [end])
        // A window that begins inside a step begins with what is left of it.
        let later = try step.boundaries(from: start + 1, to: end - 1, in: zone, limit: 1000)
        #expect(later == [start + 1] + found.dropFirst().dropLast() + [end - 1])
    }

    @Test("refuses too many steps without making them all")
    func tooMany() throws {
        let range = (Timestamp.earliest.microseconds, Timestamp.latest.microseconds)
        let error = #expect(throws: SentinelError.self) {
            try CalendarStep.quarter.boundaries(from: range.0, to: range.1, in: .utc, limit: 10_000)
        }
        #expect(error?.code == .limitsExceeded)
        #expect(try CalendarStep.month.boundaries(from: range.0, to: range.1, in: .utc, limit: 10_000).count == 2736)
        #expect(try CalendarStep.day.boundaries(from: range.0, to: range.0, in: .utc, limit: 10_000) == [])
    }
}
