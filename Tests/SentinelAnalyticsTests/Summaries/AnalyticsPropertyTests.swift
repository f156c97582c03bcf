// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelAnalytics

/// Every answer over random events, held against a plain model.
@Suite("Answers about random events", .timeLimit(.minutes(20)))
struct AnalyticsPropertyTests {
    /// Zones with a time around which something odd happens there.
    static let places: [(zone: String, day: String)] = [
        ("Africa/Cairo", "2024-04-26"), ("Australia/Lord_Howe", "2026-04-05"), ("Antarctica/Troll", "2026-03-29"),
        ("Pacific/Apia", "2011-12-30"), ("Asia/Kathmandu", "1986-01-01"), ("America/New_York", "2026-11-01"),
        ("UTC", "2026-03-29"), ("Pacific/Kiritimati", "1979-10-01"),
    ]

    private static let isLong = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] == "1"

    /// Random events and windows around a day.
    private struct Generator {
        var random: SeededGenerator
        let zone: Zone
        let day: CalendarDay

        /// Midnight of the day.
        var middle: Int64 { zone.start(of: day) }

        mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

        /// A time within ten days of the middle, on a border of some kind in half of the cases.
        mutating func time() -> Int64 {
            let time = middle + number(-10 * 86_400...10 * 86_400) * 1_000_000 + number(0...999_999)
            let length = ([1, 1, 1, 900, 3600, 86_400] as [Int64])[Int(number(0...5))] * 1_000_000
            return time.floored(by: length) * length
        }

        mutating func window() -> Range<Int64> {
            switch number(0...3) {
            case 0:
                let first = day.adding(days: number(-8...8))
                return zone.start(of: first)..<zone.start(of: first.adding(days: number(0...3)))
            default:
                let (one, other) = (time(), time())
                return min(one, other)..<max(one, other)
            }
        }

        mutating func event(_ known: [EventID]) throws -> Event {
            let timestamp = Timestamp(clamping: time())
            let isReplacing = !known.isEmpty && number(0...5) == 0
            let id = isReplacing ? known[Int(number(0...Int64(known.count - 1)))] : EventID.make(at: timestamp)
            var event = Event(
                id: id, timestamp: timestamp, type: try Name("type.\(number(0...4))"),
                source: try Name("source.\(number(0...3))"))
            switch number(0...9) {
            case 0: event.marks = .open
            case 1, 2: break
            // Weeks long, until a border of time, or short.
            case 3: event.duration = number(0...Event.longestDuration)
            case 4: event.duration = min(max(time() - timestamp.microseconds, 0), Event.longestDuration)
            case 5: event.duration = 0
            default: event.duration = number(0...7_200_000_000)
            }
            return event
        }
    }

    @Test("equal those of a model", arguments: places, 1...(isLong ? 30 : 2))
    func answers(place: (zone: String, day: String), seed: Int) async throws {
        let zones = ZoneDatabase { nil }
        let zone = try zones.zone(place.zone)
        var generator = Generator(
            random: SeededGenerator(seed: UInt64(seed)), zone: zone, day: try CalendarDay(parsing: place.day))
        let fixture = try AnalyticsFixture(now: Timestamp(clamping: generator.middle))
        defer { fixture.store.close() }
        var model = AnalyticsModel()
        for _ in 0..<6 {
            try await change(fixture, &model, &generator)
            fixture.now = Timestamp(clamping: generator.time())
            for _ in 0..<8 {
                try await compare(fixture, model, &generator)
            }
        }
    }

    private func change(
        _ fixture: AnalyticsFixture, _ model: inout AnalyticsModel, _ generator: inout Generator
    ) async throws {
        var events: [EventID: Event] = [:]
        for _ in 0..<generator.number(10...60) {
            let event = try generator.event(model.events.keys.sorted { $0.description < $1.description })
            events[event.id] = event
        }
        try await fixture.record(Array(events.values))
        model.events.merge(events) { $1 }
        var filter = EventFilter()
        filter.type = try Name("type.\(generator.number(0...4))")
        filter.start = Timestamp(clamping: generator.time())
        let deleted = try await AnalyticsFixture.wait { fixture.store.deleteEvents(filter, completion: $0) }
        let before = model.events.count
        model.events = model.events.filter { _, event in
            event.type != filter.type || event.timestamp < filter.start ?? .latest
        }
        #expect(Int(deleted) == before - model.events.count)
    }

    private func compare(
        _ fixture: AnalyticsFixture, _ model: AnalyticsModel, _ generator: inout Generator
    ) async throws {
        let (analytics, now, zone) = (fixture.analytics, fixture.now, generator.zone)
        let window = generator.window()
        let context: Comment = "window \(window), now \(now)"
        let summary = try await AnalyticsFixture.wait { analytics.summary(of: window, completion: $0) }
        #expect(summary == model.summary(window, now), context)

        let day = generator.day.adding(days: generator.number(-9...9))
        let dayWindow = zone.start(of: day)..<zone.start(of: day.adding(days: 1))
        // Twice: the second answer may come of the first one.
        for _ in 0..<2 {
            let daily = try await AnalyticsFixture.wait {
                analytics.dailySummary(of: day.description, in: zone.name, completion: $0)
            }
            #expect(daily.day == day)
            #expect(daily.summary == model.summary(dayWindow, now), "\(day), now \(now)")
        }
        for step in CalendarStep.allCases {
            let boundaries = try step.boundaries(
                from: window.lowerBound, to: window.upperBound, in: zone, limit: 10_000)
            let series = try await AnalyticsFixture.wait {
                analytics.series(of: window, by: step, in: zone.name, groupedBy: nil, completion: $0)
            }
            #expect(series == model.series(boundaries, now, by: nil), "\(context), \(step)")
        }
        let hours = try CalendarStep.hour.boundaries(
            from: window.lowerBound, to: window.upperBound, in: zone, limit: 10_000)
        for (dimension, name) in [(EventDimension.type, \Event.type), (.source, \Event.source)] {
            let series = try await AnalyticsFixture.wait {
                analytics.series(of: window, by: .hour, in: zone.name, groupedBy: dimension, completion: $0)
            }
            #expect(series == model.series(hours, now) { $0[keyPath: name] }, context)
            let top = try await AnalyticsFixture.wait {
                analytics.top(dimension, of: window, limit: 3, completion: $0)
            }
            #expect(top == model.top(window, now, limit: 3) { $0[keyPath: name] }, context)
        }
        let heatmap = try await AnalyticsFixture.wait {
            analytics.heatmap(of: window, in: zone.name, completion: $0)
        }
        #expect(heatmap == model.heatmap(window, in: zone), context)
        try await compareRest(fixture, model, window, day, &generator)
    }

    private func compareRest(
        _ fixture: AnalyticsFixture, _ model: AnalyticsModel, _ window: Range<Int64>, _ day: CalendarDay,
        _ generator: inout Generator
    ) async throws {
        let (analytics, now, zone) = (fixture.analytics, fixture.now, generator.zone)
        let context: Comment = "window \(window), now \(now)"
        let gap = ([1, 300_000_000, 7_200_000_000, 1 << 55] as [Int64])[Int(generator.number(0...3))]
        var sessions: [Session] = []
        var cursor: String?
        repeat {
            let page = try await AnalyticsFixture.wait {
                analytics.sessions(of: window, gap: gap, limit: 7, after: cursor, completion: $0)
            }
            sessions += page.sessions
            cursor = page.next
        } while cursor != nil
        #expect(sessions.map(\.start) == sessions.map(\.start).sorted(by: >), context)
        func inOrder(_ sessions: [Session]) -> [Session] {
            sessions.sorted { ($1.start, $0.source) < ($0.start, $1.source) }
        }
        #expect(inOrder(sessions) == inOrder(model.sessions(window, now, gap: gap)), "\(context), gap \(gap)")

        let type = generator.number(0...1) == 0 ? nil : try Name("type.1")
        let quantiles = [0, 0.25, 0.5, 0.9, 1]
        let durations = try await AnalyticsFixture.wait {
            analytics.durations(of: window, type: type, quantiles: quantiles, completion: $0)
        }
        #expect(durations == model.durations(window, type: type, quantiles: quantiles), context)

        let count = Int(generator.number(1...9))
        let trend = try await AnalyticsFixture.wait {
            analytics.trend(of: day.description, in: zone.name, days: count, completion: $0)
        }
        let present = model.summary(zone.start(of: day)..<zone.start(of: day.adding(days: 1)), now)
        let past = model.summary(zone.start(of: day.adding(days: -Int64(count)))..<zone.start(of: day), now)
        #expect(trend.total == present.total, context)
        #expect(trend.meanCount == Double(past.total.count) / Double(count), context)
        #expect(trend.meanSeconds == past.total.seconds / Double(count), context)
        var types: [Name: Trend.Counts] = [:]
        for name in Set(present.types.keys).union(past.types.keys) {
            let (today, earlier) = (present.types[name]?.count ?? 0, past.types[name]?.count ?? 0)
            if today > 0 || earlier > 0 {
                types[name] = Trend.Counts(count: today, mean: Double(earlier) / Double(count))
            }
        }
        #expect(trend.types == types, context)
        try await compareFiltered(fixture, model, window, &generator)
    }

    private func compareFiltered(
        _ fixture: AnalyticsFixture, _ model: AnalyticsModel, _ window: Range<Int64>, _ generator: inout Generator
    ) async throws {
        let now = fixture.now
        func compare(
            _ window: Range<Int64>, hasSessions: Bool = false, _ isMeant: (Event) -> Bool,
            _ change: (inout EventFilter) -> Void
        ) async throws {
            var filter = EventFilter()
            change(&filter)
            let summary = try await AnalyticsFixture.wait { [filter] in
                fixture.analytics.summary(of: window, filter: filter, completion: $0)
            }
            let expected = model.summary(window, now, isMeant, hasSessions: hasSessions)
            #expect(summary == expected, "\(filter), window \(window), now \(now)")
        }
        let (type, source) = (try Name("type.1"), try Name("source.2"))
        try await compare(window, { $0.type == type }) { $0.type = type }
        try await compare(window, hasSessions: true, { $0.source == source }) { $0.source = source }
        try await compare(window, { $0.type == type && $0.source == source }) { ($0.type, $0.source) = (type, source) }
        try await compare(window, { _ in true }) { $0.typePrefix = "type." }
        let ids = Array(model.events.keys.sorted { $0.description < $1.description }.prefix(5))
        try await compare(window, { ids.contains($0.id) && $0.type == type }) { ($0.ids, $0.type) = (ids, type) }
    }
}
