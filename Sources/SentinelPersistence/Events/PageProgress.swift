// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// How far a page of events has come, over as many transactions as it takes.
struct PageProgress: Sendable {
    /// What a page is to hold.
    struct Request: Sendable {
        let filter: EventFilter
        let limit: Int
        let byteLimit: Int
        let lane: ReadLane
        let cancellation: ReadCancellation?
    }

    private var position: EventScan.Position
    private var events: [Event] = []
    private var byteCount = 0
    /// The key of the last event that it holds, whichever transaction read that.
    private var lastKey: EventKey?
    /// Whether it holds all that it can.
    private(set) var isComplete = false

    /// A page that begins at a position.
    init(position: EventScan.Position) {
        self.position = position
    }

    /// Reads on in one transaction, as far as its time lasts.
    mutating func read(
        _ request: Request, in connection: Connection, for limit: Duration = ReadLane.transactionLimit
    ) throws {
        let scan = try EventScan(request.filter, .newestFirst, in: connection, for: limit)
        let ending = try scan.events(from: position) { key, event in
            let size = event.weight
            // One more than the page holds is looked for, so that the last page knows that it is.
            guard events.count < request.limit, events.isEmpty || byteCount + size <= request.byteLimit else {
                isComplete = true
                return false
            }
            events.append(event)
            byteCount += size
            lastKey = key
            return true
        }
        switch ending {
        case .end: (isComplete, position) = (true, .start)
        case .pause(let reached):
            // The walk has passed the event that the page has no room for.
            position = isComplete ? lastKey.map { .after($0) } ?? reached : reached
        }
    }

    /// The page, once it is complete.
    var page: EventPage {
        guard case .after(let key) = position else { return EventPage(events: events, next: nil) }
        return EventPage(events: events, next: EventCursor(key))
    }
}
