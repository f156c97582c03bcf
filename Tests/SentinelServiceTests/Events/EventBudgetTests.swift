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
}
