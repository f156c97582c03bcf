// SPDX-License-Identifier: MIT

import SentinelModels

@testable import SentinelAnalytics

/// What the answers are to be, worked out of the events themselves one by one.
struct AnalyticsModel {
    var events: [EventID: Event] = [:]

    /// An event with its extent.
    private struct Span {
        var event: Event
        var start: Int64
        var end: Int64

        func overlap(_ window: Range<Int64>) -> Int64 {
            max(0, min(end, window.upperBound) - max(start, window.lowerBound))
        }
    }

    /// The events as a question about a window sees them: open ones last until now if it holds the present.
    private func spans(_ window: Range<Int64>, _ now: Timestamp) -> [Span] {
        events.values.map { event in
            let start = event.timestamp.microseconds
            var duration = event.duration ?? 0
            if event.marks.contains(.open), window.contains(now.microseconds), start < now.microseconds {
                duration = min(now.microseconds - start, Event.longestDuration)
            }
            return Span(event: event, start: start, end: start + duration)
        }
    }

    private static func amounts(
        _ spans: [Span], _ window: Range<Int64>, by name: (Event) -> Name
    ) -> [Name: Amount] {
        var amounts: [Name: Amount] = [:]
        for span in spans {
            let amount = Amount(
                count: window.contains(span.start) ? 1 : 0, duration: Int128(span.overlap(window)))
            if amount != Amount() {
                amounts[name(span.event)] = (amounts[name(span.event)] ?? Amount()) + amount
            }
        }
        return amounts
    }

    func summary(
        _ window: Range<Int64>, _ now: Timestamp, _ isMeant: (Event) -> Bool = { _ in true }, hasSessions: Bool = true
    ) -> Summary {
        let spans = spans(window, now).filter { isMeant($0.event) }
        var summary = Summary(window: window)
        summary.types = Self.amounts(spans, window) { $0.type }
        summary.total = summary.types.values.reduce(Amount(), +)
        summary.applicationCount = UInt64(
            Self.amounts(spans, window) { $0.source }.values.count { $0.count > 0 })
        summary.sessionCount =
            hasSessions
            ? UInt64(sessions(window, now, gap: 300_000_000).filter { isMeantSource($0.source, spans) }.count) : nil
        return summary
    }

    private func isMeantSource(_ source: Name, _ spans: [Span]) -> Bool {
        spans.contains { $0.event.source == source }
    }

    func series(_ boundaries: [Int64], _ now: Timestamp, by name: ((Event) -> Name)?) -> [SeriesPoint] {
        guard let first = boundaries.first, let last = boundaries.last else { return [] }
        let spans = spans(first..<last, now)
        return zip(boundaries, boundaries.dropFirst()).flatMap { start, end in
            guard let name else {
                let amounts = Self.amounts(spans, start..<end) { $0.type }
                return [SeriesPoint(start: start, group: nil, amount: amounts.values.reduce(Amount(), +))]
            }
            return Self.amounts(spans, start..<end, by: name).sorted { $0.key < $1.key }.map {
                SeriesPoint(start: start, group: $0.key, amount: $0.value)
            }
        }
    }

    func top(_ window: Range<Int64>, _ now: Timestamp, limit: Int, by name: (Event) -> Name) -> [RankedName] {
        let ranked = Self.amounts(spans(window, now), window, by: name).sorted { left, right in
            (right.value.duration, right.value.count, left.key) < (left.value.duration, left.value.count, right.key)
        }
        return ranked.prefix(limit).map { RankedName(name: $0.key, amount: $0.value) }
    }

    func sessions(_ window: Range<Int64>, _ now: Timestamp, gap: Int64) -> [Session] {
        guard !window.isEmpty else { return [] }
        var found: [Session] = []
        for (source, spans) in Dictionary(grouping: spans(window, now), by: \.event.source) {
            var current: [Span] = []
            func finish() {
                let touches = current.contains { window.contains($0.start) || $0.overlap(window) > 0 }
                if let first = current.first, touches {
                    var (busy, until) = (Int64(0), Int64.min)
                    for span in current {
                        busy += max(0, span.end - max(span.start, until))
                        until = max(until, span.end)
                    }
                    found.append(
                        Session(
                            source: source, start: first.start, end: until, eventCount: UInt64(current.count),
                            busy: busy))
                }
                current = []
            }
            for span in spans.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
                if let end = current.map(\.end).max(), span.start - end > gap {
                    finish()
                }
                current.append(span)
            }
            finish()
        }
        return found
    }

    func heatmap(_ window: Range<Int64>, in zone: Zone) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: 168)
        for event in events.values where window.contains(event.timestamp.microseconds) {
            let time = event.timestamp.microseconds
            let local = time + zone.offset(at: time) * 1_000_000
            let hour = local.floored(by: 3_600_000_000)
            counts[zone.day(at: time).weekday * 24 + Int(hour.modulo(24))] += 1
        }
        return counts
    }

    func durations(_ window: Range<Int64>, type: Name?, quantiles: [Double]) -> [Double] {
        let durations = events.values.filter { event in
            window.contains(event.timestamp.microseconds) && (type == nil || event.type == type)
        }.compactMap(\.duration).sorted()
        guard !durations.isEmpty else { return [] }
        return quantiles.map { quantile in
            let place = quantile * Double(durations.count - 1)
            let lower = Int(place)
            let upper = min(lower + 1, durations.count - 1)
            let (first, second) = (Double(durations[lower]), Double(durations[upper]))
            return (first + (second - first) * (place - Double(lower))) / 1_000_000
        }
    }
}
