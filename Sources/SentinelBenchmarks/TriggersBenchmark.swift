// SPDX-License-Identifier: MIT

import Foundation

/// What callers notice while somebody else floods the service with signals that fire a trigger.
struct TriggersBenchmark: Benchmark {
    let name = "triggers"
    let abstract = "calls of one client while another sends 10 000 signals that fire a trigger"

    private let application = "com.example.Benchmark"
    private let signals = 10_000
    private let calls = 1_000
    /// Signals a second where they are not sent as fast as possible.
    private let rate = 5_000

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let directory = try TemporaryDirectory(cleanup: context.cleanup)
        defer { directory.remove() }
        let client = try BusClient(address: bus.address)
        try client.watchName(context.sentinel.busName)
        let sentinel = try RunningServer(
            context.sentinel, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        defer { sentinel.end() }
        let listener = try BusClient(address: bus.address)
        try listener.followTriggers()
        try client.register(application)

        let subject = Subject(client: client, listener: listener, sentinel: sentinel, address: bus.address)
        let headings = ["", "signals/s", "counted", "fired", "calls", "p50, ms", "p99, ms", "later by, ms", "bar", ""]
        var report = BenchmarkReport(table: Table(headings: headings))
        var (rest, slow, fast) = (Figures(), Figures(), Figures())
        for round in 1...context.rounds {
            context.report(progress: "triggers: round \(round) of \(context.rounds)")
            try sentinel.measure {
                rest.trips += try client.callSerially(sentinel.server.versionCall, count: calls)
                try measure(subject, perSecond: rate, into: &slow)
                rest.trips += try client.callSerially(sentinel.server.versionCall, count: calls)
                try measure(subject, perSecond: nil, into: &fast)
            }
        }
        append("at rest", rest, beside: nil, to: &report)
        append("during \(signals) signals, \(rate) a second", slow, beside: rest, to: &report)
        append("during \(signals) signals, as fast as possible", fast, beside: rest, to: &report)
        report.notes = [
            "\(context.rounds) rounds. A call is a Get of a property, one outstanding, by a client of its own; calls "
                + "count that were made before the service had taken all signals. Later by is the difference of p99.",
            "Counted are the causes of the trigger `notification` in ListTriggers, of "
                + "\(signals * context.rounds) signals of each kind; -1 where the service tells none. It fires at most "
                + "10 times a second for an application: the floods took "
                + "\(Table.format(slow.seconds, decimals: 1)) s and \(Table.format(fast.seconds, decimals: 1)) s.",
        ]
        return report
    }

    /// What one kind of flood came to in all rounds.
    private struct Figures {
        /// Round trips of calls, in microseconds.
        var trips: [Double] = []
        /// How long the floods took together.
        var seconds = 0.0
        var sent = 0
        /// Negative where the service does not tell.
        var counted = 0
        var fired = 0
    }

    private struct Subject {
        let client: BusClient
        let listener: BusClient
        let sentinel: RunningServer
        let address: String
    }

    private func measure(_ subject: Subject, perSecond rate: Int?, into figures: inout Figures) throws {
        let before = try subject.client.countCauses(of: "notification")
        // What fired before is not of this flood.
        _ = try subject.listener.countTriggered(for: application)
        let flood = Flood(application, count: signals, perSecond: rate, address: subject.address)
        flood.start()
        while !flood.hasEnded {
            figures.trips += try subject.client.callSerially(subject.sentinel.server.versionCall, count: 1)
        }
        figures.seconds += try flood.result()
        figures.sent += signals
        figures.fired += try subject.listener.countTriggered(for: application)
        let after = try subject.client.countCauses(of: "notification")
        figures.counted = before < 0 || after < 0 ? -1 : figures.counted + after - before
    }

    private func append(
        _ label: String, _ figures: Figures, beside rest: Figures?, to report: inout BenchmarkReport
    ) {
        let milliseconds = Statistics(figures.trips.map { $0 / 1_000 })
        let delay = rest.map { milliseconds.percentile(0.99) - Statistics($0.trips).percentile(0.99) / 1_000 }
        let bar = Bar.atMost(20, decimals: 0)
        let verdict = delay.map { bar.verdict(on: $0) }
        let sent = figures.sent > 0
        report.table.append([
            label, sent ? Table.format(Double(figures.sent) / figures.seconds, decimals: 0) : "",
            sent ? "\(figures.counted)" : "", sent ? "\(figures.fired)" : "", "\(figures.trips.count)",
            Table.format(milliseconds.median, decimals: 3), Table.format(milliseconds.percentile(0.99), decimals: 3),
            delay.map { Table.format($0, decimals: 3) } ?? "", verdict == nil ? "" : bar.text, verdict?.rawValue ?? "",
        ])
        if let verdict {
            report.verdicts.append(verdict)
        }
    }
}
