// SPDX-License-Identifier: MIT

import SentinelModels

/// The events that wait to be sent for one subscription.
struct EventFeed {
    let filter: EventMatcher
    /// How many events were left out since something was last sent.
    private(set) var dropped: UInt64 = 0
    private var waiting = Queue<Event>()

    init(_ filter: EventFilter) {
        self.filter = EventMatcher(filter)
    }

    var count: Int { waiting.count }

    /// Adds an event.
    mutating func append(_ event: Event) {
        waiting.append(event)
    }

    /// Notes that events were left out.
    mutating func drop() {
        dropped += 1
    }

    /// Takes out the event that has waited longest.
    mutating func popFirst() -> Event? {
        waiting.popFirst()
    }

    /// Tells how many events were left out, and begins to count anew.
    mutating func takeDropped() -> UInt64 {
        defer { dropped = 0 }
        return dropped
    }

    /// Changes what waits.
    ///
    /// - Parameter change: gives what is left of an event; nil if it is gone.
    /// - Returns: how many bytes are gone with that.
    mutating func replace(_ change: (Event) -> Event?) -> Int {
        let before = waiting.elements
        let kept = before.compactMap(change)
        waiting = Queue(kept)
        return before.reduce(0) { $0 + $1.weight } - kept.reduce(0) { $0 + $1.weight }
    }
}
