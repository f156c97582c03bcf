// SPDX-License-Identifier: MIT

/// A half-open window of time, taken apart into what rollups can answer.
struct RollupWindow {
    /// A part of the window.
    enum Piece: Equatable {
        /// Whole units of a tier, between two times.
        case units(RollupTier, from: Int64, to: Int64)
        /// Less than a quarter, inside one.
        case events(from: Int64, to: Int64)
    }

    /// When it starts and ends, in microseconds since the epoch, within what can be stored.
    let start: Int64
    let end: Int64

    /// Start of a day in 2243, later than any event ends.
    static let latest = 100_000 * RollupTier.day.length

    init(from start: Int64, to end: Int64) {
        self.start = min(max(start, 0), Self.latest)
        self.end = min(max(end, self.start), Self.latest)
    }

    /// The window in order of time: from units of `coarsest` where they fit, finer ones towards the ends.
    func pieces(coarsest: RollupTier) -> [Piece] {
        var pieces: [Piece] = []
        append(coarsest, from: start, to: end, to: &pieces)
        return pieces
    }

    private func append(_ tier: RollupTier, from start: Int64, to end: Int64, to pieces: inout [Piece]) {
        guard start < end else { return }
        let (first, last) = (tier.firstStart(from: start), tier.start(of: end))
        if first < last {
            appendFiner(than: tier, from: start, to: first, to: &pieces)
            pieces.append(.units(tier, from: first, to: last))
            appendFiner(than: tier, from: last, to: end, to: &pieces)
        } else if first == last {
            appendFiner(than: tier, from: start, to: first, to: &pieces)
            appendFiner(than: tier, from: last, to: end, to: &pieces)
        } else {
            appendFiner(than: tier, from: start, to: end, to: &pieces)
        }
    }

    private func appendFiner(than tier: RollupTier, from start: Int64, to end: Int64, to pieces: inout [Piece]) {
        if let child = tier.child {
            append(child, from: start, to: end, to: &pieces)
        } else if start < end {
            pieces.append(.events(from: start, to: end))
        }
    }

    /// The units of a tier that the window covers only in part, at most two.
    func partialUnits(of tier: RollupTier) -> [RollupUnit] {
        guard start < end else { return [] }
        let first = RollupUnit(tier, holding: start)
        let last = RollupUnit(tier, holding: end)
        var units: [RollupUnit] = []
        if first.start < start || end < first.end {
            units.append(first)
        }
        if last != first, last.start < end {
            units.append(last)
        }
        return units
    }

    /// Microseconds of the window in a stretch of time.
    func overlap(from start: Int64, to end: Int64) -> Int64 {
        max(0, min(end, self.end) - max(start, self.start))
    }
}
