// SPDX-License-Identifier: MIT

package import SQLite
import SentinelModels

extension RollupReader {
    /// How many sessions of the gap of summaries touch a window, by source: those of which an event starts in it or
    /// covers part of it.
    package func sessionCounts(
        from start: Int64, to end: Int64, sources: Set<Int64>? = nil
    ) throws(SQLiteError) -> [Int64: Int64] {
        let window = RollupWindow(from: start, to: end)
        guard window.start < window.end else { return [:] }
        // Of what started before, only what reaches into the window matters: a session that ended does not touch it,
        // and one that goes on with the window's first event counts once either way.
        var latestEnds = try carriedEnds(at: window.start)
        var counts = latestEnds.mapValues { _ in Int64(1) }
        try forEachRun(in: window, coarsest: .day) { source, run in
            guard let latest = latestEnds[source], run.start - latest <= SessionRuns.summaryGap else {
                counts[source, default: 0] += 1
                latestEnds[source] = run.end
                return
            }
            latestEnds[source] = max(latest, run.end)
        }
        if let sources {
            counts = counts.filter { sources.contains($0.key) }
        }
        return counts
    }

    /// Gives `body` the events that start in a window, for each source in order of time: folded into runs at the gap of
    /// summaries where units of `coarsest` or finer ones fit, with nil each event for itself.
    func forEachRun(
        in window: RollupWindow, coarsest: RollupTier?, _ body: (Int64, SessionRuns.Run) -> Void
    ) throws(SQLiteError) {
        let pieces = coarsest.map { window.pieces(coarsest: $0) } ?? [.events(from: window.start, to: window.end)]
        for piece in pieces {
            switch piece {
            case .units(let tier, let from, let to):
                let rows = try connection.prepare(
                    """
                    SELECT start, source, runs FROM source_rollups
                    WHERE tier = ? AND start >= ? AND start < ? AND count <> 0 ORDER BY start
                    """)
                try rows.bind(RollupUnit(tier, start: from), at: 1)
                try rows.bind(RollupUnit(tier, start: to).storedStart, at: 3)
                while try rows.step() {
                    let start: Int64 = try rows.column(0)
                    let source: Int64 = try rows.column(1)
                    let runs = try runs(rows, 2, in: RollupUnit(tier, start: start * RollupTier.quarterLength))
                    for run in runs.runs {
                        body(source, lasting(run, of: source))
                    }
                }
            case .events(let from, let to):
                let walk = try EventWalk(from: from, to: to, in: connection)
                while let span = try walk.next() {
                    body(span.sourceID, lasting(.init(start: span.start, end: span.end), of: span.sourceID))
                }
            }
        }
    }

    /// A run with its events that are open lasting until the present.
    private func lasting(_ run: SessionRuns.Run, of source: Int64) -> SessionRuns.Run {
        guard let end = present?.latestEnd(of: source, beginningIn: run.start...run.end) else { return run }
        return SessionRuns.Run(start: run.start, end: max(run.end, end))
    }

    /// The latest ends of the events that start before a time and end after it, by source.
    ///
    /// The units before are looked at, the nearest first. What started before a unit and reaches past the time covers
    /// the unit entirely: only sources of which the unit says so are looked for further back.
    func carriedEnds(at time: Int64) throws(SQLiteError) -> [Int64: Int64] {
        var ends: [Int64: Int64] = [:]
        func note(_ end: Int64?, of source: Int64) {
            if let end, end > time {
                ends[source] = max(end, ends[source] ?? end)
            }
        }
        for span in present?.spans ?? [] where span.start < time {
            note(span.end, of: span.sourceID)
        }
        var position = RollupTier.quarter.start(of: time)
        if position < time {
            let walk = try EventWalk(from: position, to: time, in: connection)
            while let span = try walk.next() {
                note(span.end, of: span.sourceID)
            }
        }
        var candidates: Set<Int64>?
        while candidates?.isEmpty != true, position > 0, time - position < Event.longestDuration {
            let tier: RollupTier = [.day, .hour].first { position % $0.length == 0 } ?? .quarter
            let unit = RollupUnit(tier, start: position - tier.length)
            let rows = try connection.prepare("SELECT source, runs FROM source_rollups WHERE tier = ? AND start = ?")
            try rows.bind(all: tier.rawValue, unit.storedStart)
            while try rows.step() {
                let source: Int64 = try rows.column(0)
                if candidates?.contains(source) ?? true {
                    note(try runs(rows, 1, in: unit).latestEnd, of: source)
                }
            }
            let covering = try sourcesCovering(unit)
            candidates = candidates?.intersection(covering) ?? covering
            position = unit.start
        }
        return ends
    }

    /// The sources that have an event which covers a unit entirely.
    private func sourcesCovering(_ unit: RollupUnit) throws(SQLiteError) -> Set<Int64> {
        var sources: Set<Int64> = []
        var tier: RollupTier? = unit.tier
        while let level = tier {
            let around = RollupUnit(level, holding: unit.start)
            let rows = try RollupRows(
                .sources, level, from: around.start, to: around.end, wholeOnly: true, in: connection)
            while let row = try rows.next() {
                sources.insert(row.pair.source)
            }
            tier = level.parent
        }
        return sources
    }

    private func runs(_ rows: Statement, _ column: Int, in unit: RollupUnit) throws(SQLiteError) -> SessionRuns {
        guard let runs = SessionRuns(encoded: try rows.column(column), in: unit) else {
            throw SQLiteError(code: .mismatch, message: "the runs of a source cannot be read", sql: rows.sql)
        }
        return runs
    }
}
