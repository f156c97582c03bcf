// SPDX-License-Identifier: MIT

import Foundation

/// What the service costs while nobody calls: memory and wake-ups.
struct RestBenchmark: Benchmark {
    let name = "rest"
    let abstract = "memory and context switches during 10 s, 15 s after the last call"

    private let calls = 2_000
    private let settlingSeconds = 15
    private let observedSeconds = 10

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        try ServerPair.run(in: context) { servers in
            let pair = [servers.baseline, servers.sentinel]
            for server in pair {
                try server.measure {
                    _ = try servers.client.callSerially(server.server.versionCall, count: calls)
                    _ = try servers.client.callPipelined(server.server.versionCall, count: calls, outstanding: 64)
                }
            }
            context.report(progress: "rest: \(settlingSeconds) s to settle, then \(observedSeconds) s observed")
            Thread.sleep(forTimeInterval: Double(settlingSeconds))
            let before = try pair.map { server in try server.measure { try server.process.contextSwitches() } }
            Thread.sleep(forTimeInterval: Double(observedSeconds))
            let after = try pair.map { server in try server.measure { try server.process.contextSwitches() } }
            let memory = try pair.map { server in try server.measure { try server.process.memoryKibibytes() } }

            let switches = zip(before, after).map { ObservedProcess.switches(from: $0, to: $1) }
            return report(memory: memory, switches: switches, threads: after.map(\.count))
        }
    }

    private func report(
        memory: [(proportional: Int, resident: Int)], switches: [Int], threads: [Int]
    ) -> BenchmarkReport {
        var report = BenchmarkReport(table: Table(headings: ["", "C libdbus", "Sentinel", "bar", ""]))
        let append = { (label: String, figures: [Double], decimals: Int, bar: Bar?) in
            // The second is Sentinel's.
            let verdict = bar?.verdict(on: figures[1])
            report.table.append(
                [label] + figures.map { Table.format($0, decimals: decimals) }
                    + [bar?.text ?? "", verdict?.rawValue ?? ""])
            if let verdict {
                report.verdicts.append(verdict)
            }
        }
        append("PSS, MiB", memory.map { Double($0.proportional) / 1_024 }, 2, .atMost(8, decimals: 0))
        append("PSS, MB (1000 · 1000)", memory.map { Double($0.proportional) * 1_024 / 1_000_000 }, 2, nil)
        append("RSS, MiB", memory.map { Double($0.resident) / 1_024 }, 2, nil)
        append("context switches in \(observedSeconds) s", switches.map(Double.init), 0, .atMost(0, decimals: 0))
        append("threads", threads.map(Double.init), 0, nil)
        report.notes = [
            "After \(2 * calls) calls to each and \(settlingSeconds) s without any. PSS is judged by MiB. Switches "
                + "are voluntary and involuntary ones of all threads.",
            "PSS divides the pages of a library by its users, of which this program is one: it flatters a sentineld "
                + "that links the Swift libraries dynamically. RSS counts them whole.",
        ]
        return report
    }
}
