// SPDX-License-Identifier: MIT

import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
    /// The benchmarks to run, in their order on the command line.
    var benchmarks: [any Benchmark] = []

    /// The service that is measured.
    var sentineld = BenchmarkOptions.executableBesideThis(named: "sentineld")

    /// How often each server is measured.
    var rounds = 9

    /// How many events the largest store of events has.
    var events = 10_000_000

    /// Whether only the usage text is wanted.
    var wantsHelp = false

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: ``BenchmarkError`` with code `usage`.
    init(arguments: [String]) throws {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            switch argument {
            case "--help", "-h":
                wantsHelp = true
            case "--sentineld":
                guard let path = remaining.popFirst(), !path.isEmpty else {
                    throw BenchmarkError(code: .usage, message: "--sentineld needs the path of an executable")
                }
                sentineld = URL(fileURLWithPath: path).path
            case "--rounds":
                guard let text = remaining.popFirst(), let rounds = Int(text), (1...1_000).contains(rounds) else {
                    throw BenchmarkError(code: .usage, message: "--rounds needs a number from 1 to 1000")
                }
                self.rounds = rounds
            case "--events":
                let range = 200_000...1_000_000_000
                guard let text = remaining.popFirst(), let events = Int(text), range.contains(events) else {
                    throw BenchmarkError(code: .usage, message: "--events needs a number from 200000 to 1000000000")
                }
                self.events = events
            default:
                guard let benchmark = BenchmarkRegistry.benchmark(named: argument) else {
                    throw BenchmarkError(code: .usage, message: "there is no benchmark or option '\(argument)'")
                }
                benchmarks.append(benchmark)
            }
        }
        guard wantsHelp || !benchmarks.isEmpty else {
            throw BenchmarkError(code: .usage, message: "which benchmark?")
        }
    }

    /// The usage text.
    static var usage: String {
        let width = BenchmarkRegistry.all.map(\.name.count).max() ?? 0
        let lines = BenchmarkRegistry.all.map { benchmark in
            "  " + benchmark.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + benchmark.abstract
        }
        return """
            usage: SentinelBenchmarks BENCHMARK... [--sentineld PATH] [--rounds NUMBER] [--events NUMBER]

            Measures sentineld beside a plain C service on libdbus, on a private bus. Data go below $TMPDIR or /tmp.

            \(lines.joined(separator: "\n"))

              --sentineld PATH   the service to measure (default: sentineld beside this program)
              --rounds NUMBER    how often each is measured (default: 9)
              --events NUMBER    how many events the benchmarks of events and analytics store (default: 10000000, for
                                 which the bars are; that takes some minutes and a gigabyte or two)

            Exit status: 0 if every bar is met, 1 if one is missed, 2 if something could not be measured.
            """
    }

    /// Returns the path of another product of this package.
    static func executableBesideThis(named name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name).path
    }
}
