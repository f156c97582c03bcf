// SPDX-License-Identifier: MIT

import SentinelModels

extension HTMLReport {
    private static let laneHeight = 18

    /// The newest sessions on a line of time.
    var timeline: Markup {
        let rows: [[Markup]] = data.sessions.map { session in
            [
                Markup(name: session.source, limit: Self.longestLabel),
                time(session.start, calendar.shortMoment(session.start)),
                time(session.end, calendar.shortMoment(session.end)),
                Markup(text: ReportFigures.duration(microseconds: session.end - session.start)),
                Markup(text: ReportFigures.duration(microseconds: session.busy)),
                Markup(text: ReportFigures.count(session.eventCount)),
            ]
        }
        let all = data.summary.sessionCount ?? 0
        let lead =
            UInt64(data.sessions.count) < all
            ? "The newest \(data.sessions.count) of \(ReportFigures.count(all)), "
                + "from \(calendar.shortMoment(data.sessions.map(\.start).min() ?? data.window.lowerBound)) on, by application."
            : "\(ReportFigures.count(all, "session")), by application."
        return section(
            "sessions", "Sessions", lead, lanes,
            table: table(
                "Sessions, the newest first", ["Application", "Start", "End", "Length", "Busy", "Events"], rows))
    }

    private var lanes: Markup {
        let lanes = SessionLanes(data)
        let (times, areDays) = lanes.marks(in: data.zone)
        let lines = Markup(
            times.map { time in
                let place = lanes.place(time)
                return "<line x1=\"\(width: place)\" x2=\"\(width: place)\" y1=\"0\" y2=\"100%\" />"
            })
        let rows = lanes.lanes.map { lane -> Markup in
            let title = lane.source?.text ?? ReportFigures.count(UInt64(lanes.restCount), "other")
            return """
                <div class="lane" title="\(title)">\(label(title))<svg height="\(Self.laneHeight)" \
                aria-hidden="true"><rect class="track" width="100%" height="\(Self.laneHeight)" rx="2" />\
                <g class="grid">\(lines)</g>
                \(Markup(lane.sessions.map { mark($0, in: lanes) }))</svg></div>

                """
        }
        let labels = Markup(
            times.enumerated().map { index, time in
                """
                <text x="\(width: lanes.place(time))" y="13" class="\(lanes.place(time) < 0.03 ? "start" : "middle")\(index.isMultiple(of: 2) ? "" : " minor")">\
                \(label(of: time, areDays: areDays))</text>

                """
            })
        return """
            <div class="lanes">
            \(Markup(rows))<div class="lane" aria-hidden="true"><span></span><svg height="18">
            \(labels)</svg></div>
            </div>
            """
    }

    private func mark(_ session: Session, in lanes: SessionLanes) -> Markup {
        let (start, end) = (lanes.place(session.start), lanes.place(session.end))
        let length = ReportFigures.duration(microseconds: session.end - session.start)
        let title = """
            \(calendar.shortMoment(session.start)) to \(calendar.shortMoment(session.end)): \(length), \
            \(ReportFigures.count(session.eventCount, "event"))
            """
        return """
            <rect class="session" x="\(width: start)" y="3" width="\(width: end - start)" \
            height="\(Self.laneHeight - 6)"><title>\(title)</title></rect>

            """
    }

    private func label(of time: Int64, areDays: Bool) -> String {
        let day = data.zone.day(at: time)
        let isDay = areDays || calendar.hasDays && data.zone.start(of: day) == time
        return isDay ? ReportCalendar.shortDate(day) : calendar.time(time)
    }
}
