// SPDX-License-Identifier: MIT

import SentinelModels

extension ReportData {
    /// All of it, with the keys of `org.sentinel.Analytics1`: times in microseconds since the Unix epoch, durations in
    /// seconds.
    var json: JSONValue {
        let types = summary.types.sorted { $0.key < $1.key }
        return [
            "made": .integer(made.microseconds),
            "time_zone": .string(zone.name),
            "start": .integer(window.lowerBound),
            "end": .integer(window.upperBound),
            "summary": [
                "counts_by_type": .object(types.map { ($0.key.text, .unsigned($0.value.count)) }),
                "durations_by_type": .object(types.map { ($0.key.text, .double($0.value.seconds)) }),
                "total_duration": .double(summary.total.seconds),
                "event_count": .unsigned(summary.total.count),
                "session_count": .unsigned(summary.sessionCount ?? 0),
                "application_count": .unsigned(summary.applicationCount),
            ],
            "series": [
                "step": .string(series.step.rawValue),
                "points": .array(
                    series.points.map { point in
                        [
                            "start": .integer(point.start),
                            "end": .integer(point.end),
                            "count": .unsigned(point.amount.count),
                            "duration": .double(point.amount.seconds),
                        ]
                    }),
            ],
            "top": ["type": Self.json(self.types), "source": Self.json(applications)],
            "heatmap": .array(heatmap.map { .unsigned($0) }),
            "sessions": .array(
                sessions.map { session in
                    [
                        "source": .string(session.source.text),
                        "start": .integer(session.start),
                        "end": .integer(session.end),
                        "event_count": .unsigned(session.eventCount),
                        "busy_seconds": .double(session.busySeconds),
                    ]
                }),
            "trend": trendJSON,
        ]
    }

    private static func json(_ ranking: ReportRanking) -> JSONValue {
        .array(
            ranking.entries.map { entry in
                [
                    "name": .string(entry.name.text),
                    "count": .unsigned(entry.amount.count),
                    "duration": .double(entry.amount.seconds),
                ]
            })
    }

    private var trendJSON: JSONValue {
        [
            "day": .string(trend.day.description),
            "days": .integer(Int64(Self.trendDays)),
            "event_count": .unsigned(trend.total.count),
            "mean_event_count": .double(trend.meanCount),
            "total_duration": .double(trend.total.seconds),
            "mean_total_duration": .double(trend.meanSeconds),
            "by_type": .object(
                trend.types.sorted { $0.key < $1.key }.map { name, counts in
                    (name.text, ["count": .unsigned(counts.count), "mean": .double(counts.mean)])
                }),
        ]
    }
}
