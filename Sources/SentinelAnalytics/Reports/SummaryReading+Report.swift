// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension SummaryReading {
    /// Reads all that a report on a window tells.
    func report(of window: Range<Int64>, in zone: Zone, _ now: Timestamp) throws -> ReportData {
        // Days to come have nothing that could be compared.
        let last = max(window.lowerBound, min(window.upperBound - 1, now.microseconds))
        let trend = try trend(of: zone.day(at: last), in: zone, days: ReportData.trendDays, now)
        var reading = self
        try Analytics.take(now, into: &reading, for: window)
        return ReportData(
            window: window, zone: zone, made: now, summary: try reading.summary(of: window),
            series: try reading.reportSeries(of: window, in: zone),
            types: ReportRanking(
                try reading.top(.type, of: window, limit: .max), limit: ReportData.longestRanking),
            applications: ReportRanking(
                try reading.top(.source, of: window, limit: .max), limit: ReportData.longestRanking),
            heatmap: try reading.heatmap(of: window, in: zone),
            sessions: try reading.sessions(of: window, gap: ReportData.gap, limit: ReportData.mostSessions).sessions,
            trend: trend)
    }

    /// Divides a window into at most some 120 steps; one of more than ten years without what is empty at its ends.
    private func reportSeries(of window: Range<Int64>, in zone: Zone) throws -> ReportSeries {
        let window = window.clamped(to: Timestamp.earliest.microseconds..<Timestamp.latest.microseconds)
        let most = 120 * Zone.day
        switch window.upperBound - window.lowerBound {
        // Two days in which clocks are set back by two hours.
        case ...(50 * 3600 * Zone.second):
            return ReportSeries(step: .hour, points: try points(of: window, by: .hour, in: zone))
        case ...most: return ReportSeries(step: .day, points: try points(of: window, by: .day, in: zone))
        case ...(7 * most): return ReportSeries(step: .week, points: try points(of: window, by: .week, in: zone))
        case ...(31 * most): return ReportSeries(step: .month, points: try points(of: window, by: .month, in: zone))
        default: break
        }
        let months = Self.trimmed(try points(of: window, by: .month, in: zone))
        guard let first = months.first, let last = months.last else { return ReportSeries(step: .year, points: []) }
        guard last.end - first.start > 31 * most else {
            var series = try reportSeries(of: first.start..<last.end, in: zone)
            series.points = Self.trimmed(series.points)
            return series
        }
        var years: [ReportSeries.Point] = []
        for month in months {
            guard let year = years.last, zone.isSameYear(year.start, month.start) else {
                years.append(month)
                continue
            }
            years[years.count - 1].end = month.end
            years[years.count - 1].amount = year.amount + month.amount
        }
        return ReportSeries(step: .year, points: years)
    }

    /// Without points of nothing at the ends.
    private static func trimmed(_ points: [ReportSeries.Point]) -> [ReportSeries.Point] {
        let rest = points.drop { $0.amount == Amount() }
        guard let last = rest.lastIndex(where: { $0.amount != Amount() }) else { return [] }
        return Array(rest[...last])
    }

    private func points(
        of window: Range<Int64>, by step: CalendarStep, in zone: Zone
    ) throws -> [ReportSeries.Point] {
        let boundaries = try step.boundaries(
            from: window.lowerBound, to: window.upperBound, in: zone, limit: Analytics.largestSeries)
        return zip(try series(boundaries, groupedBy: nil), boundaries.dropFirst()).map { point, end in
            ReportSeries.Point(start: point.start, end: end, amount: point.amount)
        }
    }
}

extension Zone {
    fileprivate func isSameYear(_ time: Int64, _ other: Int64) -> Bool {
        day(at: time).components.year == day(at: other).components.year
    }
}
