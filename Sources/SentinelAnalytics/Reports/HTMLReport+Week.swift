// SPDX-License-Identifier: MIT

extension HTMLReport {
    private static let rowHeight = 22

    /// Events by the hour of the week, as a map of shades.
    var week: Markup {
        let scale = HeatScale(most: data.heatmap.max() ?? 0)
        let rows: [[Markup]] = (0..<7).map { day in
            [Markup(text: String(ReportCalendar.weekdays[day].prefix(3)))]
                + (0..<24).map { Markup(text: ReportFigures.count(count(day, $0))) }
        }
        let hours = (0..<24).map { $0 < 10 ? "0\($0)" : String($0) }
        return section(
            "week", "Hours of the week", "Events by the local hour in which they start.",
            "\(map(scale))\(legend(scale))", table: table("Hours of the week", ["Day"] + hours, rows))
    }

    private func count(_ day: Int, _ hour: Int) -> UInt64 {
        data.heatmap.indices.contains(day * 24 + hour) ? data.heatmap[day * 24 + hour] : 0
    }

    private func map(_ scale: HeatScale) -> Markup {
        let names = Markup(
            (0..<7).map { day in
                "<text x=\"0\" y=\"\(day * Self.rowHeight + 15)\">\(String(ReportCalendar.weekdays[day].prefix(3)))</text>"
            })
        let cells = Markup(
            (0..<168).map { index in
                let (day, hour) = (index / 24, index % 24)
                let count = count(day, hour)
                let when = "\(ReportCalendar.weekdays[day]) \(hour < 10 ? "0" : "")\(hour):00"
                return """
                    <rect class="h\(scale.shade(of: scale.level(of: count)))" x="\(width: Double(hour) / 24)" y="\(day * Self.rowHeight)" \
                    width="\(width: 1.0 / 24)" height="\(Self.rowHeight)" rx="4"><title>\(when): \
                    \(ReportFigures.count(count, "event"))</title></rect>

                    """
            })
        let hours = Markup(
            stride(from: 0, through: 21, by: 3).map { hour in
                """
                <text x="\(width: Double(hour) / 24)" y="\(7 * Self.rowHeight + 16)" dx="1" \
                class="\(hour.isMultiple(of: 2) ? "major" : "minor")">\(hour < 10 ? "0" : "")\(hour):00</text>

                """
            })
        return """
            <div class="plot">
            <svg class="days" height="\(7 * Self.rowHeight + 22)" aria-hidden="true">\(names)</svg>
            <svg height="\(7 * Self.rowHeight + 22)" role="img" aria-label="Map of the 168 hours of the week">
            <g class="heat">\(cells)</g>
            <g>\(hours)</g>
            </svg>
            </div>

            """
    }

    private func legend(_ scale: HeatScale) -> Markup {
        let entries = scale.labels.enumerated().map { level, label -> Markup in
            """
            <li><svg width="16" height="16" aria-hidden="true"><rect class="h\(scale.shade(of: level))" width="16" height="16" rx="4" />\
            </svg> \(label)</li>

            """
        }
        return "<ul class=\"legend\" aria-label=\"Shades\">\n<li>Events in an hour:</li>\n\(Markup(entries))</ul>"
    }
}

/// Which level a number of events has, of at most five beside that of nothing.
struct HeatScale {
    /// The largest numbers of each level, ascending; 0 first.
    let bounds: [UInt64]

    init(most: UInt64) {
        bounds = (0...5).reduce(into: [UInt64]()) { bounds, level in
            let bound = ReportFigures.whole((Double(most) * Double(level) / 5).rounded(.up))
            if bound != bounds.last {
                bounds.append(bound)
            }
        }
    }

    /// The level, from 0.
    func level(of count: UInt64) -> Int {
        bounds.firstIndex { count <= $0 } ?? bounds.count - 1
    }

    /// The shade of a level: where there are few levels, they are as far apart as many.
    func shade(of level: Int) -> Int {
        bounds.count > 1 ? (level * 5 + bounds.count - 2) / (bounds.count - 1) : 0
    }

    /// What each level stands for.
    var labels: [String] {
        bounds.indices.map { level in
            let last = bounds[level]
            let first = level == 0 ? last : bounds[level - 1] + 1
            return first == last
                ? ReportFigures.count(last) : "\(ReportFigures.count(first))–\(ReportFigures.count(last))"
        }
    }
}
