// SPDX-License-Identifier: MIT

/// The benchmarks that the command line offers, in the order of the usage text.
enum BenchmarkRegistry {
    /// Every benchmark.
    static var all: [any Benchmark] {
        [
            BusBenchmark(), StartBenchmark(), RestBenchmark(), FactsBenchmark(), EventsBenchmark(),
            PreferencesBenchmark(), AnalyticsBenchmark(), TriggersBenchmark(),
        ]
    }

    /// Returns the benchmark of that name, `nil` if there is none.
    static func benchmark(named name: String) -> (any Benchmark)? {
        all.first { $0.name == name }
    }
}
