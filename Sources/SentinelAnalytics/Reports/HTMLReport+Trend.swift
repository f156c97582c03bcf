// SPDX-License-Identifier: MIT

import SentinelModels

extension HTMLReport {
    private static let mostTrends = 8
    private static let mostTrendRows = 25

    /// The last day against the days before it.
    var trend: Markup {
        let trend = data.trend
        let rows = ReportTrend(data)
        let longest = rows.types.map { max(Double($0.counts.count), $0.counts.mean) }.max() ?? 0
        let bars = rows.types.prefix(Self.mostTrends).map { bar($0.name, $0.counts, longest) }
        let table = table(
            "Events of the day and of a day before it", ["Type", "Events", "Mean", "Difference"],
            [row("All types", trend.total.count, trend.meanCount)]
                + rows.types.prefix(Self.mostTrendRows).map {
                    row(Markup(name: $0.name), $0.counts.count, $0.counts.mean)
                })
        let key: Markup = """
            <p class="key"><svg width="16" height="10" aria-hidden="true"><rect class="bar" width="16" height="10" rx="2" />\
            </svg> the day <svg width="4" height="14" aria-hidden="true"><rect class="mean" width="3" height="14" /></svg> \
            mean of the 7 days before</p>
            """
        return section(
            "trend", ReportTrend.title(trend.day),
            rows.sentences.joined(separator: " "),
            bars.isEmpty ? "" : "<ol class=\"bars trends\">\n\(Markup(bars))</ol>\n\(key)", table: table)
    }

    private func bar(_ name: Name, _ counts: Trend.Counts, _ longest: Double) -> Markup {
        let (day, mean) = (Double(counts.count), counts.mean)
        let difference = ReportFigures.difference(day, usual: mean)
        return """
            <li title="\(name.text)">\(label(name.text)) <span class="value">\
            \(ReportFigures.count(counts.count)) <span class="share">\(difference)</span></span>\
            <svg height="14" aria-hidden="true"><title>\(ReportFigures.count(counts.count, "event")), mean \
            \(ReportFigures.mean(mean))</title><rect class="track" y="3" width="100%" height="8" rx="2" />\
            <rect class="bar" y="3" width="\(width: longest > 0 ? day / longest : 0)" height="8" rx="2" />\
            <line class="mean" x1="\(width: longest > 0 ? mean / longest : 0)" x2="\(width: longest > 0 ? mean / longest : 0)" \
            y1="0" y2="14" /></svg></li>

            """
    }

    private func row(_ name: Markup, _ count: UInt64, _ mean: Double) -> [Markup] {
        [
            name, Markup(text: ReportFigures.count(count)), Markup(text: ReportFigures.mean(mean)),
            Markup(text: ReportFigures.difference(Double(count), usual: mean)),
        ]
    }
}

/// A trend in words, and its types by how much there is of them.
struct ReportTrend {
    let trend: Trend
    /// Whether the day had ended when the report was made.
    let isOver: Bool
    /// The most first.
    let types: [(name: Name, counts: Trend.Counts)]

    init(_ data: ReportData) {
        trend = data.trend
        isOver = data.made.microseconds >= data.zone.start(of: trend.day.adding(days: 1))
        types = trend.types.map { (name: $0.key, counts: $0.value) }.sorted { left, right in
            let (first, second) = (
                max(Double(left.counts.count), left.counts.mean), max(Double(right.counts.count), right.counts.mean)
            )
            return first != second ? first > second : left.name < right.name
        }
    }

    /// `Monday, 9 Mar and the week before`.
    static func title(_ day: CalendarDay) -> String {
        "\(ReportCalendar.weekday(of: day)), \(ReportCalendar.shortDate(day)) and the week before"
    }

    /// How the day differs.
    var sentences: [String] {
        guard trend.meanCount > 0 || trend.total.count > 0 else {
            return ["Nothing was recorded on this day, nor on the \(ReportData.trendDays) days before."]
        }
        let events = Self.part(
            ReportFigures.count(trend.total.count, "event"), Double(trend.total.count), trend.meanCount,
            usual: ReportFigures.mean(trend.meanCount))
        let end = isOver ? [] : ["The day is not over yet."]
        guard trend.total.duration > 0 || trend.meanSeconds > 0 else { return ["There were \(events)."] + end }
        let time = Self.part(
            ReportFigures.duration(trend.total.seconds), trend.total.seconds, trend.meanSeconds,
            usual: ReportFigures.duration(trend.meanSeconds))
        return ["There were \(events).", "Recorded time was \(time)."] + end
    }

    /// `143 events, 23% above the mean of 116`.
    private static func part(_ figure: String, _ value: Double, _ mean: Double, usual: String) -> String {
        guard mean > 0 else { return "\(figure), none on the \(ReportData.trendDays) days before" }
        guard value > 0 else { return "\(figure), where the mean is \(usual)" }
        return "\(figure), \(ReportFigures.difference(value, usual: mean)) of \(usual)"
    }
}
