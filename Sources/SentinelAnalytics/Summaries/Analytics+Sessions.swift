// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

/// A longest run of a source's events in which none starts more than a gap after the latest end before it.
public struct Session: Equatable, Sendable {
    /// Whose events.
    public var source: Name
    /// Start of the first event, in microseconds since the Unix epoch.
    public var start: Int64
    /// Latest end of its events.
    public var end: Int64
    /// How many events it has.
    public var eventCount: UInt64
    /// Microseconds in which at least one of its events lasts.
    public var busy: Int64

    /// The time in which at least one of its events lasts, in seconds.
    public var busySeconds: Double { Double(busy) / 1_000_000 }
}

/// Some of the sessions that touch a window, the newest first.
public struct SessionPage: Equatable, Sendable {
    /// The sessions.
    public var sessions: [Session]
    /// Where the next page begins; nil where there is none.
    public var next: String?
}

extension Analytics {
    /// Finds the sessions that touch a window, whole also where they reach out of it. The cost goes by the length of the
    /// window and by the number of events that the sessions have.
    ///
    /// - Parameters:
    ///   - gap: microseconds without an event that end a session.
    ///   - cursor: where the page before ended; nil for the first page.
    ///   - completion: `invalidArgs` for a cursor that none ended with.
    public func sessions(
        of window: Range<Int64>, gap: Int64, limit: Int, after cursor: String? = nil,
        cancellation: ReadCancellation? = nil, completion: @escaping Completion<SessionPage>
    ) {
        read(window, isLong: true, cancellation) { reading in
            try reading.sessions(
                of: window, gap: gap, limit: limit, after: try cursor.map { try RollupReader.SessionPosition($0) })
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// A page of the sessions that touch a window.
    func sessions(
        of window: Range<Int64>, gap: Int64, limit: Int, after position: RollupReader.SessionPosition? = nil
    ) throws -> SessionPage {
        // One more tells whether another page follows.
        let found = try rollups.sessions(
            from: window.lowerBound, to: window.upperBound, gap: gap, limit: limit + 1, after: position)
        let page = found.prefix(limit)
        return SessionPage(
            sessions: try page.map { session in
                Session(
                    source: try name(session.source, of: .source), start: session.start, end: session.end,
                    eventCount: UInt64(clamping: session.events), busy: session.busy)
            }, next: found.count > limit ? page.last?.position.text : nil)
    }
}
