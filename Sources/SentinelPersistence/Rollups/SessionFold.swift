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
    }

    let window: RollupWindow
    let gap: Int64
    /// From when on runs are folded; nil where nothing is earlier.
    let origin: Int64?
    /// Sessions that touch the window and are over.
    private(set) var finished: [Session] = []
    /// The latest session of each source.
    private var latest: [Int64: Session] = [:]

    /// A fold of runs that start at `origin` or later; `carriedEnds` are the latest ends of events that started before
    /// and end after it.
    init(window: RollupWindow, gap: Int64, origin: Int64?, carriedEnds: [Int64: Int64]) {
        self.window = window
        self.gap = gap
        self.origin = origin
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
        if let session = latest.removeValue(forKey: source), session.touches {
            finished.append(session)
        }
    }

    /// Whether a run that starts at a time or later may belong to a session that touches the window.
    func mayGoOn(at time: Int64) -> Bool {
        latest.values.contains { $0.touches && time - $0.run.end <= gap }
    }

    /// All sessions that touch the window.
    var touching: [Session] {
        finished + latest.values.filter(\.touches)
    }
}
