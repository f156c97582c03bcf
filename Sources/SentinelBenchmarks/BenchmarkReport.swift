// SPDX-License-Identifier: MIT

/// What a benchmark found.
struct BenchmarkReport {
    /// The figures.
    var table: Table

    /// What to know when reading them, a sentence each.
    var notes: [String] = []

    /// One verdict for each bar.
    var verdicts: [Bar.Verdict] = []

    /// Whether no bar is missed.
    var meetsAllBars: Bool {
        !verdicts.contains(.missed)
    }

    /// The table, then the notes.
    var rendered: String {
        ([table.rendered] + notes.map { "- " + $0 }).joined(separator: "\n")
    }
}
