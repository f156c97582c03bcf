// SPDX-License-Identifier: MIT

/// One measure of both servers, a figure of each per round.
///
/// The machine's speed drifts while rounds go by, so figures are compared only with those of the same round: the
/// ratio is the median of the rounds' ratios, not the ratio of the medians.
struct Comparison {
    /// The headings of the rows that ``append(to:)`` makes.
    static let headings = ["", "C libdbus", "Sentinel", "ratio", "lowest", "highest", "bar", ""]

    /// What is measured, with its unit.
    let label: String

    /// How many decimals the figures are shown with.
    let decimals: Int

    /// What the ratio must keep, `nil` if the measure is for information.
    var bar: Bar?

    private var baseline: [Double] = []
    private var sentinel: [Double] = []

    /// A comparison without figures yet.
    init(label: String, decimals: Int, bar: Bar? = nil) {
        self.label = label
        self.decimals = decimals
        self.bar = bar
    }

    /// Adds the figures of one round.
    mutating func append(baseline: Double, sentinel: Double) {
        self.baseline.append(baseline)
        self.sentinel.append(sentinel)
    }

    /// The ratios Sentinel to C of all rounds.
    var ratios: Statistics {
        Statistics(zip(baseline, sentinel).map { $1 / $0 })
    }

    /// Adds the comparison to a report as a row, and its verdict if there is a bar.
    func append(to report: inout BenchmarkReport) {
        let ratios = ratios
        let verdict = bar?.verdict(on: ratios.median)
        report.table.append([
            label,
            Table.format(Statistics(baseline).median, decimals: decimals),
            Table.format(Statistics(sentinel).median, decimals: decimals),
            Table.format(ratios.median, decimals: 2),
            Table.format(ratios.minimum, decimals: 2),
            Table.format(ratios.maximum, decimals: 2),
            bar?.text ?? "",
            verdict?.rawValue ?? "",
        ])
        if let verdict {
            report.verdicts.append(verdict)
        }
    }
}
