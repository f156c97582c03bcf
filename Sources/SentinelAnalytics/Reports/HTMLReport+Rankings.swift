// SPDX-License-Identifier: MIT

import SentinelModels

extension HTMLReport {
    private static let mostBars = 12
    private static let mostRows = 25

    /// Types as bars.
    var types: Markup {
        ranking("types", "By type", "type", data.types)
    }

    /// Sources as bars.
    var applications: Markup {
        ranking("applications", "By application", "application", data.applications)
    }

    private func ranking(_ id: String, _ title: String, _ noun: String, _ ranking: ReportRanking) -> Markup {
        let whole = data.measure(data.summary.total)
        let shown = ranking.prefix(Self.mostBars)
        let longest = (shown.entries.map(\.amount) + [shown.others]).map(data.measure).max() ?? 0
        var bars = shown.entries.map { entry in
            bar(entry.name.text, entry.amount, of: whole, longest)
        }
        if shown.otherCount > 0 {
            let name = ReportFigures.count(UInt64(shown.otherCount), "other")
            bars.append(bar(name, shown.others, of: whole, longest, isRest: true))
        }
        let listed = ranking.prefix(Self.mostRows)
        var rows = listed.entries.map { row(Markup(name: $0.name), $0.amount, of: whole) }
        if listed.otherCount > 0 {
            let name = ReportFigures.count(UInt64(listed.otherCount), "other")
            rows.append(row(Markup(text: name), listed.others, of: whole))
        }
        return section(
            id, title, "\(data.showsCounts ? "Events" : "Recorded time") and share of it.",
            "<ol class=\"bars\">\n\(Markup(bars))</ol>",
            table: table(title, [noun == "type" ? "Type" : "Application", "Time", "Share", "Events"], rows))
    }

    private func bar(
        _ name: String, _ amount: Amount, of whole: Double, _ longest: Double, isRest: Bool = false
    ) -> Markup {
        let value = data.measure(amount)
        let figure = data.showsCounts ? ReportFigures.count(amount.count) : ReportFigures.duration(amount.seconds)
        return """
            <li title="\(name)">\(label(name)) <span class="value">\(figure) \
            <span class="share">\(ReportFigures.share(value, of: whole))</span></span>\
            <svg height="8" aria-hidden="true"><title>\(words(amount))</title>\
            <rect class="bar\(isRest ? " rest" : "")" \
            width="\(width: longest > 0 ? value / longest : 0)" height="8" rx="2" /></svg></li>

            """
    }

    private func row(_ name: Markup, _ amount: Amount, of whole: Double) -> [Markup] {
        [
            name, Markup(text: ReportFigures.duration(amount.seconds)),
            Markup(text: ReportFigures.share(data.measure(amount), of: whole)),
            Markup(text: ReportFigures.count(amount.count)),
        ]
    }
}
