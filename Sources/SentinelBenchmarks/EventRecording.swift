// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation

/// Events recorded by the service, by a loop in C and by Zeitgeist, in turn and on one disk.
struct EventRecording {
    let context: BenchmarkContext
    let bus: PrivateBus
    let client: BusClient
    let sentinel: RunningServer
    /// The service's directory.
    let directory: TemporaryDirectory
    let set: benchmark_event_set

    /// Calls of `RecordBatch` in a round, each way.
    private static let batches = 32
    private static let outstandingBatches = 4
    /// Calls of `RecordBatch` without a rest: so many that what goes on before the first is written counts for little.
    private static let batchesPerTurn = 16
    /// Calls of `Record` in a round, one outstanding.
    private static let records = 200
    private static let pipelinedRecords = 4_000
    private static let outstanding = 64
    /// Zeitgeist takes long for each.
    private static let insertions = 200

    /// Measures, and returns how many events of the set are stored then.
    func measure(into report: inout BenchmarkReport) throws -> Int {
        let loops = try TemporaryDirectory(cleanup: context.cleanup)
        defer { loops.remove() }
        let model = Server.dataPath(in: directory) + "/sentinel.db"
        let loop = try EventLoopInC(path: loops.path(of: "loop.db"), model: model, isBare: false)
        let bare = try EventLoopInC(path: loops.path(of: "bare.db"), model: model, isBare: true)
        let stored = try measureBatches(loop, bare, into: &report)
        try measureRecords(loop, into: &report)
        return stored
    }

    // MARK: - Batches

    private func measureBatches(
        _ loop: EventLoopInC, _ bare: EventLoopInC, into report: inout BenchmarkReport
    ) throws -> Int {
        let size = EventsBenchmark.batchSize
        var several = Comparison(
            label: "events/s, batches of \(size), beside the loop in C", decimals: 0, bar: .atLeast(0.7, decimals: 1))
        var single = Comparison(label: "the same, one batch outstanding", decimals: 0)
        var rows = Comparison(label: "the same, beside bare inserts in C", decimals: 0)
        var processor: [Double] = []
        var position = 0
        for round in 0...context.rounds {
            context.report(progress: "events: batches, round \(round) of \(context.rounds)")
            let earlier = try sentinel.process.processorMicroseconds()
            let seconds = try measureRound(loop, bare, from: &position, isBackwards: round.isMultiple(of: 2))
            // The first round warms up.
            guard round > 0 else { continue }
            let rate = { (seconds: Double) in Double(Self.batches * size) / seconds }
            several.append(baseline: rate(seconds.loop), sentinel: rate(seconds.several))
            single.append(baseline: rate(seconds.loop), sentinel: rate(seconds.single))
            rows.append(baseline: rate(seconds.bare), sentinel: rate(seconds.several))
            let spent = try sentinel.process.processorMicroseconds() - earlier
            processor.append(spent / Double(2 * Self.batches * size))
        }
        for comparison in [several, single, rows] {
            comparison.append(to: &report)
        }
        report.append(
            "processor time an event of a batch, µs", Statistics(processor).median, decimals: 2, by: nil)
        report.notes.append(
            "\(context.rounds) rounds, each of \(Self.batches) batches each way, of the set's \(context.events) events "
                + "over 30 days, with \(Self.outstandingBatches) calls outstanding. The loop runs the statements with "
                + "which Sentinel records new events, prepared, their values made ready before; bare inserts are those "
                + "of the events' rows alone. Processor time is Sentinel's.")
        return position
    }

    /// The seconds in which each has stored a round's batches.
    private typealias Seconds = (loop: Double, bare: Double, single: Double, several: Double)

    private func measureRound(
        _ loop: EventLoopInC, _ bare: EventLoopInC, from position: inout Int, isBackwards: Bool
    ) throws -> Seconds {
        let size = EventsBenchmark.batchSize
        var seconds: Seconds = (0, 0, 0, 0)
        // A disk changes its speed from moment to moment, so that the turns are short; and who comes second may find
        // a warmer machine.
        let turn = Self.batchesPerTurn
        for _ in 0..<Self.batches / turn {
            let first = position
            let record = { (start: Int, outstanding: Int) in
                try sentinel.measure {
                    try client.recordBatches(
                        of: set, from: start, size: size, count: turn, outstanding: outstanding)
                }
            }
            let turns = [
                { seconds.loop += try loop.record(set, from: first, size: size, count: turn).reduce(0, +) / 1_000_000 },
                { seconds.several += try record(first, Self.outstandingBatches) },
                { seconds.bare += try bare.record(set, from: first, size: size, count: turn).reduce(0, +) / 1_000_000 },
                { seconds.single += try record(first + turn * size, 1) },
            ]
            for turn in isBackwards ? turns.reversed() : turns {
                try turn()
            }
            position += 2 * turn * size
        }
        return seconds
    }

    // MARK: - Single events

    private func measureRecords(_ loop: EventLoopInC, into report: inout BenchmarkReport) throws {
        let zeitgeist = try Zeitgeist.start(on: bus, client: client, cleanup: context.cleanup)
        defer { zeitgeist?.end() }
        var alone = Comparison(
            label: "Record, beside a round trip and a commit in C, µs", decimals: 1, bar: .atMost(1.5, decimals: 1))
        var grouped = Comparison(
            label: "Record/s, \(Self.outstanding) outstanding, beside Zeitgeist's InsertEvents", decimals: 0,
            bar: .atLeast(30, decimals: 0))
        var commits: [Double] = []
        var roundTrips: [Double] = []
        var rates: [Double] = []
        var inserted = 0
        for round in 1...context.rounds {
            context.report(progress: "events: single ones, round \(round) of \(context.rounds)")
            // In turn, one by one, since a disk changes its speed from moment to moment.
            var records: [Double] = []
            var allowed: [Double] = []
            for _ in 0..<Self.records {
                let now = benchmark_event_set(
                    start: Int64(Date().timeIntervalSince1970 * 1_000_000), length: 0, count: 1)
                let commit = try loop.record(now, from: 0, size: 1, count: 1)
                let trip = try sentinel.measure {
                    records += try client.recordSerially(count: 1)
                    return try client.callSerially(sentinel.server.versionCall, count: 1)
                }
                commits += commit
                roundTrips += trip
                allowed += zip(commit, trip).map { $0 + $1 }
            }
            alone.append(baseline: Statistics(allowed).median, sentinel: Statistics(records).median)

            let seconds = try sentinel.measure {
                try client.recordPipelined(count: Self.pipelinedRecords, outstanding: Self.outstanding)
            }
            let rate = Double(Self.pipelinedRecords) / seconds
            rates.append(rate)
            if let zeitgeist {
                let seconds = try zeitgeist.measure {
                    try client.insertPipelined(from: inserted, count: Self.insertions, outstanding: Self.outstanding)
                }
                inserted += Self.insertions
                grouped.append(baseline: Double(Self.insertions) / seconds, sentinel: rate)
            }
        }
        alone.append(to: &report)
        report.notes.append(
            "A commit of one event in C takes \(Table.format(Statistics(commits).median, decimals: 1)) µs, a round trip "
                + "\(Table.format(Statistics(roundTrips).median, decimals: 1)) µs; both and a Record come in turn, each of "
                + "an event of the present time.")
        if zeitgeist != nil {
            grouped.append(to: &report)
        } else {
            report.append(
                "Record/s, \(Self.outstanding) outstanding", Statistics(rates).median, decimals: 0, by: nil)
            report.notes.append("There is no \(Zeitgeist.program) (package zeitgeist-core) to stand beside Record.")
        }
    }
}
