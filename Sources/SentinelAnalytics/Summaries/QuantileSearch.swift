// SPDX-License-Identifier: MIT

/// Finds quantiles of durations in bounded memory: of few all are kept, of many it is counted in further passes over
/// them how many lie where the wanted ones are, each time more finely.
struct QuantileSearch: Sendable {
    /// So many durations are kept, at eight bytes each.
    static let mostKept = 1 << 20
    /// A pass tells apart so many bits of a duration, of 42 that the longest has.
    private static let bitsOfPass: Int64 = 14
    private static let passes: Int64 = 3

    private let quantiles: [Double]
    private let mostKept: Int
    /// The durations, while there are few.
    private var kept: [Int64] = []
    private var count = 0
    /// Which pass it is; 0 while durations are kept.
    private var pass: Int64 = 0
    /// The ranks that are sought, with the leading bits of the duration as far as they are known, and how many durations
    /// are smaller than all of those bits.
    private var sought: [(rank: Int, prefix: Int64, below: Int)] = []
    /// Of each prefix, how many durations have which next bits.
    private var counts: [Int64: [Int]] = [:]

    /// - Parameter mostKept: how many durations are kept, for tests.
    init(_ quantiles: [Double], mostKept: Int = mostKept) {
        self.quantiles = quantiles
        self.mostKept = mostKept
    }

    /// Takes the next duration of a pass.
    mutating func insert(_ duration: Int64) {
        guard pass > 0 else {
            count += 1
            if kept.count < mostKept {
                kept.append(duration)
            }
            return
        }
        let shift = (Self.passes - pass) * Self.bitsOfPass
        let part = duration >> shift
        counts[part >> Self.bitsOfPass]?[Int(part & (1 << Self.bitsOfPass - 1))] += 1
    }

    /// Ends a pass: the quantiles in seconds, or nil where another pass is to be made.
    mutating func endPass() -> [Double]? {
        if pass == 0 {
            guard count > 0, !quantiles.isEmpty else { return [] }
            guard count > kept.count else {
                kept.sort()
                return quantiles.map { quantile in
                    interpolate(quantile) { Double(kept[min($0, kept.count - 1)]) }
                }
            }
            kept = []
            let ranks = Set(quantiles.flatMap { [lowerRank(of: $0), min(lowerRank(of: $0) + 1, count - 1)] })
            sought = ranks.sorted().map { ($0, 0, 0) }
        } else {
            narrow()
        }
        guard pass < Self.passes else {
            let found = Dictionary(sought.map { ($0.rank, $0.prefix) }) { first, _ in first }
            return quantiles.map { quantile in interpolate(quantile) { Double(found[$0] ?? 0) } }
        }
        pass += 1
        counts = [:]
        for (_, prefix, _) in sought {
            counts[prefix] = [Int](repeating: 0, count: 1 << Int(Self.bitsOfPass))
        }
        return nil
    }

    /// Adds to each prefix the bits under which the rank lies. Where durations have gone since the first pass, the
    /// largest that is there stands for those.
    private mutating func narrow() {
        for index in sought.indices {
            let (rank, prefix, below) = sought[index]
            let counts = counts[prefix] ?? []
            var smaller = below
            var bits = 0
            for (part, count) in counts.enumerated() where count > 0 {
                bits = part
                if rank < smaller + count { break }
                smaller += count
            }
            sought[index] = (rank, prefix << Self.bitsOfPass | Int64(bits), min(smaller, rank))
        }
    }

    private func lowerRank(of quantile: Double) -> Int {
        min(Int(quantile * Double(count - 1)), count - 1)
    }

    private func interpolate(_ quantile: Double, _ value: (Int) -> Double) -> Double {
        let lower = lowerRank(of: quantile)
        let part = quantile * Double(count - 1) - Double(lower)
        let first = value(lower)
        let second = part > 0 ? value(min(lower + 1, count - 1)) : first
        return (first + (second - first) * part) / 1_000_000
    }
}
