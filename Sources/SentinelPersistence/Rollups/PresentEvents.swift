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
        bySource = Dictionary(grouping: spans, by: \.sourceID)
        byKey = Dictionary(spans.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Whether nothing is open.
    package var isEmpty: Bool { spans.isEmpty }

    func spans(of source: Int64) -> [EventSpan] { bySource[source] ?? [] }

    /// An event, until now if it is open.
    func lasting(_ span: EventSpan) -> EventSpan { byKey[span.key] ?? span }
}
