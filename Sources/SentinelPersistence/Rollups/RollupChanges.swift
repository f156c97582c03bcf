// SPDX-License-Identifier: MIT

/// Changes of the rows of all projections, as they follow from what events bring to their pairs.
///
/// An event counts in a coarser unit as it does in the finer one in which it starts. The time that it covers of a unit
/// partly is the time in the units of the finer tier, those among them included that it covers entirely.
struct RollupChanges {
    typealias Key = RollupLedger.Key

    private(set) var types: [Key: RollupAmount] = [:]
    private(set) var sources: [Key: RollupLedger.SourceChange] = [:]
    let pairs: [Key: RollupAmount]

    /// What follows from what was gathered; removals must be settled.
    init(_ ledger: RollupLedger) {
        pairs = ledger.pairs
        types.reserveCapacity(pairs.count)
        sources.reserveCapacity(pairs.count)
        for (key, amount) in pairs {
            types[Key(unit: key.unit, id: key.id), default: RollupAmount()].add(amount, times: 1)
            sources[Key(unit: key.unit, id: key.second), default: .init()].amount.add(amount, times: 1)
        }
        for (key, runs) in ledger.added {
            sources[key, default: .init()].added = runs
        }
        for key in ledger.stale {
            sources[key, default: .init()].isStale = true
        }
        for tier in RollupTier.allCases {
            rollUp(tier)
        }
    }

    /// From when to when the events began and lasted that were changed.
    var times: ChangedTimes {
        var times = ChangedTimes.none
        for key in pairs.keys {
            times.formUnion(.some(key.unit.start..<key.unit.end))
        }
        return times
    }

    /// How many more events there are of types or sources.
    func uses(in table: NameTable) -> [(id: Int64, change: Int64)] {
        switch table {
        case .types: Self.uses(types.lazy.map { ($0.key, $0.value) })
        case .sources: Self.uses(sources.lazy.map { ($0.key, $0.value.amount) })
        }
    }

    private static func uses(_ rows: some Sequence<(Key, RollupAmount)>) -> [(id: Int64, change: Int64)] {
        rows.filter { $0.0.unit.tier == .day }.map { ($0.0.id, $0.1.count) }
    }

    /// Brings the changes of a tier to the next one.
    private mutating func rollUp(_ tier: RollupTier) {
        for (key, amount) in types.filter({ $0.key.unit.tier == tier }) {
            guard let parent = key.parent else { return }
            types[parent, default: RollupAmount()].addPart(amount, of: tier)
        }
        // In order of time, in which runs are folded fastest.
        for (key, change) in sources.filter({ $0.key.unit.tier == tier }).sorted(by: { $0.key < $1.key }) {
            guard let parent = key.parent else { return }
            sources[parent, default: .init()].addPart(change, of: tier)
        }
    }
}

extension RollupLedger.Key {
    /// The row of the next tier, nil for a day.
    fileprivate var parent: Self? {
        unit.parent.map { Self(unit: $0, id: id, second: second) }
    }
}

extension RollupAmount {
    /// Adds the amount of a unit of a tier that is part of this one's.
    fileprivate mutating func addPart(_ part: RollupAmount, of tier: RollupTier) {
        count += part.count
        sum += part.sum + part.whole * tier.length
    }
}

extension RollupLedger.SourceChange {
    fileprivate mutating func addPart(_ part: Self, of tier: RollupTier) {
        amount.addPart(part.amount, of: tier)
        added.insert(part.added)
        isStale = isStale || part.isStale
    }
}
