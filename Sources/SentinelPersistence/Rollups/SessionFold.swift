// SPDX-License-Identifier: MIT

/// Runs of several sources folded into the sessions that touch a window.
///
/// The runs come in order of time, from some time before the window until after it. What lies before them is unknown:
/// a session that may have begun earlier says so.
struct SessionFold {
    /// A session with what is known of it.
    struct Session {
        var source: Int64
        var run: SessionRuns.Run
        /// Whether it may have events before the first that was folded.
        var mayStartEarlier: Bool
        /// Whether one of its events starts in the window or covers part of it.
        var touches: Bool

        /// Its place in the order of sessions.
        var position: RollupReader.SessionPosition { .init(start: run.start, source: source) }
    }

    let window: RollupWindow
    let gap: Int64
    /// From when on runs are folded; nil where nothing is earlier.
    let origin: Int64?
    /// So many of the newest sessions are wanted, with a later place than that of the page before.
    let most: Int
    let bound: RollupReader.SessionPosition?
    /// Sessions that touch the window and are over, as far as they are wanted.
    private var finished: [Session] = []
    /// The latest session of each source.
    private var latest: [Int64: Session] = [:]

    /// A fold of runs that start at `origin` or later; `carriedEnds` are the latest ends of events that started before
    /// and end after it.
    init(
        window: RollupWindow, gap: Int64, origin: Int64?, most: Int, before bound: RollupReader.SessionPosition?,
        carriedEnds: [Int64: Int64]
    ) {
        self.window = window
        self.gap = gap
        self.origin = origin
        self.most = most
        self.bound = bound
        guard let origin else { return }
        for (source, end) in carriedEnds {
            latest[source] = Session(
                source: source, run: .init(start: origin, end: end), mayStartEarlier: true, touches: end > window.start)
        }
    }

    /// Folds in a run of events that all start before the window, all in it, or all after it.
    mutating func insert(_ run: SessionRuns.Run, of source: Int64) {
        let touches = run.start < window.end && (run.start >= window.start || run.end > window.start)
        if var session = latest[source], run.start - session.run.end <= gap {
            session.run.end = max(session.run.end, run.end)
            session.touches = session.touches || touches
            latest[source] = session
            return
        }
        let isFirst = latest[source] == nil
        finish(source)
        if run.start < window.end {
            let mayStartEarlier = isFirst && origin.map { run.start - $0 <= gap } ?? false
            latest[source] = Session(source: source, run: run, mayStartEarlier: mayStartEarlier, touches: touches)
        }
    }

    private mutating func finish(_ source: Int64) {
        guard let session = latest.removeValue(forKey: source), session.touches, isWanted(session) else { return }
        finished.append(session)
        if finished.count / 2 >= most, finished.count > 1024 {
            keepNewest()
        }
    }

    /// Whether a session comes after the page before; one of which the start is not known yet may.
    private func isWanted(_ session: Session) -> Bool {
        session.mayStartEarlier || bound.map { session.position < $0 } ?? true
    }

    private mutating func keepNewest() {
        finished.sort { $0.position > $1.position }
        finished.removeLast(max(0, finished.count - most))
    }

    /// Whether a run that starts at a time or later may belong to a session that touches the window.
    func mayGoOn(at time: Int64) -> Bool {
        latest.values.contains { $0.touches && time - $0.run.end <= gap }
    }

    /// The wanted sessions that touch the window, the newest first.
    var touching: [Session] {
        var all = self
        for source in latest.keys {
            all.finish(source)
        }
        all.keepNewest()
        return all.finished
    }
}
