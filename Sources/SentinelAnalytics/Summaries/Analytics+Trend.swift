// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

/// A day against the mean of days before it.
public struct Trend: Equatable, Sendable {
    /// The day.
    public var day: CalendarDay
    /// What the day holds.
    public var total: Amount
    /// Mean number of events of a day before it.
    public var meanCount: Double
    /// Mean sum of durations of a day before it, in seconds.
    public var meanSeconds: Double
    /// For each type of which the day or one before it holds events: how many the day has, and the mean.
    public var types: [Name: Counts]

    /// Events of a type.
    public struct Counts: Equatable, Sendable {
        /// Of the day.
        public var count: UInt64
        /// Mean of the days before.
        public var mean: Double
    }
}

extension Analytics {
    /// Compares a day with the days before it.
    ///
    /// - Parameters:
    ///   - day: as `2026-03-29`; `""` for today.
    ///   - zone: name of the time zone; `""` for the session's.
    ///   - count: how many days before it, 1 or more.
    public func trend(
        of day: String, in zone: String, days count: Int, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<Trend>
    ) {
        let now = clock.now()
        store.summarize(cancellation: cancellation) { [zones] reading in
            let zone = try zones.zone(zone)
            let day = day.isEmpty ? zone.day(at: now.microseconds) : try CalendarDay(parsing: day)
            return try reading.trend(of: day, in: zone, days: count, now)
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// Compares a day with as many days before it.
    func trend(of day: CalendarDay, in zone: Zone, days count: Int, _ now: Timestamp) throws -> Trend {
        let start = zone.start(of: day)
        var reading = self
        let window = start..<zone.start(of: day.adding(days: 1))
        try Analytics.take(now, into: &reading, for: window)
        let present = try reading.rollups.tallies(byTypeFrom: start, to: window.upperBound)
        reading.rollups.present = nil
        // Days follow each other without a gap: what they hold together is what their window holds.
        let before = zone.start(of: day.adding(days: -Int64(count)))..<start
        try Analytics.take(now, into: &reading, for: before)
        let past = try reading.rollups.tallies(byTypeFrom: before.lowerBound, to: start)
        var trend = Trend(day: day, total: Amount(), meanCount: 0, meanSeconds: 0, types: [:])
        var total = Amount()
        for number in Set(present.keys).union(past.keys) {
            let (today, earlier) = (present[number].map(Amount.init), past[number].map(Amount.init))
            trend.total = trend.total + (today ?? Amount())
            total = total + (earlier ?? Amount())
            let mean = Double(earlier?.count ?? 0) / Double(count)
            guard mean > 0 || today.map({ $0.count > 0 }) ?? false else { continue }
            trend.types[try name(number, of: .type)] = Trend.Counts(count: today?.count ?? 0, mean: mean)
        }
        trend.meanCount = Double(total.count) / Double(count)
        trend.meanSeconds = total.seconds / Double(count)
        return trend
    }
}
