// SPDX-License-Identifier: MIT

/// The order statistics of a set of figures.
struct Statistics {
    private let sorted: [Double]

    /// Sorts the figures; there must be at least one.
    init(_ figures: some Sequence<Double>) {
        sorted = figures.sorted()
        precondition(!sorted.isEmpty, "no figures, no statistics")
    }

    /// The figure in the middle, or the mean of the two there.
    var median: Double {
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The smallest figure.
    var minimum: Double {
        sorted[0]
    }

    /// The largest figure.
    var maximum: Double {
        sorted[sorted.count - 1]
    }

    /// Returns the smallest figure that at least this share (0...1) of all figures does not exceed (nearest rank).
    func percentile(_ share: Double) -> Double {
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
