// SPDX-License-Identifier: MIT

/// What events contribute to a unit, or a change of it.
struct RollupAmount: Hashable, Sendable {
    /// How many start in it.
    var count: Int64 = 0
    /// Microseconds inside it of the events that cover it partly.
    var sum: Int64 = 0
    /// How many cover it entirely, but not the unit of the next tier that holds it.
    var whole: Int64 = 0

    var isZero: Bool {
        count == 0 && sum == 0 && whole == 0
    }

    /// Whether something is taken away.
    var isReduction: Bool {
        count < 0 || sum < 0 || whole < 0
    }

    mutating func add(_ other: RollupAmount, times factor: Int64) {
        count += other.count * factor
        sum += other.sum * factor
        whole += other.whole * factor
    }
}

extension EventSpan {
    /// Calls `body` with all that the event contributes to the rows of its pair: the quarter in which it starts, where
    /// it is counted, a quarter that it covers partly at its end, and the units of all tiers that it covers entirely
    /// while it does not cover the one of the next tier around them. The longest event has fewer than 100 of them. What
    /// it contributes to coarser units beside that follows from them: ``RollupChanges``.
    func forEachShare(_ body: (RollupUnit, RollupAmount) -> Void) {
        let end = end
        let first = RollupUnit(.quarter, holding: start)
        var share = RollupAmount(count: 1)
        if start > first.start || end < first.end {
            share.sum = min(end, first.end) - start
        }
        body(first, share)
        guard end >= first.end else { return }
        let last = RollupUnit(.quarter, holding: end)
        if end > last.start {
            body(last, RollupAmount(sum: end - last.start))
        }
        for tier in RollupTier.allCases {
            forEachWhole(tier) { body(RollupUnit(tier, start: $0), RollupAmount(whole: 1)) }
        }
    }

    private func forEachWhole(_ tier: RollupTier, _ body: (Int64) -> Void) {
        let (first, last) = (tier.firstStart(from: start), tier.start(of: end))
        if let parent = tier.parent {
            let (parentFirst, parentLast) = (parent.firstStart(from: start), parent.start(of: end))
            if parentFirst < parentLast {
                stride(from: first, to: parentFirst, by: Int64.Stride(tier.length)).forEach(body)
                stride(from: parentLast, to: last, by: Int64.Stride(tier.length)).forEach(body)
                return
            }
        }
        stride(from: first, to: last, by: Int64.Stride(tier.length)).forEach(body)
    }
}
