// SPDX-License-Identifier: MIT

import SentinelModels

/// A report as one page of HTML: semantic markup, charts of SVG, a style for light, dark and paper, no script, and
/// nothing that is fetched.
///
/// The charts have no view box: places across are parts of the width, text keeps its size. So a page fits a telephone
/// as well as a wide screen.
struct HTMLReport {
    let data: ReportData
    let calendar: ReportCalendar

    init(data: ReportData) {
        self.data = data
        calendar = ReportCalendar(data.window, data.zone)
    }

    /// The page.
    var text: String {
        let title = calendar.window(data.window)
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>\(title) – Sentinel report</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <header>
            <p class="kicker">Sentinel activity report</p>
            <h1>\(title)</h1>
            <p class="meta"><span>\(calendar.zone(of: data.window))</span> <span>made \(time(data.made.microseconds, calendar.moment(data.made.microseconds)))</span></p>
            </header>
            <main>
            \(data.isEmpty ? emptyContent : content)</main>
            <footer>
            <p>\(Self.explanation)</p>
            </footer>
            </body>
            </html>

            """
        return page.text
    }

    private static let explanation = """
        An event counts in the window in which it starts; its time counts as far as it lies in the window. \
        Times of events that overlap are added. A session is a run of events of an application without five minutes of rest.
        """

    private var content: Markup {
        """
        \(tiles)\(activity)<div class="pair">
        \(types)\(applications)</div>
        \(week)\(timeline)\(trend)
        """
    }

    private var emptyContent: Markup {
        """
        <section class="empty">
        <svg width="56" height="56" aria-hidden="true"><circle cx="28" cy="28" r="26" /><path d="M28 14 V28 L37 34" /></svg>
        <h2>Nothing was recorded</h2>
        <p>No event starts in this time, and none lasts into it.</p>
        </section>
        \(data.trend.meanCount > 0 ? trend : "")
        """
    }

    // MARK: At a glance

    private var tiles: Markup {
        let (summary, total) = (data.summary, data.summary.total)
        let busiest = data.series.points.max { data.measure($0.amount) < data.measure($1.amount) }
        let preposition =
            switch data.series.step {
            case .hour: "at"
            case .day: "on"
            case .week, .month, .year: "in"
            }
        let note = busiest.map { "most \(preposition) \(data.series.name(of: $0, in: calendar))" } ?? ""
        let types = ReportFigures.count(UInt64(summary.types.count), "type")
        return """
            <section aria-labelledby="glance">
            <h2 id="glance" class="hidden">At a glance</h2>
            <dl class="tiles">
            \(tile("Recorded time", ReportFigures.duration(total.seconds), data.showsCounts ? "no event has a duration" : note))
            \(tile("Events", ReportFigures.count(total.count), "of \(types)"))
            \(tile("Sessions", ReportFigures.count(summary.sessionCount ?? 0), "five minutes of rest end one"))
            \(tile("Applications", ReportFigures.count(summary.applicationCount), "that recorded something"))
            </dl>
            </section>

            """
    }

    private func tile(_ label: String, _ figure: String, _ note: String) -> Markup {
        """
        <div><dt>\(label)</dt><dd><span class="figure">\(figure)</span> <span class="note">\(note)</span></dd></div>
        """
    }

    // MARK: Parts of all sections

    /// So many columns of a name a chart has room for.
    static let longestLabel = 60

    /// A name beside what a chart shows of it; the style cuts it where there is less room.
    func label(_ name: String) -> Markup {
        "<span class=\"name\" dir=\"auto\">\(DisplayWidth.cut(name, Self.longestLabel))</span>"
    }

    /// A section with a chart and the table that says the same.
    func section(_ id: String, _ title: String, _ lead: String, _ chart: Markup, table: Markup) -> Markup {
        """
        <section class="card" aria-labelledby="\(id)">
        <h2 id="\(id)">\(title)</h2>
        <p class="lead">\(lead)</p>
        \(chart)
        <details><summary>\(title) as a table</summary>
        <div class="scroll">
        \(table)
        </div>
        </details>
        </section>

        """
    }

    /// A table whose columns are numbers, but for the first.
    func table(_ caption: String, _ heads: [String], _ rows: [[Markup]]) -> Markup {
        let head = Markup(heads.map { "<th scope=\"col\">\($0)</th>" })
        let body = Markup(
            rows.map { row in
                let cells = Markup(row.dropFirst().map { "<td>\($0)</td>" })
                return "<tr><th scope=\"row\">\(row.first ?? "")</th>\(cells)</tr>\n"
            })
        return """
            <table>
            <caption>\(caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody>
            </table>
            """
    }

    /// A moment that machines can read too.
    func time(_ time: Int64, _ text: String) -> Markup {
        "<time datetime=\"\(calendar.machineReadable(time))\">\(text)</time>"
    }

    /// An amount in words: `3 h 12 min, 40 events`.
    func words(_ amount: Amount) -> String {
        let events = ReportFigures.count(amount.count, "event")
        return data.showsCounts ? events : "\(ReportFigures.duration(amount.seconds)), \(events)"
    }
}

extension Markup {
    /// Text as markup.
    init(text: String) {
        self = "\(text)"
    }

    /// A name, whichever way it is written, that does not reorder what is around it.
    init(name: Name, limit: Int = .max) {
        self = "<bdi>\(DisplayWidth.cut(name.text, limit))</bdi>"
    }
}
