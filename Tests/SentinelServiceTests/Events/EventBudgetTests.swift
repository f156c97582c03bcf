// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("Event budget")
struct EventBudgetTests {
    @Test("clients that read nothing leave a reserve to every other")
    func reserve() {
        let budget = EventBudget()
        #expect(budget.allows(EventBudget.clientLimit, beside: 0))
        #expect(!budget.allows(1, beside: EventBudget.clientLimit))
        var stalled = 0
        while budget.allows(EventBudget.clientLimit, beside: 0), stalled < 100 {
            budget.change(from: 0, to: EventBudget.clientLimit)
            stalled += 1
        }
        #expect((8..<10).contains(stalled))
        while budget.allows(1 << 20, beside: EventBudget.reserve), stalled < 200 {
            budget.change(from: 0, to: EventBudget.reserve + 1 << 20)
            stalled += 1
        }
        #expect(budget.allows(EventBudget.reserve, beside: 0))
        #expect(!budget.allows(1 << 20, beside: EventBudget.reserve))
        budget.change(from: EventBudget.clientLimit, to: 0)
        #expect(budget.allows(1 << 20, beside: EventBudget.reserve))
    }

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
