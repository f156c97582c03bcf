// SPDX-License-Identifier: MIT

import SentinelModels

/// Sessions on a line of time, each source on a lane of its own.
struct SessionLanes {
    /// A lane.
    struct Lane {
        /// Whose sessions it has; nil for several sources.
        var source: Name?
        var sessions: [Session]
    }

    /// From when to when the line runs.
    let window: Range<Int64>
    /// The lanes, the one with the most time first.
    let lanes: [Lane]
    /// Sources of the lane that several have.
    let restCount: Int

    static let most = 12

    init(_ data: ReportData) {
        let sessions = data.sessions
        let start = max(sessions.map(\.start).min() ?? data.window.lowerBound, data.window.lowerBound)
        let end = min(sessions.map(\.end).max() ?? data.window.upperBound, data.window.upperBound)
        let isShort = data.window.upperBound - data.window.lowerBound <= 2 * Zone.day
        // Of a long window the newest sessions may be a small part.
        window = isShort ? data.window : start..<max(end, start + 60 * Zone.second)
        let all = Dictionary(grouping: sessions, by: \.source)
            .map { (source: $0.key, sessions: $0.value, length: $0.value.reduce(0) { $0 + $1.end - $1.start }) }
            .sorted { $0.length != $1.length ? $0.length > $1.length : $0.source < $1.source }
        let hasRest = all.count > Self.most
        let own = all.prefix(hasRest ? Self.most - 1 : Self.most)
        let rest = all.dropFirst(own.count)
        lanes =
            own.map { Lane(source: $0.source, sessions: $0.sessions) }
            + (hasRest ? [Lane(source: nil, sessions: rest.flatMap(\.sessions))] : [])
        restCount = rest.count
    }

    /// Where a time is on the line, from 0 to 1.
    func place(_ time: Int64) -> Double {
        let length = Double(window.upperBound - window.lowerBound)
        return length > 0 ? min(max(Double(time - window.lowerBound) / length, 0), 1) : 0
    }

    /// Round times on the line, at most seven, and whether they are days.
    func marks(in zone: Zone) -> (times: [Int64], areDays: Bool) {
        let length = window.upperBound - window.lowerBound
        let minute = 60 * Zone.second
        let steps: [Int64] = [1, 5, 15, 30, 60, 120, 180, 240, 360, 720]
        if let step = steps.first(where: { length <= 8 * $0 * minute }) {
            var times: [Int64] = []
            // Anew from each midnight, so that they stay round where clocks are set.
            var day = zone.day(at: window.lowerBound)
            while zone.start(of: day) < window.upperBound {
                let next = zone.start(of: day.adding(days: 1))
                times += stride(from: zone.start(of: day), to: next, by: Int(step * minute)).map { $0 }
                day = day.adding(days: 1)
            }
            return (times.filter(window.contains), false)
        }
        let days = max(1, (length / Zone.day + 6) / 7)
        var day = zone.day(at: window.lowerBound)
        var times: [Int64] = []
        while zone.start(of: day) < window.upperBound {
            times.append(zone.start(of: day))
            day = day.adding(days: days)
        }
        return (times.filter(window.contains), true)
    }
}
