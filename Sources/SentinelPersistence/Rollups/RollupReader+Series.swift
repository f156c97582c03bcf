// SPDX-License-Identifier: MIT

package import SQLite

extension RollupReader {
    /// What a series tells apart.
    package enum Grouping: Sendable {
        case none, type, source
    }

    /// What the windows between neighbouring boundaries hold, each by type or source; ungrouped under 0. Boundaries
    /// ascend; two that are equal have a window that holds nothing between them.
    ///
    /// Nil where there are more than `limit` of them.
    ///
    /// Where the boundaries are those of units not much shorter than the windows, their rows are gone through once;
    /// otherwise each window is a question of its own.
    package func series(
        _ boundaries: [Int64], by grouping: Grouping, filter: Filter = Filter(), limit: Int = .max
    ) throws(SQLiteError) -> [[Int64: Tally]]? {
        let projection = RollupProjection(
            byType: grouping == .type || filter.types != nil, bySource: grouping == .source || filter.sources != nil)
        var series = [[Int64: Tally]](repeating: [:], count: max(boundaries.count - 1, 0))
        var count = 0
        func add(index: Int, pair: Pair, tally: Tally) {
            guard count <= limit else { return }
            let group =
                switch grouping {
                case .none: Int64(0)
                case .type: pair.type
                case .source: pair.source
                }
            count += series[index][group] == nil ? 1 : 0
            series[index][group, default: Tally()].add(tally)
        }
        if let tier = Self.tier(for: boundaries, of: projection) {
            try scanOnce(boundaries, projection, tier, filter, add)
        } else {
            for (index, (start, end)) in zip(boundaries, boundaries.dropFirst()).enumerated() {
                try scan(projection, start, end, filter) { add(index: index, pair: $0, tally: $1) }
            }
        }
        return count <= limit ? series : nil
    }

    /// The tier whose units the boundaries are those of, nil where none is or its units are too short.
    private static func tier(for boundaries: [Int64], of projection: RollupProjection) -> RollupTier? {
        guard let first = boundaries.first, let last = boundaries.last, first >= 0, last <= RollupWindow.latest else {
            return nil
        }
        let tier = RollupTier.allCases.last { tier in
            tier.rawValue <= projection.coarsest.rawValue && boundaries.allSatisfy { $0 % tier.length == 0 }
        }
        guard let tier, (last - first) / tier.length <= 8 * Int64(boundaries.count) else { return nil }
        return tier
    }

    private func scanOnce(
        _ boundaries: [Int64], _ projection: RollupProjection, _ tier: RollupTier, _ filter: Filter,
        _ body: (Int, Pair, Tally) -> Void
    ) throws(SQLiteError) {
        guard let first = boundaries.first, let last = boundaries.last, first < last else { return }
        try forEachRow(projection, tier, first, last, filter) { row in
            let tally = Tally(row.amount, of: tier)
            if tally != Tally(), filter.allows(row.pair) {
                let start = row.start * RollupTier.quarterLength
                body(boundaries.partitioningIndex { $0 > start } - 1, row.pair, tally)
            }
        }
        var coarser = tier.parent
        while let tier = coarser {
            let rows = try RollupRows(
                projection, tier, from: tier.start(of: first), to: tier.firstStart(from: last), wholeOnly: true,
                in: connection)
            while let row = try rows.next() {
                let start = row.start * RollupTier.quarterLength
                let end = start + tier.length
                guard filter.allows(row.pair) else { continue }
                spread(start, end, over: boundaries) { index, overlap in
                    body(index, row.pair, Tally(duration: Int128(row.amount.whole) * Int128(overlap)))
                }
            }
            coarser = tier.parent
        }
        for span in present?.spans ?? [] where filter.allows(projection.pair(of: span)) {
            spread(span.start, span.end, over: boundaries) { index, overlap in
                body(index, projection.pair(of: span), Tally(duration: Int128(overlap)))
            }
        }
    }

    /// Gives `body` each window between neighbouring boundaries that a stretch of time overlaps, and by how much.
    private func spread(_ start: Int64, _ end: Int64, over boundaries: [Int64], _ body: (Int, Int64) -> Void) {
        var index = max(boundaries.partitioningIndex { $0 > start } - 1, 0)
        while index + 1 < boundaries.count, boundaries[index] < end {
            let window = RollupWindow(from: boundaries[index], to: boundaries[index + 1])
            let overlap = window.overlap(from: start, to: end)
            if overlap > 0 {
                body(index, overlap)
            }
            index += 1
        }
    }
}
