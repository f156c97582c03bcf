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
    private static let batches = 5
    private static let outstandingBatches = 4
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
        let count = Self.batches
        var single = Comparison(
            label: "events/s, batches of \(size), beside the loop in C", decimals: 0, bar: .atLeast(0.7, decimals: 1))
        var several = Comparison(label: "the same, \(Self.outstandingBatches) batches outstanding", decimals: 0)
        var rows = Comparison(label: "the same, beside bare inserts in C", decimals: 0)
        var position = 0
        let rate = { (seconds: Double) in Double(size * count) / seconds }
        for round in 0...context.rounds {
            context.report(progress: "events: batches, round \(round) of \(context.rounds)")
            let first = position
            let loopRate = {
                rate(try loop.record(set, from: first, size: size, count: 2 * count).reduce(0, +) / 2 / 1_000_000)
            }
            let bareRate = {
                rate(try bare.record(set, from: first, size: size, count: 2 * count).reduce(0, +) / 2 / 1_000_000)
            }
            let singleRate = {
                rate(
                    try client.recordBatches(of: set, from: first, size: size, count: count, outstanding: 1))
            }
            let severalRate = {
                rate(
                    try client.recordBatches(
                        of: set, from: first + size * count, size: size, count: count,
                        outstanding: Self.outstandingBatches))
            }
            // Who comes second may find a warmer machine.
            var measures = [loopRate, bareRate, singleRate, severalRate]
            let isBackwards = round.isMultiple(of: 2)
            if isBackwards {
                measures = [severalRate, singleRate, bareRate, loopRate]
            }
            var rates = try sentinel.measure { try measures.map { try $0() } }
            if isBackwards {
                rates.reverse()
            }
            position += 2 * size * count
            // The first round warms up.
            if round > 0 {
                single.append(baseline: rates[0], sentinel: rates[2])
                several.append(baseline: rates[0], sentinel: rates[3])
                rows.append(baseline: rates[1], sentinel: rates[2])
            }
        }
        for comparison in [single, several, rows] {
            comparison.append(to: &report)
        }
        report.notes.append(
            "\(context.rounds) rounds, each \(2 * count) batches of the loops and \(count) of Sentinel each way, of the "
                + "set's \(context.events) events over 30 days. The loop runs the statements with which Sentinel "
                + "records new events, prepared, their values made ready before; bare inserts are those of the events' "
                + "rows alone.")
        return position
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
            // Alternating finely, since a disk changes its speed.
            var records: [Double] = []
            var allowed: [Double] = []
            for _ in 0..<10 {
                let count = Self.records / 10
                let now = benchmark_event_set(
                    start: Int64(Date().timeIntervalSince1970 * 1_000_000), length: 1_000_000, count: Int64(count))
                let commit = try loop.record(now, from: 0, size: 1, count: count)
                let trips = try sentinel.measure {
                    records += try client.recordSerially(count: count)
                    return try client.callSerially(sentinel.server.versionCall, count: count)
                }
                commits += commit
                roundTrips += trips
                allowed += zip(commit, trips).map { $0 + $1 }
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
                + "\(Table.format(Statistics(roundTrips).median, decimals: 1)) µs; a Record is one of the present time.")
        if zeitgeist != nil {
            grouped.append(to: &report)
        } else {
            report.append(
                "Record/s, \(Self.outstanding) outstanding", Statistics(rates).median, decimals: 0, by: nil)
            report.notes.append("There is no \(Zeitgeist.program) (package zeitgeist-core) to stand beside Record.")
        }
    }
}
