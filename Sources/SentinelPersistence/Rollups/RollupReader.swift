// SPDX-License-Identifier: MIT

package import SQLite

/// Answers questions about windows of time from the rollups, exact to the microsecond. A window is half-open.
///
/// Each call is several statements: where the database may change meanwhile, a read transaction holds them together.
package struct RollupReader {
    /// Which events are meant; nil for any.
    package struct Filter {
        /// Numbers of their types.
        package var types: Set<Int64>?
        /// Numbers of their sources.
        package var sources: Set<Int64>?

        /// Events of these types and sources.
        package init(types: Set<Int64>? = nil, sources: Set<Int64>? = nil) {
            self.types = types
            self.sources = sources
        }

        /// Whether an event is meant. What a projection does not tell apart, the filter must not name.
        package func allows(_ pair: Pair) -> Bool {
            types?.contains(pair.type) ?? true && sources?.contains(pair.source) ?? true
        }
    }

    /// What a window holds.
    package struct Tally: Hashable, Sendable {
        /// How many events start in it.
        package var count: Int64
        /// Microseconds of events in it, those included that started before.
        package var duration: Int128

        package init(count: Int64 = 0, duration: Int128 = 0) {
            self.count = count
            self.duration = duration
        }

        /// What a row of a unit holds, without events that cover the unit around it.
        init(_ amount: RollupAmount, of tier: RollupTier) {
            count = amount.count
            duration = Int128(amount.sum) + Int128(amount.whole) * Int128(tier.length)
        }

        /// A count that a damaged table makes too large stays the largest.
        package mutating func add(_ other: Tally) {
            let (sum, isTooLarge) = count.addingReportingOverflow(other.count)
            count = isTooLarge ? .max : sum
            duration += other.duration
        }
    }

    /// A type and a source.
    package struct Pair: Hashable, Sendable {
        package var type: Int64
        package var source: Int64
    }

    let connection: Connection
    /// Where a window that is asked for holds the present: what lasts at the moment.
    package var present: PresentEvents?

    init(_ connection: Connection) {
        self.connection = connection
    }

    // MARK: Tallies

    /// What a window holds altogether.
    package func total(from start: Int64, to end: Int64, filter: Filter = Filter()) throws(SQLiteError) -> Tally {
        var total = Tally()
        try scan(.init(byType: filter.types != nil, bySource: filter.sources != nil), start, end, filter) { _, tally in
            total.add(tally)
        }
        return total
    }

    /// What a window holds by type, without types of which it holds nothing.
    package func tallies(
        byTypeFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Int64: Tally] {
        var tallies: [Int64: Tally] = [:]
        try scan(.init(byType: true, bySource: filter.sources != nil), start, end, filter) { pair, tally in
            tallies[pair.type, default: Tally()].add(tally)
        }
        return tallies
    }

    /// What a window holds by source, without sources of which it holds nothing.
    package func tallies(
        bySourceFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Int64: Tally] {
        var tallies: [Int64: Tally] = [:]
        try scan(.init(byType: filter.types != nil, bySource: true), start, end, filter) { pair, tally in
            tallies[pair.source, default: Tally()].add(tally)
        }
        return tallies
    }

    /// What a window holds by type and source, without pairs of which it holds nothing.
    package func tallies(
        byPairFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Pair: Tally] {
        var tallies: [Pair: Tally] = [:]
        try scan(.pairs, start, end, filter) { pair, tally in
            tallies[pair, default: Tally()].add(tally)
        }
        return tallies
    }

    /// Gives `body` what a window holds, in parts that are to be added up, none of them nothing.
    func scan(
        _ projection: RollupProjection, _ start: Int64, _ end: Int64, _ filter: Filter, _ body: (Pair, Tally) -> Void
    ) throws(SQLiteError) {
        let window = RollupWindow(from: start, to: end)
        func add(pair: Pair, tally: Tally) {
            if tally != Tally(), filter.allows(pair) {
                body(pair, tally)
            }
        }
        for piece in window.pieces(coarsest: projection.coarsest) {
            switch piece {
            case .units(let tier, let from, let to):
                try forEachRow(projection, tier, from, to, filter) { row in
                    add(pair: row.pair, tally: Tally(row.amount, of: tier))
                }
            case .events(let from, let to):
                try scanEvents(from: from, to: to) { span, count, duration in
                    add(pair: projection.pair(of: span), tally: Tally(count: count, duration: Int128(duration)))
                }
            }
        }
        for tier in RollupTier.allCases {
            try scanAround(window, projection, tier) { add(pair: $0, tally: Tally(duration: $1)) }
        }
        for span in present?.spans ?? [] {
            let overlap = window.overlap(from: span.start, to: span.end)
            add(pair: projection.pair(of: span), tally: Tally(duration: Int128(overlap)))
        }
    }

    /// Past how many pairs that a filter may mean all are gone through.
    private static let mostSoughtPairs = 64

    /// Gives `body` the rows of a tier between two times, at least those that the filter means.
    func forEachRow(
        _ projection: RollupProjection, _ tier: RollupTier, _ start: Int64, _ end: Int64, _ filter: Filter,
        _ body: (RollupRows.Row) -> Void
    ) throws(SQLiteError) {
        func give(_ rows: RollupRows) throws(SQLiteError) {
            while let row = try rows.next() {
                body(row)
            }
        }
        if projection == .pairs, filter.types != nil || filter.sources != nil {
            let types: Set<Int64>
            if let named = filter.types {
                types = named
            } else {
                types = Set(try tallies(byTypeFrom: start, to: end).keys)
            }
            let sources: [Int64?] = filter.sources.map { $0.map { $0 } } ?? [nil]
            if types.count <= Self.mostSoughtPairs, types.count * sources.count <= Self.mostSoughtPairs {
                for type in types {
                    for source in sources {
                        try give(RollupRows(type: type, source: source, from: start, to: end, in: connection))
                    }
                }
                return
            }
        }
        try give(RollupRows(projection, tier, from: start, to: end, in: connection))
    }

    /// Gives `body` the time of events that cover units entirely which the pieces are only parts of.
    private func scanAround(
        _ window: RollupWindow, _ projection: RollupProjection, _ tier: RollupTier,
        _ body: (Pair, Int128) -> Void
    ) throws(SQLiteError) {
        var ranges = window.partialUnits(of: tier).map { ($0.start, $0.end) }
        if tier.rawValue > projection.coarsest.rawValue, window.start < window.end {
            ranges = [(tier.start(of: window.start), tier.firstStart(from: window.end))]
        }
        for (from, to) in ranges {
            let rows = try RollupRows(projection, tier, from: from, to: to, wholeOnly: true, in: connection)
            while let row = try rows.next() {
                let start = row.start * RollupTier.quarterLength
                let overlap = window.overlap(from: start, to: start + tier.length)
                body(row.pair, Int128(row.amount.whole) * Int128(overlap))
            }
        }
    }

    /// Gives `body` the events that start in a part of a quarter, each with 1 and its time in that part, and with 0 and
    /// their time those that started before. Events that cover the quarter entirely have no time here.
    private func scanEvents(
        from start: Int64, to end: Int64, _ body: (EventSpan, Int64, Int64) -> Void
    ) throws(SQLiteError) {
        let quarter = RollupUnit(.quarter, holding: start)
        let part = RollupWindow(from: start, to: end)
        let walk = try EventWalk(from: quarter.start, to: end, in: connection)
        while let span = try walk.next() {
            let coversQuarter = span.start == quarter.start && span.end >= quarter.end
            body(
                span, span.start >= start ? 1 : 0, coversQuarter ? 0 : part.overlap(from: span.start, to: span.end))
        }
        let arrivals = try EventWalk(endingAfter: start, before: quarter.end, in: connection)
        while let span = try arrivals.next() {
            body(span, 0, part.overlap(from: span.start, to: span.end))
        }
    }
}
