// SPDX-License-Identifier: MIT

/// A unit of a tier. Units of a coarser tier come after those of a finer one, else they go by time.
struct RollupUnit: Hashable, Comparable, Sendable {
    /// The tier above bit 32, the start in quarters since the epoch below: until 2200 three bytes hold it.
    private let packed: Int64

    /// The unit that starts at a time, in microseconds.
    init(_ tier: RollupTier, start: Int64) {
        packed = tier.rawValue << 32 | start / RollupTier.quarterLength
    }

    /// The unit that holds a time.
    init(_ tier: RollupTier, holding microseconds: Int64) {
        self.init(tier, start: tier.start(of: microseconds))
    }

    var tier: RollupTier {
        RollupTier(rawValue: packed >> 32) ?? .day
    }

    /// Its start as it is stored: in quarters since the epoch.
    var storedStart: Int64 {
        packed & 0xFFFF_FFFF
    }

    /// When it starts, in microseconds.
    var start: Int64 {
        storedStart * RollupTier.quarterLength
    }

    /// When it ends, in microseconds.
    var end: Int64 {
        start + tier.length
    }

    /// The unit of the next tier that holds it, nil for a day.
    var parent: RollupUnit? {
        tier.parent.map { RollupUnit($0, holding: start) }
    }

    static func < (left: RollupUnit, right: RollupUnit) -> Bool {
        left.packed < right.packed
    }
}
