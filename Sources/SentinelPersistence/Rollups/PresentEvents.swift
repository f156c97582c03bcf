// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The events that are open, as if they ended now: a window that holds the present counts them so.
package struct PresentEvents: Sendable {
    /// So many are taken into account, the newest first: what is never closed piles up.
    private static let most = 10_000

    /// The events, each with the time it has lasted so far.
    let spans: [EventSpan]
    private let bySource: [Int64: [EventSpan]]
    private let byKey: [EventKey: EventSpan]

    /// Reads those that began before now.
    init(now: Timestamp, in connection: Connection) throws(SQLiteError) {
        var spans: [EventSpan] = []
        let walk = try EventWalk(openIn: connection, newest: Self.most)
        while var span = try walk.next() {
            guard span.start < now.microseconds else { continue }
            span.duration = min(now.microseconds - span.start, Event.longestDuration)
            spans.append(span)
        }
        self.spans = spans
        // The oldest first, for the search.
        bySource = Dictionary(grouping: spans.reversed(), by: \.sourceID)
        byKey = Dictionary(spans.map { ($0.key, $0) }) { first, _ in first }
    }

    /// The end of the last event of a source to begin in a stretch of time, which ends last of those; nil without one.
    func latestEnd(of source: Int64, beginningIn stretch: ClosedRange<Int64>) -> Int64? {
        guard let spans = bySource[source] else { return nil }
        let later = spans.partitioningIndex { $0.start > stretch.upperBound }
        guard later > 0, spans[later - 1].start >= stretch.lowerBound else { return nil }
        return spans[later - 1].end
    }

    /// An event, until now if it is open.
    func lasting(_ span: EventSpan) -> EventSpan { byKey[span.key] ?? span }
}
