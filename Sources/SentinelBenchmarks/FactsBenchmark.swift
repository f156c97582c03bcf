// SPDX-License-Identifier: MIT

import Foundation

/// What it costs to learn how another process does: a sample, and watches that go on.
struct FactsBenchmark: Benchmark {
    let name = "facts"
    let abstract = "a sample of another process, and what 20 watches cost beside one"

    /// Samples in each round.
    private let samples = 25

    /// Before each measurement: the three of a turn take longer than the 100 ms below which the service measures anew.
    private let pause = 0.04

    private let watches = 20
    private let watchRounds = 3
    private let settlingTime = Duration.seconds(2)
    private let watchTime = Duration.seconds(10)

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        try ObservedApplication.run(in: context) { application in
            var report = BenchmarkReport(
                table: Table(headings: ["", "beside", "Sentinel", "ratio", "lowest", "highest", "bar", ""]))
            try measureSamples(of: application, in: context, into: &report)
            try measureWatches(of: application, in: context, into: &report)
            return report
        }
    }

    // MARK: - Samples

    private func measureSamples(
        of application: ObservedApplication, in context: BenchmarkContext, into report: inout BenchmarkReport
    ) throws {
        context.report(progress: "facts: warming up")
        _ = try measureRound(application, count: 5)

        var comparison = Comparison(
            label: "Sample, beside a round trip and twice the reads in C, µs", decimals: 1, bar: .atMost(1))
        var rounds: [Round] = []
        for round in 1...context.rounds {
            context.report(progress: "facts: round \(round) of \(context.rounds)")
            let figures = try measureRound(application, count: samples)
            rounds.append(figures)
            comparison.append(baseline: figures.allowed, sentinel: figures.sample)
        }
        comparison.append(to: &report)
        let median = { (figure: KeyPath<Round, Double>) in
            Table.format(Statistics(rounds.map { $0[keyPath: figure] }).median, decimals: 1)
        }
        report.notes += [
            "\(context.rounds) rounds of \(samples) samples. A round trip (Get of a property of Sentinel) takes "
                + "\(median(\.roundTrip)) µs, the reads in C \(median(\.reads)) µs. Before each of the three there is a "
                + "pause of \(Int(pause * 1_000)) ms. Figures are medians of the rounds' medians.",
            "The reads are stat, status, smaps_rollup, io and fd of the process, stat, meminfo, uptime and pressure of "
                + "the machine, made and parsed in this program.",
        ]
    }

    private func measureRound(_ application: ObservedApplication, count: Int) throws -> Round {
        var roundTrips: [Double] = []
        var reads: [Double] = []
        var samples: [Double] = []
        try application.sentinel.measure {
            for _ in 0..<count {
                Thread.sleep(forTimeInterval: pause)
                roundTrips += try application.client.callSerially(application.sentinel.server.versionCall, count: 1)
                Thread.sleep(forTimeInterval: pause)
                reads += try application.process.timeReads(count: 1)
                Thread.sleep(forTimeInterval: pause)
                samples += try application.client.callSerially(application.sampleCall, count: 1)
            }
        }
        return Round(
            roundTrip: Statistics(roundTrips).median, reads: Statistics(reads).median,
            sample: Statistics(samples).median)
    }

    /// What one round found, in microseconds.
    private struct Round {
        let roundTrip: Double
        let reads: Double
        let sample: Double

        var allowed: Double { roundTrip + 2 * reads }
    }

    // MARK: - Watches

    private func measureWatches(
        of application: ObservedApplication, in context: BenchmarkContext, into report: inout BenchmarkReport
    ) throws {
        let seconds = Int(watchTime / .seconds(1))
        var calls = Comparison(
            label: "reads in \(seconds) s, \(watches) watches beside one", decimals: 0, bar: .atMost(1.2))
        var bytes = Comparison(label: "KiB read in \(seconds) s", decimals: 1)
        var samples = Comparison(label: "samples sent in \(seconds) s", decimals: 0)
        var processor: [(one: Double, many: Double)] = []
        let rounds = min(watchRounds, context.rounds)
        for round in 1...rounds {
            context.report(progress: "facts: watches, round \(round) of \(rounds)")
            // Who comes second may find a warmer machine.
            let isBackwards = round.isMultiple(of: 2)
            var costs = try (isBackwards ? [watches, 1] : [1, watches]).map { try cost(ofWatches: $0, application) }
            if isBackwards {
                costs.reverse()
            }
            calls.append(baseline: Double(costs[0].readCalls), sentinel: Double(costs[1].readCalls))
            bytes.append(baseline: Double(costs[0].readBytes) / 1_024, sentinel: Double(costs[1].readBytes) / 1_024)
            samples.append(baseline: Double(costs[0].samples), sentinel: Double(costs[1].samples))
            processor.append((costs[0].processorPercent, costs[1].processorPercent))
        }
        for comparison in [calls, bytes, samples] {
            comparison.append(to: &report)
        }

        let bar = Bar.atMost(1, decimals: 0, unit: "%")
        let one = Statistics(processor.map(\.one)).median
        let many = Statistics(processor.map(\.many)).median
        let verdict = bar.verdict(on: many)
        report.table.append([
            "processor time, % of a core", Table.format(one, decimals: 2), Table.format(many, decimals: 2), "", "", "",
            bar.text, verdict.rawValue,
        ])
        report.verdicts.append(verdict)
        report.notes.append(
            "\(rounds) rounds of watches on one process at intervals of 1 s, begun at different times within a second. "
                + "Reads are those of all files and of what wakes a thread (syscr); processor time is Sentinel's own.")
    }

    /// What a number of watches costs the service.
    private func cost(ofWatches count: Int, _ application: ObservedApplication) throws -> Cost {
        let path = application.path
        let service = application.sentinel.server.busName
        return try application.sentinel.measure {
            let client = application.client
            var numbers: [UInt32] = []
            for _ in 0..<count {
                // Clients do not come at the same moment.
                Thread.sleep(forTimeInterval: 0.83 / Double(count))
                numbers.append(try client.watch(path, of: service))
            }
            _ = try client.countSamples(during: settlingTime)

            let process = application.sentinel.process
            let earlierReads = try process.reads()
            let earlierProcessor = try process.processorMicroseconds()
            let samples = try client.countSamples(during: watchTime)
            let processor = try process.processorMicroseconds() - earlierProcessor
            let reads = try process.reads()

            for number in numbers {
                try client.unwatch(number, on: path, of: service)
            }
            let expected = count * Int(watchTime / .seconds(1))
            guard samples >= expected / 2 else {
                throw BenchmarkError(
                    code: .failed, message: "\(count) watches were sent \(samples) samples instead of \(expected)")
            }
            return Cost(
                readCalls: reads.calls - earlierReads.calls, readBytes: reads.bytes - earlierReads.bytes,
                samples: samples, processorPercent: processor / (watchTime / .microseconds(1)) * 100)
        }
    }

    private struct Cost {
        let readCalls: Int
        let readBytes: Int
        let samples: Int
        let processorPercent: Double
    }
}
