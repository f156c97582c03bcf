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

    /// Changes of the rows of pairs, from which those of the other projections follow.
    private(set) var pairs: [Key: RollupAmount] = [:]
    /// Events that came, as runs, by source and the quarter in which they start.
    private(set) var added: [Key: SessionRuns] = [:]
    /// Sources, and the quarters in which events of theirs started that went.
    private(set) var stale: Set<Key> = []
    /// Events that were deleted and did not come back under their key.
    private(set) var removed: [EventKey: EventSpan] = [:]

    /// Whether nothing is to be written.
    var isEmpty: Bool {
        pairs.isEmpty
    }

    /// Makes room for what so many events change.
    mutating func reserveCapacity(_ eventCount: Int) {
        // Many events change the same rows.
        let rowCount = min(eventCount, 1024)
        pairs.reserveCapacity(rowCount)
        added.reserveCapacity(rowCount / 4)
    }

    /// Notes an event that was inserted. Where it takes the place of one that was deleted, starts as that did and ends
    /// no earlier, as an open event does that is closed, both together cost no more than one that is new.
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
    private mutating func settleRemovals() {
        for span in removed.values {
            markStale(span)
        }
        removed.removeAll(keepingCapacity: true)
    }

    /// Takes in what another one has gathered after this one.
    mutating func merge(_ later: RollupLedger) {
        guard !isEmpty else {
            self = later
            return
        }
        for (key, amount) in later.pairs {
            pairs[key, default: RollupAmount()].add(amount, times: 1)
        }
        for (key, runs) in later.added {
            added[key, default: SessionRuns()].insert(runs)
        }
        stale.formUnion(later.stale)
        for (key, span) in later.removed {
            if let earlier = removed.updateValue(span, forKey: key) {
                markStale(earlier)
            }
        }
    }

    /// Takes out what was gathered for the units that start before a quarter.
    mutating func take(before quarter: Int64) -> RollupChanges {
        var taken = RollupLedger()
        for (key, amount) in pairs where key.unit.storedStart < quarter {
            taken.pairs[key] = amount
            pairs[key] = nil
        }
        for (key, runs) in added where key.unit.storedStart < quarter {
            taken.added[key] = runs
            added[key] = nil
        }
        return RollupChanges(taken)
    }

    /// Takes out everything.
    mutating func takeAll() -> RollupChanges {
        settleRemovals()
        defer { self = RollupLedger() }
        return RollupChanges(self)
    }

    private mutating func markStale(_ span: EventSpan) {
        stale.insert(Key(unit: RollupUnit(.quarter, holding: span.start), id: span.sourceID))
    }

    private mutating func addRun(of span: EventSpan) {
        added[Key(unit: RollupUnit(.quarter, holding: span.start), id: span.sourceID), default: SessionRuns()]
            .insert(.init(start: span.start, end: span.end))
    }

    private mutating func count(_ span: EventSpan, times factor: Int64) {
        span.forEachShare { unit, share in
            pairs[Key(unit: unit, id: span.typeID, second: span.sourceID), default: RollupAmount()]
                .add(share, times: factor)
        }
    }
}
