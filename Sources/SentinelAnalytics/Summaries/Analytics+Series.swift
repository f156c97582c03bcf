// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

/// What one step of a series holds, of one group where it has groups.
public struct SeriesPoint: Equatable, Sendable {
    /// When the step begins, in microseconds since the Unix epoch.
    public var start: Int64
    /// The type or source; nil without groups.
    public var group: Name?
    /// What it holds.
    public var amount: Amount
}

extension Analytics {
    /// So many points a series has at most.
    public static let largestSeries = 10_000

    /// Divides a window into steps of the calendar.
    ///
    /// - Parameters:
    ///   - zone: name of the time zone of the calendar; `""` for the session's.
    ///   - dimension: what is told apart in each step; nil for nothing, which gives every step a point. With one, those
    ///     have a point of which there is something.
    ///   - completion: `limitsExceeded` where there are more than ``largestSeries`` points.
    public func series(
        of window: Range<Int64>, by step: CalendarStep, in zone: String, groupedBy dimension: EventDimension?,
        cancellation: ReadCancellation? = nil, completion: @escaping Completion<[SeriesPoint]>
    ) {
        read(window, cancellation) { [zones] reading in
            let boundaries = try step.boundaries(
                from: window.lowerBound, to: window.upperBound, in: try zones.zone(zone), limit: Self.largestSeries)
            return try reading.series(boundaries, groupedBy: dimension)
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// What lies between neighbouring boundaries, each by its groups, these by their names.
    func series(_ boundaries: [Int64], groupedBy dimension: EventDimension?) throws -> [SeriesPoint] {
        let grouping: RollupReader.Grouping =
            switch dimension {
            case nil: .none
            case .type: .type
            case .source: .source
            }
        // Ungrouped there are as many as steps.
        let limit = dimension == nil ? Int.max : Analytics.largestSeries
        guard let series = try rollups.series(boundaries, by: grouping, limit: limit) else {
            throw SentinelError(
                .limitsExceeded,
                "the series has more than \(Analytics.largestSeries) points: take longer steps, or less time")
        }
        var names: [Int64: Name] = [:]
        var points: [SeriesPoint] = []
        for (start, tallies) in zip(boundaries, series) {
            guard let dimension else {
                points.append(SeriesPoint(start: start, group: nil, amount: tallies[0].map(Amount.init) ?? Amount()))
                continue
            }
            for (number, tally) in tallies where names[number] == nil && tally != RollupReader.Tally() {
                names[number] = try name(number, of: dimension)
            }
            let found = tallies.compactMap { number, tally in
                names[number].map { SeriesPoint(start: start, group: $0, amount: Amount(tally)) }
            }
            points += found.filter { $0.amount != Amount() }.sorted { left, right in
                (left.group?.text ?? "").utf8.lexicographicallyPrecedes((right.group?.text ?? "").utf8)
            }
        }
        return points
    }
}
