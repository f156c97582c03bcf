// SPDX-License-Identifier: MIT

import SQLite

extension RollupReader {
    /// What a series tells apart.
    enum Grouping {
        case none, type, source
    }

    /// What the windows between neighbouring boundaries hold, each by type or source; ungrouped under 0. Boundaries
    /// ascend; two that are equal have a window that holds nothing between them. The cost goes by their number.
    func series(
        _ boundaries: [Int64], by grouping: Grouping, filter: Filter = Filter()
    ) throws(SQLiteError) -> [[Int64: Tally]] {
        var series: [[Int64: Tally]] = []
        for (start, end) in zip(boundaries, boundaries.dropFirst()) {
            switch grouping {
            case .type:
                series.append(try tallies(byTypeFrom: start, to: end, filter: filter))
            case .source:
                series.append(try tallies(bySourceFrom: start, to: end, filter: filter))
            case .none:
                let total = try total(from: start, to: end, filter: filter)
                series.append(total == Tally() ? [:] : [0: total])
            }
        }
        return series
    }
}
