// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelAnalytics

@Suite("The calendar", .timeLimit(.minutes(1)))
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
            "1971-12-31", "2200-01-02", "2026-03-29 ", "+026-03-29", "２０２６-03-29",
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

    @Test(
        "divides windows into steps, the first and the last one clipped",
        arguments: [
            ("Africa/Cairo", "2024-04-25", "2024-04-28", CalendarStep.day, [0, 24, 47]),
            ("Australia/Lord_Howe", "2026-04-05", "2026-04-06", .hour, Array(stride(from: 0.0, through: 24, by: 1))),
            ("Pacific/Apia", "2011-12-29", "2012-01-01", .day, [0, 24]),
            ("America/New_York", "2026-03-08", "2026-03-09", .quarter, Array(stride(from: 0.0, to: 23, by: 0.25))),
            ("UTC", "2026-01-30", "2026-03-02", .month, [0, 48, 48 + 28 * 24]),
            ("UTC", "2026-03-01", "2026-03-10", .week, [0, 24, 24 + 7 * 24]),
        ])
    func steps(name: String, from: String, to: String, step: CalendarStep, hours: [Double]) throws {
        let zone = try Self.zones.zone(name)
        let (start, end) = (try Self.time(from, in: zone), try Self.time(to, in: zone))
        let found = try step.boundaries(from: start, to: end, in: zone, limit: 1000)
        #expect(found == hours.map { start + Int64($0 * 3_600_000_000) } + [end])
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
