// SPDX-License-Identifier: MIT

/// What a call costs: round trips, throughput, and the server's processor time.
struct BusBenchmark: Benchmark {
    let name = "bus"
    let abstract = "round trip, calls a second with 64 outstanding, processor time a call"

    private let serialCalls = 5_000
    private let pipelinedCalls = 30_000
    private let outstanding = 64

    /// A round's calls are made in slices, to the two servers in turn, since the machine may change its speed within
    /// a round as well.
    private let slices = 10

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        try ServerPair.run(in: context) { servers in
            context.report(progress: "bus: warming up")
            _ = try measureRound(servers)

            var middle = Comparison(label: "p50 of a round trip, µs", decimals: 1, bar: .atMost(1.25))
            var tail = Comparison(label: "p99 of a round trip, µs", decimals: 1)
            var rate = Comparison(label: "calls/s, \(outstanding) outstanding", decimals: 0, bar: .atLeast(0.85))
            var serialProcessor = Comparison(label: "processor time a serial call, µs", decimals: 1)
            var pipelinedProcessor = Comparison(
                label: "processor time a call, \(outstanding) outstanding, µs", decimals: 1)
            for round in 1...context.rounds {
                context.report(progress: "bus: round \(round) of \(context.rounds)")
                let (baseline, sentinel) = try measureRound(servers)
                middle.append(baseline: baseline.roundTrip(0.5), sentinel: sentinel.roundTrip(0.5))
                tail.append(baseline: baseline.roundTrip(0.99), sentinel: sentinel.roundTrip(0.99))
                rate.append(baseline: baseline.rate, sentinel: sentinel.rate)
                serialProcessor.append(baseline: baseline.serialProcessor, sentinel: sentinel.serialProcessor)
                pipelinedProcessor.append(baseline: baseline.pipelinedProcessor, sentinel: sentinel.pipelinedProcessor)
            }

            var report = BenchmarkReport(table: Table(headings: Comparison.headings))
            for comparison in [middle, tail, rate, serialProcessor, pipelinedProcessor] {
                comparison.append(to: &report)
            }
            report.notes = [
                "\(context.rounds) rounds, each \(serialCalls) serial and \(pipelinedCalls) pipelined calls to each "
                    + "server. Figures are medians of the rounds; the ratios are those of the rounds.",
                "Processor time is the server's alone, kernel included, without the client's and the bus's.",
            ]
            return report
        }
    }

    private func measureRound(_ servers: ServerPair) throws -> (baseline: Round, sentinel: Round) {
        var baseline = Round()
        var sentinel = Round()
        for slice in 0..<slices {
            // Who comes second may find a warmer machine.
            if slice.isMultiple(of: 2) {
                try measureSlice(of: servers.baseline, client: servers.client, into: &baseline)
                try measureSlice(of: servers.sentinel, client: servers.client, into: &sentinel)
            } else {
                try measureSlice(of: servers.sentinel, client: servers.client, into: &sentinel)
                try measureSlice(of: servers.baseline, client: servers.client, into: &baseline)
            }
        }
        return (baseline, sentinel)
    }

    private func measureSlice(of server: RunningServer, client: BusClient, into round: inout Round) throws {
        try server.measure {
            let call = server.server.versionCall
            let start = try server.process.processorMicroseconds()
            round.roundTrips += try client.callSerially(call, count: serialCalls / slices)
            let middle = try server.process.processorMicroseconds()
            round.pipelinedSeconds += try client.callPipelined(
                call, count: pipelinedCalls / slices, outstanding: outstanding)
            let end = try server.process.processorMicroseconds()
            round.pipelinedCalls += pipelinedCalls / slices
            round.serialMicroseconds += middle - start
            round.pipelinedMicroseconds += end - middle
        }
    }

    /// What one round found about one server.
    private struct Round {
        var roundTrips: [Double] = []
        var pipelinedCalls = 0
        var pipelinedSeconds = 0.0
        /// The server's processor time during serial calls.
        var serialMicroseconds = 0.0
        /// The server's processor time during pipelined calls.
        var pipelinedMicroseconds = 0.0

        var rate: Double { Double(pipelinedCalls) / pipelinedSeconds }
        var serialProcessor: Double { serialMicroseconds / Double(roundTrips.count) }
        var pipelinedProcessor: Double { pipelinedMicroseconds / Double(pipelinedCalls) }

        func roundTrip(_ share: Double) -> Double {
            Statistics(roundTrips).percentile(share)
        }
    }
}
