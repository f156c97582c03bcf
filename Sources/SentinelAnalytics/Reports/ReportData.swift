// SPDX-License-Identifier: MIT

import SentinelModels

/// What a report tells.
struct ReportData: Sendable {
    /// From when to when, in microseconds since the Unix epoch.
    var window: Range<Int64>
    /// The time zone of its days and hours.
    var zone: Zone
    /// When it was made.
    var made: Timestamp
    /// What the window holds.
    var summary: Summary
    /// What its parts hold.
    var series: ReportSeries
    /// Types by the time they took.
    var types: ReportRanking
    /// Sources by the time they took.
    var applications: ReportRanking
    /// Events by the hour of the week in which they start, Monday 00:00 to 01:00 first.
    var heatmap: [UInt64]
    /// The newest sessions that touch the window, the newest first.
    var sessions: [Session]
    /// The last day of the window that has begun, against the days before it.
    var trend: Trend

    /// So many types and so many applications it names.
    static let longestRanking = 100
    /// So many sessions it names.
    static let mostSessions = 50
    /// Microseconds without an event that end a session, as in summaries.
    static let gap: Int64 = 300 * Zone.second
    /// With so many days before it a day is compared.
    static let trendDays = 7

    /// Whether the window holds nothing at all.
    var isEmpty: Bool { summary.total == Amount() }

    /// Whether charts show events rather than durations, as nothing that was recorded has one.
    var showsCounts: Bool { summary.total.duration == 0 }

    /// What a chart shows of an amount.
    func measure(_ amount: Amount) -> Double {
        showsCounts ? Double(amount.count) : amount.seconds
    }
}

/// The first types or applications of a window, and what the others have.
struct ReportRanking: Sendable {
    /// The first ones, in order.
    var entries: [RankedName]
    /// How many others there are.
    var otherCount: Int
    /// What they have together.
    var others: Amount

    /// Tells the first `limit` apart.
    init(_ all: [RankedName], limit: Int) {
        entries = Array(all.prefix(limit))
        otherCount = all.count - entries.count
        others = all.dropFirst(limit).reduce(Amount()) { $0 + $1.amount }
    }

    private init(_ entries: [RankedName], _ otherCount: Int, _ others: Amount) {
        (self.entries, self.otherCount, self.others) = (entries, otherCount, others)
    }

    /// The same with fewer of them told apart.
    func prefix(_ limit: Int) -> ReportRanking {
        let rest = entries.dropFirst(limit)
        return ReportRanking(
            Array(entries.prefix(limit)), otherCount + rest.count, rest.reduce(others) { $0 + $1.amount })
    }
}

/// A window in steps that a person can overlook.
struct ReportSeries: Sendable {
    /// How long a step is.
    enum Step: String, Sendable {
        case hour, day, week, month, year

        /// At the head of a column.
        var title: String {
            switch self {
            case .hour: "Hour"
            case .day: "Day"
            case .week: "Week"
            case .month: "Month"
            case .year: "Year"
            }
        }
    }

    /// One of them.
    struct Point: Equatable, Sendable {
        /// When it begins.
        var start: Int64
        /// When it ends.
        var end: Int64
        /// What it holds.
        var amount: Amount
    }

    var step: Step
    var points: [Point]
}
