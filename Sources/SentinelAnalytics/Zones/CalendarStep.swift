// SPDX-License-Identifier: MIT

public import SentinelModels

/// The steps into which a window of time can be divided.
public enum CalendarStep: String, CaseIterable, Sendable {
    /// Quarters of an hour.
    case quarter = "15min"
    /// Hours of absolute time, from each local midnight on.
    case hour
    /// Local days.
    case day
    /// Weeks from Monday.
    case week
    /// Months of the calendar.
    case month

    /// Where the steps of a window begin, and its end: ascending, the first step and the last one clipped to it. A day
    /// that clocks leave out is no step. Empty for an empty window.
    ///
    /// - Parameter limit: how many steps there may be.
    /// - Throws: `limitsExceeded` where there are more.
    public func boundaries(
        from start: Int64, to end: Int64, in zone: Zone, limit: Int
    ) throws(SentinelError) -> [Int64] {
        guard start < end else { return [] }
        var boundaries = [start]
        var day = first(zone.day(at: start))
        while true {
            let next = next(after: day)
            let nextStart = zone.start(of: next)
            if let length {
                var time = zone.start(of: day)
                // A day can be long gone before the window begins.
                time += max(0, (start - time) / length) * length
                while time < min(nextStart, end) {
                    try append(time, to: &boundaries, limit)
                    time += length
                }
            }
            guard nextStart < end else { break }
            try append(nextStart, to: &boundaries, limit)
            day = next
        }
        return boundaries + [end]
    }

    private func append(_ time: Int64, to boundaries: inout [Int64], _ limit: Int) throws(SentinelError) {
        guard let last = boundaries.last, time > last else { return }
        guard boundaries.count < limit else {
            throw SentinelError(
                .limitsExceeded, "the window has more than \(limit) steps: take longer ones, or less of it")
        }
        boundaries.append(time)
    }

    /// Microseconds of a step that clocks do not lengthen.
    private var length: Int64? {
        switch self {
        case .quarter: 900 * Zone.second
        case .hour: 3600 * Zone.second
        case .day, .week, .month: nil
        }
    }

    /// The first day of the step that holds a day.
    private func first(_ day: CalendarDay) -> CalendarDay {
        switch self {
        case .quarter, .hour, .day: day
        case .week: day.firstOfWeek
        case .month: day.firstOfMonth
        }
    }

    private func next(after day: CalendarDay) -> CalendarDay {
        switch self {
        case .quarter, .hour, .day: day.adding(days: 1)
        case .week: day.adding(days: 7)
        case .month: day.firstOfNextMonth
        }
    }
}
