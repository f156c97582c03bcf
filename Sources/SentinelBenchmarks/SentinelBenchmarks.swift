// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// The program: measures what the command line asks for and judges it.
@main
enum SentinelBenchmarks {
    /// Runs the program.
    static func main() {
        exit(run(arguments: Array(CommandLine.arguments.dropFirst())))
    }

    /// Returns the exit status: 0 if every bar is met, 1 if one is missed, 2 if something could not be measured.
    private static func run(arguments: [String]) -> Int32 {
        let cleanup = Cleanup()
        defer { cleanup.run() }
        do {
            let options = try BenchmarkOptions(arguments: arguments)
            guard !options.wantsHelp else {
                print(BenchmarkOptions.usage)
                return 0
            }
            cleanup.runOnTerminationSignals()
            let context = try BenchmarkContext(options: options, cleanup: cleanup)
            var meetsAllBars = true
            for benchmark in options.benchmarks {
                let report = try benchmark.run(in: context)
                print("\(benchmark.name): \(benchmark.abstract)\n\n\(report.rendered)\n")
                meetsAllBars = meetsAllBars && report.meetsAllBars
            }
            return meetsAllBars ? 0 : 1
        } catch let error as BenchmarkError where error.code == .usage {
            complain("\(error)\n\n\(BenchmarkOptions.usage)")
        } catch {
            complain("\(error)")
        }
        return 2
    }

    private static func complain(_ message: String) {
        StandardError.print("SentinelBenchmarks: \(message)")
    }
}
