// SPDX-License-Identifier: MIT

import SQLite

/// Changes of the rollups that events bring, gathered in memory and written together.
///
/// What is gathered is told as the events table is changed, and written in the same savepoint after the table: events
/// that went are the one thing for which `flush(in:)` looks at the table again. Where the savepoint fails, the ledger
/// is to be dropped with it.
struct RollupLedger {
    /// A row of a projection.
    struct Key: Hashable, Comparable {
        var unit: RollupUnit
        /// The type or source; in pairs the type.
        var id: Int64
        /// In pairs the source, else 0.
        var second: Int64 = 0

        static func < (left: Key, right: Key) -> Bool {
            (left.unit, left.id, left.second) < (right.unit, right.id, right.second)
        }
    }

    /// Changes of a row of sources.
    struct SourceChange {
        var amount = RollupAmount()
        /// Events that came, as runs.
        var added = SessionRuns()
        /// Whether events went, so that the runs are to be made anew.
        var isStale = false
    }

    var types: [Key: RollupAmount] = [:]
    var sources: [Key: SourceChange] = [:]
    var pairs: [Key: RollupAmount] = [:]
    /// Events that were deleted and did not come back under their key.
    private(set) var removed: [EventKey: EventSpan] = [:]

    /// Whether nothing is to be written.
    var isEmpty: Bool {
        sources.isEmpty
    }

    /// Notes an event that was inserted. Where it takes the place of one that was deleted, starts as that did and ends no
    /// earlier, as an open event does that is closed, both together cost no more than one that is new.
    mutating func add(_ span: EventSpan) {
        count(span, times: 1)
        addRun(of: span)
        guard !removed.isEmpty, let old = removed.removeValue(forKey: span.key) else { return }
        if old.start != span.start || old.sourceID != span.sourceID || old.end > span.end {
            markStale(old)
        }
    }

    /// Notes an event that was deleted.
    mutating func remove(_ span: EventSpan) {
        count(span, times: -1)
        removed[span.key] = span
    }

    /// Notes an event that took the place of another.
    mutating func replace(_ old: EventSpan, with new: EventSpan) {
        guard old != new else { return }
        remove(old)
        add(new)
    }

    /// Has the runs made anew that events were taken away from.
    mutating func settleRemovals() {
        for span in removed.values {
            markStale(span)
        }
        removed.removeAll(keepingCapacity: true)
    }

    private mutating func markStale(_ span: EventSpan) {
        for tier in RollupTier.allCases {
            let key = Key(unit: RollupUnit(tier, holding: span.start), id: span.sourceID)
            sources[key, default: SourceChange()].isStale = true
        }
    }

    private mutating func addRun(of span: EventSpan) {
        for tier in RollupTier.allCases {
            let key = Key(unit: RollupUnit(tier, holding: span.start), id: span.sourceID)
            sources[key, default: SourceChange()].added.insert(.init(start: span.start, end: span.end))
        }
    }

    private mutating func count(_ span: EventSpan, times factor: Int64) {
        span.forEachShare { unit, share in
            types[Key(unit: unit, id: span.typeID), default: RollupAmount()].add(share, times: factor)
            sources[Key(unit: unit, id: span.sourceID), default: SourceChange()].amount.add(share, times: factor)
            var pairShare = share
            if unit.tier != .quarter {
                (pairShare.count, pairShare.sum) = (0, 0)
                guard pairShare.whole != 0 else { return }
            }
            pairs[Key(unit: unit, id: span.typeID, second: span.sourceID), default: RollupAmount()]
                .add(pairShare, times: factor)
        }
    }
}
