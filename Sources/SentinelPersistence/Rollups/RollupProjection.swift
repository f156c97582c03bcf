// SPDX-License-Identifier: MIT

/// One of the tables of rollups.
enum RollupProjection: CaseIterable {
    case types, sources, pairs

    var table: String {
        switch self {
        case .types: "type_rollups"
        case .sources: "source_rollups"
        case .pairs: "pair_rollups"
        }
    }

    /// Its columns of numbers of types and sources, 0 for one that it does not tell apart.
    var identity: String {
        switch self {
        case .types: "type, 0"
        case .sources: "0, source"
        case .pairs: "type, source"
        }
    }

    /// The coarsest tier by which it counts.
    var coarsest: RollupTier {
        self == .pairs ? .quarter : .day
    }

    /// What it tells apart of an event.
    func pair(of span: EventSpan) -> RollupReader.Pair {
        RollupReader.Pair(type: self == .sources ? 0 : span.typeID, source: self == .types ? 0 : span.sourceID)
    }

    /// The narrowest one that tells apart what is grouped and filtered by.
    init(byType: Bool, bySource: Bool) {
        self = byType && bySource ? .pairs : bySource ? .sources : .types
    }
}
