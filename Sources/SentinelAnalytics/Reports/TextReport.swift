// SPDX-License-Identifier: MIT

import SentinelModels

/// A report as plain text of at most 80 columns: names come last in a line, where none moves what is beside it.
struct TextReport {
    let data: ReportData
    let calendar: ReportCalendar

    static let width = 80
    private static let most = 20

    init(data: ReportData) {
        self.data = data
        calendar = ReportCalendar(data.window, data.zone)
    }

    /// The text.
    var text: String {
        var lines = [
            "Sentinel activity report", calendar.window(data.window),
            "\(calendar.zone(of: data.window)); made \(calendar.moment(data.made.microseconds))", "",
        ]
        if data.isEmpty {
            lines += ["Nothing was recorded: no event starts in this time, and none lasts into it."]
        } else {
            lines += figures + activity + ranking("By type", data.types) + ranking("By application", data.applications)
            lines += week + sessions
        }
        if !data.isEmpty || data.trend.meanCount > 0 {
            lines += trend
        }
        return lines.map { line in
            var text = DisplayWidth.cut(line, Self.width)
            while text.last == " " {
                text.removeLast()
            }
            return text + "\n"
        }.joined()
    }

    private var figures: [String] {
        [
            "Recorded time   \(ReportFigures.duration(data.summary.total.seconds))",
            "Events          \(ReportFigures.count(data.summary.total.count))",
            "Sessions        \(ReportFigures.count(data.summary.sessionCount ?? 0))",
            "Applications    \(ReportFigures.count(data.summary.applicationCount))",
        ]
    }

    private var activity: [String] {
        let longest = data.series.points.map { data.measure($0.amount) }.max() ?? 0
        let names = data.series.points.map { data.series.name(of: $0, in: calendar) }
        let width = max(names.map(DisplayWidth.of).max() ?? 0, 5)
        return heading("Activity by \(data.series.step.rawValue)")
            + ["\(DisplayWidth.fit(data.series.step.title, width))\(Self.heads)"]
            + zip(data.series.points, names).map { point, name in
                let bar = Self.bar(data.measure(point.amount), of: longest, 30)
                return "\(DisplayWidth.fit(name, width))  \(figures(of: point.amount))  \(bar)"
            }
    }

    private func ranking(_ title: String, _ ranking: ReportRanking) -> [String] {
        let ranking = ranking.prefix(Self.most)
        let whole = data.measure(data.summary.total)
        func line(_ name: String, _ amount: Amount) -> String {
            let share = ReportFigures.share(data.measure(amount), of: whole)
            let bar = Self.bar(data.measure(amount), of: whole, 12)
            return "\(figures(of: amount)) \(DisplayWidth.right(share, 5))  \(DisplayWidth.fit(bar, 12))  \(name)"
        }
        let others = ReportFigures.count(UInt64(ranking.otherCount), "other")
        return heading(title) + ["\(Self.heads.dropFirst(2)) Share"]
            + ranking.entries.map { line($0.name.text, $0.amount) }
            + (ranking.otherCount > 0 ? [line(others, ranking.others)] : [])
    }

    /// Above ``figures(of:)`` and the two spaces before.
    private static let heads = "          Time      Events"

    /// The time and the events of an amount, in 24 columns.
    private func figures(of amount: Amount) -> String {
        let time = DisplayWidth.right(ReportFigures.duration(amount.seconds), 12)
        return time + DisplayWidth.right(ReportFigures.count(amount.count), 12)
    }

    private var week: [String] {
        let scale = HeatScale(most: data.heatmap.max() ?? 0)
        // What is at hand has four shades.
        let shades = ["··", "░░", "░░", "▒▒", "▓▓", "██"]
        let rows = (0..<7).map { day in
            let cells = data.heatmap.dropFirst(day * 24).prefix(24).map { shades[scale.shade(of: scale.level(of: $0))] }
            return "\(ReportCalendar.weekdays[day].prefix(3))  \(cells.joined())"
        }
        return heading("Hours of the week, events up to \(ReportFigures.count(scale.bounds.last ?? 0)) an hour")
            + rows + ["     00    03    06    09    12    15    18    21"]
    }

    private var sessions: [String] {
        let all = data.summary.sessionCount ?? 0
        let isPart = UInt64(data.sessions.count) < all
        let title = isPart ? "Sessions, the newest \(data.sessions.count) of \(ReportFigures.count(all))" : "Sessions"
        let times = data.sessions.map {
            "\(calendar.shortMoment($0.start)) – \(calendar.shortMoment($0.end))"
        }
        let width = max(times.map(DisplayWidth.of).max() ?? 0, 13)
        return heading(title)
            + ["\(DisplayWidth.fit("Start and end", width))       Length  Events"]
            + zip(data.sessions, times).map { session, time in
                let length = ReportFigures.duration(microseconds: session.end - session.start)
                let count = ReportFigures.count(session.eventCount)
                return "\(DisplayWidth.fit(time, width))\(DisplayWidth.right(length, 13))"
                    + "\(DisplayWidth.right(count, 8))  \(session.source)"
            }
    }

    private var trend: [String] {
        let trend = ReportTrend(data)
        let types = trend.types.prefix(Self.most)
        return heading(ReportTrend.title(data.trend.day))
            + trend.sentences + [""]
            + types.map { type in
                let (count, mean) = (type.counts.count, type.counts.mean)
                let words = ReportFigures.difference(Double(count), usual: mean)
                return DisplayWidth.right(ReportFigures.count(count), 12) + "  mean"
                    + DisplayWidth.right(ReportFigures.mean(mean), 8) + "  \(DisplayWidth.fit(words, 27))  \(type.name)"
            }
    }

    private func heading(_ title: String) -> [String] {
        ["", title, String(repeating: "─", count: DisplayWidth.of(title))]
    }

    /// A bar as long as a value's part of so many columns, to the eighth of one.
    private static func bar(_ value: Double, of whole: Double, _ width: Int) -> String {
        guard value > 0, whole > 0 else { return "" }
        let eighths = max(1, Int((min(value / whole, 1) * Double(width * 8)).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
