// SPDX-License-Identifier: MIT

/// What a start costs: the time from making the process until the first call is answered.
///
/// The client is connected beforehand, sleeps until the name has an owner and then calls at once.
struct StartBenchmark: Benchmark {
    let name = "start"
    let abstract = "from exec to the first reply, with and without existing data"

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let client = try BusClient(address: bus.address)
        try client.watchName(context.baseline.busName)
        try client.watchName(context.sentinel.busName)

        let start = { (server: Server, directory: TemporaryDirectory) in
            let running = try RunningServer(
                server, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
            defer { running.end() }
            let loadsSwift = try running.process.hasLoaded(libraryPrefix: "libswiftCore")
            try running.endAndReleaseName()
            return (milliseconds: running.timeToFirstReply / .milliseconds(1), loadsSwift: loadsSwift)
        }
        let startFresh = { (server: Server) in
            let directory = try TemporaryDirectory(cleanup: context.cleanup)
            defer { directory.remove() }
            return try start(server, directory)
        }

        // The first start of each reads the program from disk and is not counted; Sentinel's makes the data.
        let existing = try TemporaryDirectory(cleanup: context.cleanup)
        defer { existing.remove() }
        let first = try startFresh(context.baseline)
        _ = try start(context.sentinel, existing)

        var fresh = Comparison(label: "new data directory, ms", decimals: 2, bar: .atMost(4, decimals: 1))
        var again = Comparison(label: "existing data directory, ms", decimals: 2)
        for round in 1...context.rounds {
            context.report(progress: "start: round \(round) of \(context.rounds)")
            // Who comes second may find a warmer machine: every other round goes backwards.
            var starts = [
                { try startFresh(context.baseline) }, { try startFresh(context.sentinel) },
                { try start(context.sentinel, existing) },
            ]
            let isBackwards = round.isMultiple(of: 2)
            if isBackwards {
                starts.reverse()
            }
            var milliseconds = try starts.map { try $0().milliseconds }
            if isBackwards {
                milliseconds.reverse()
            }
            fresh.append(baseline: milliseconds[0], sentinel: milliseconds[1])
            again.append(baseline: milliseconds[0], sentinel: milliseconds[2])
        }

        var report = BenchmarkReport(table: Table(headings: Comparison.headings))
        fresh.append(to: &report)
        again.append(to: &report)
        report.notes = [
            "\(context.rounds) rounds after one that is not counted. Figures are medians of the rounds; the ratios are "
                + "those of the rounds. C keeps no data: both rows have the same C starts."
        ]
        if first.loadsSwift {
            report.notes.append(
                "BenchmarkBaseline loads the Swift runtime, so the ratios flatter Sentinel: see its linking.c.")
        }
        return report
    }
}
