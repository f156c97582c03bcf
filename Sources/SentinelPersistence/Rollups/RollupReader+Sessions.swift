// SPDX-License-Identifier: MIT

package import SQLite
package import SentinelModels

extension RollupReader {
    /// A longest row of events of a source in which none starts more than a gap after the latest end before it.
    package struct Session: Hashable, Sendable {
        package var source: Int64
        /// Start of its first event, in microseconds since the epoch.
        package var start: Int64
        /// Latest end of its events.
        package var end: Int64
        /// How many events it has.
        package var events: Int64 = 0
        /// Microseconds in which one of its events or more last.
        package var busy: Int64 = 0

        /// Its place in the order of sessions.
        package var position: SessionPosition {
            SessionPosition(start: start, source: source)
        }
    }

    /// A place among sessions: by their start, those of one time by their source's number.
    package struct SessionPosition: Hashable, Comparable, Sendable {
        package var start: Int64
        package var source: Int64

        package init(start: Int64, source: Int64) {
            self.start = start
            self.source = source
        }

        private static let form = CursorText(kind: 0x5365_7373_696f_6e73)

        /// Reads what ``text`` gave.
        ///
        /// - Throws: `invalidArgs` for anything else.
        package init(_ text: String) throws(SentinelError) {
            guard let numbers = Self.form.numbers(in: text) else {
                throw SentinelError(.invalidArgs, "the cursor is none that a page of sessions came with")
            }
            start = Int64(bitPattern: numbers.high)
            source = Int64(bitPattern: numbers.low)
        }

        /// The place in a form that goes over the bus.
        package var text: String {
            Self.form.text(UInt64(bitPattern: start), UInt64(bitPattern: source))
        }

        package static func < (left: SessionPosition, right: SessionPosition) -> Bool {
            (left.start, left.source) < (right.start, right.source)
        }
    }

    /// The sessions that touch a window, whole also where they reach out of it, the newest first: at most `limit`,
    /// after a place where one is given.
    ///
    /// The cost goes by the length of the window and by how many events the sessions have; with a gap below that of
    /// summaries by the events in the window.
    package func sessions(
        from start: Int64, to end: Int64, gap: Int64, sources: Set<Int64>? = nil, limit: Int,
        after position: SessionPosition? = nil
    ) throws(SQLiteError) -> [Session] {
        let window = RollupWindow(from: start, to: end)
        guard window.start < window.end, limit > 0 else { return [] }
        let sessions = try fold(window, gap: gap, sources: sources, most: limit, before: position).touching
        return try counted(
            sessions.map { Session(source: $0.source, start: $0.run.start, end: $0.run.end) })
    }

    // MARK: Extent

    /// Folds the runs around a window, from so early that each session which touches it has its start.
    private func fold(
        _ window: RollupWindow, gap: Int64, sources: Set<Int64>?, most: Int, before bound: SessionPosition?
    ) throws(SQLiteError) -> SessionFold {
        let earliest: EventKey? = try connection.first("SELECT min(key) FROM events")
        let latest: EventKey? = try connection.first("SELECT max(key) FROM events")
        var distance = min(max(gap, RollupTier.hour.length), window.start)
        while true {
            let origin = RollupTier.hour.start(of: window.start - distance)
            let isAll = origin <= earliest?.microseconds ?? .max
            let carriedEnds = isAll ? [:] : try carriedEnds(at: origin).filter { sources?.contains($0.key) ?? true }
            var fold = SessionFold(
                window: window, gap: gap, origin: isAll ? nil : origin, most: most, before: bound,
                carriedEnds: carriedEnds)
            func insert(from start: Int64, to end: Int64) throws(SQLiteError) {
                let part = RollupWindow(from: start, to: end)
                try forEachRun(in: part, coarsest: gap < SessionRuns.summaryGap ? nil : .day) { source, run in
                    if sources?.contains(source) ?? true {
                        fold.insert(run, of: source)
                    }
                }
            }
            try insert(from: origin, to: window.start)
            try insert(from: window.start, to: window.end)
            var position = window.end
            while position <= latest?.microseconds ?? 0, fold.mayGoOn(at: position) {
                let next = RollupTier.day.start(of: position) + RollupTier.day.length
                try insert(from: position, to: next)
                position = next
            }
            if !fold.touching.contains(where: \.mayStartEarlier) {
                return fold
            }
            distance = distance > window.start / 4 ? window.start : distance * 4
        }
    }

    // MARK: Events

    /// Counts the events of sessions and the time in which they last.
    private func counted(_ sessions: [Session]) throws(SQLiteError) -> [Session] {
        // Of each source the sessions that the walk has not passed, the next one last.
        var coming: [Int64: [Int]] = [:]
        for index in sessions.indices {
            coming[sessions[index].source, default: []].append(index)
        }
        var counted = sessions
        var busyUntil: [Int64: Int64] = [:]
        for range in Self.ranges(of: sessions) {
            let walk = try EventWalk(from: range.lowerBound, to: range.upperBound, in: connection)
            while let stored = try walk.next() {
                let span = present?.lasting(stored) ?? stored
                while let index = coming[span.sourceID]?.last, sessions[index].end < span.start {
                    coming[span.sourceID]?.removeLast()
                    busyUntil[span.sourceID] = nil
                }
                guard let index = coming[span.sourceID]?.last, sessions[index].start <= span.start else { continue }
                counted[index].events += 1
                let from = max(span.start, busyUntil[span.sourceID] ?? span.start)
                if span.end > from {
                    counted[index].busy += span.end - from
                    busyUntil[span.sourceID] = span.end
                }
            }
        }
        return counted
    }

    /// The stretches of time in which events of sessions start, apart from each other and in order.
    private static func ranges(of sessions: [Session]) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        for session in sessions.reversed() {
            let end = session.end + 1
            if let last = ranges.last, session.start <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                ranges.append(session.start..<end)
            }
        }
        return ranges
    }
}
