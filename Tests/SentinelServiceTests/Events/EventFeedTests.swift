// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("Event feed")
struct EventFeedTests {
    @Test("what waits follows what is removed and changed in the store")
    func replacing() throws {
        var feed = EventFeed(EventFilter())
        let events = try (0..<4).map { number in
            Event(
                id: EventID(high: 1, low: UInt64(number)), timestamp: .earliest, type: try Name("t"),
                source: try Name("s"), data: ["k": .text("secret")])
        }
        for event in events {
            feed.append(event)
        }
        #expect(feed.popFirst() == events[0])
        let removed = feed.replace { event in
            guard event.id != events[1].id else { return nil }
            var bare = event
            bare.data = [:]
            return bare
        }
        #expect(removed == events[1].weight + 2 * ("k".utf8.count + "secret".utf8.count))
        #expect(feed.count == 2)
        #expect(feed.popFirst()?.id == events[2].id)
        #expect(feed.popFirst()?.data == [:])
        #expect(feed.popFirst() == nil)
    }
}
