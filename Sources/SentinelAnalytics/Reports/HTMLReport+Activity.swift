// SPDX-License-Identifier: MIT

extension HTMLReport {
    private static let plotHeight = 180

    /// Steps of the window as columns.
    var activity: Markup {
        let rows: [[Markup]] = data.series.points.map { point in
            [
                time(point.start, data.series.name(of: point, in: calendar)),
                Markup(text: ReportFigures.duration(point.amount.seconds)),
                Markup(text: ReportFigures.count(point.amount.count)),
            ]
        }
        let (title, measure) = (
            "Activity by \(data.series.step.rawValue)", data.showsCounts ? "Events" : "Recorded time"
        )
        return section(
            "activity", title, "\(measure) in each \(data.series.step).", columns,
            table: table(title, [data.series.step.title, "Time", "Events"], rows))
    }

    private var columns: Markup {
        let points = data.series.points
        let marks = ReportFigures.marks(
            to: points.map { data.measure($0.amount) }.max() ?? 0, ofCounts: data.showsCounts)
        let top = marks.last ?? 1
        func height(_ value: Double) -> Int { Int((value / top * Double(Self.plotHeight)).rounded()) }
        func place(_ value: Double) -> Int { 10 + Self.plotHeight - height(value) }
        let scale = Markup(
            marks.map { mark in
                let label =
                    data.showsCounts ? ReportFigures.count(ReportFigures.whole(mark)) : ReportFigures.duration(mark)
                return "<text x=\"100%\" y=\"\(place(mark) + 4)\" class=\"end\">\(mark == 0 ? "0" : label)</text>"
            })
        let lines = Markup(
            marks.map { "<line x1=\"0\" x2=\"100%\" y1=\"\(place($0))\" y2=\"\(place($0))\" />" })
        let slot = 1 / Double(max(points.count, 1))
        let bars = Markup(
            points.enumerated().map { index, point in
                let value = data.measure(point.amount)
                // What is there is seen, however little it is.
                let high = value > 0 ? max(height(value), 2) : 0
                let title = "\(data.series.name(of: point, in: calendar)): \(words(point.amount))"
                let left = (Double(index) + 0.14) * slot
                return """
                    <g><title>\(title)</title><rect class="slot" x="\(width: Double(index) * slot)" y="10" \
                    width="\(width: slot)" height="\(Self.plotHeight)" /><rect class="bar" x="\(width: left)" \
                    y="\(10 + Self.plotHeight - high)" width="\(width: 0.72 * slot)" height="\(high)" /></g>

                    """
            })
        return """
            <div class="plot">
            <svg class="scale" height="\(Self.plotHeight + 36)" aria-hidden="true">\(scale)</svg>
            <svg height="\(Self.plotHeight + 36)" role="img" aria-label="Columns, one for each \(data.series.step.rawValue)">
            <g class="grid">\(lines)</g>
            \(bars)<g>\(labels)</g>
            </svg>
            </div>
            """
    }

    /// Below the columns: under the beginning of hours, under the middle of other steps.
    private var labels: Markup {
        let points = data.series.points
        let isHourly = data.series.step == .hour
        let stride = max(1, (points.count + 9) / 10)
        let hours = points.count <= 8 ? 1 : points.count <= 26 ? 3 : 6
        return Markup(
            points.enumerated().compactMap { index, point -> Markup? in
                let hour = calendar.hour(at: point.start)
                let isWhole = calendar.isWholeHour(point.start)
                guard isHourly ? isWhole && hour.isMultiple(of: hours) : index.isMultiple(of: stride) else {
                    return nil
                }
                // Every other one is left out where there is little room.
                let isMinor = isHourly ? !hour.isMultiple(of: 2 * hours) : !index.isMultiple(of: 2 * stride)
                let place = (Double(index) + (isHourly ? 0 : 0.5)) / Double(points.count)
                return """
                    <text x="\(width: place)" y="\(Self.plotHeight + 30)" \
                    class="middle\(isMinor ? " minor" : "")">\(label(of: point))</text>

                    """
            })
    }

    private func label(of point: ReportSeries.Point) -> String {
        let day = data.zone.day(at: point.start)
        switch data.series.step {
        case .hour:
            let isMidnight = calendar.hour(at: point.start) == 0
            return isMidnight && calendar.hasDays
                ? ReportCalendar.shortDate(day) : calendar.time(point.start)
        case .day, .week: return ReportCalendar.shortDate(day)
        case .month: return ReportCalendar.shortMonth(day)
        case .year: return String(day.components.year)
        }
    }
}
