// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation

/// What preferences cost: to set one for good, until others hear of it, and to have many.
struct PreferencesBenchmark: Benchmark {
    let name = "preferences"
    let abstract = "setting a preference beside a commit in C, and 10 000 preferences of 100 applications"

    private let applications = 100
    private let preferences = 100
    private let settings = 50
    private let pipelinedSettings = 2_000
    private let outstanding = 64
    private let listings = 50

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let directory = try TemporaryDirectory(cleanup: context.cleanup)
        defer { directory.remove() }
        let client = try BusClient(address: bus.address)
        try client.watchName(context.sentinel.busName)
        let start = {
            try RunningServer(
                context.sentinel, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        }
        var report = BenchmarkReport(table: Table(headings: EventsBenchmark.headings))
        var sentinel = try start()
        defer { sentinel.end() }

        try declare(with: client, to: sentinel, context, into: &report)
        let listener = try BusClient(address: bus.address)
        try listener.followPreferences()
        let loop = try EventLoopInC(
            path: directory.path(of: "loop.db"), model: Server.dataPath(in: directory) + "/sentinel.db", isBare: true)
        let subject = Subject(client: client, listener: listener, sentinel: sentinel, loop: loop)
        try measureSettings(subject, context, &report)
        try measureListings(client, sentinel, into: &report)

        try sentinel.endAndReleaseName()
        sentinel = try start()
        report.append(
            "exec to first reply with them, ms", sentinel.timeToFirstReply / .milliseconds(1), decimals: 1, by: nil)
        return report
    }

    // MARK: - Many

    private func declare(
        with client: BusClient, to sentinel: RunningServer, _ context: BenchmarkContext,
        into report: inout BenchmarkReport
    ) throws {
        context.report(progress: "preferences: declaring \(applications * preferences)")
        let before = try sentinel.process.memoryKibibytes().proportional
        let start = ContinuousClock.now
        try sentinel.measure {
            for number in 0..<applications {
                try client.register("com.example.Benchmark\(number)")
                try client.declarePreferences(of: Self.path(of: number), count: preferences)
            }
        }
        let seconds = (.now - start) / .seconds(1)
        let after = try sentinel.process.memoryKibibytes().proportional
        report.append(
            "declaring \(preferences) of each of \(applications) applications, s", seconds, decimals: 2, by: nil)
        report.append("memory of all, MiB", Double(after - before) / 1_024, decimals: 1, by: nil)
    }

    private static func path(of number: Int) -> String {
        "/org/sentinel/apps/com_2eexample_2eBenchmark\(number)"
    }

    // MARK: - Setting

    private struct Subject {
        let client: BusClient
        let listener: BusClient
        let sentinel: RunningServer
        let loop: EventLoopInC
    }

    private func measureSettings(
        _ subject: Subject, _ context: BenchmarkContext, _ report: inout BenchmarkReport
    ) throws {
        let path = Self.path(of: 0)
        let set = benchmark_event_set(
            start: Int64(Date().timeIntervalSince1970 * 1_000_000), length: 1_000_000,
            count: Int64(context.rounds * settings))
        var alone = Comparison(label: "Set, beside a round trip and a commit in C, µs", decimals: 1)
        var heard = Comparison(
            label: "Set to Changed, beside two round trips and a commit in C, µs", decimals: 1, bar: .atMost(1))
        var rates: [Double] = []
        // Another value each time: one that is there already is not stored.
        var next = 0
        for round in 1...context.rounds {
            context.report(progress: "preferences: round \(round) of \(context.rounds)")
            var figures = Figures()
            for index in 0..<settings {
                // In turn, one by one, since a disk changes its speed from moment to moment.
                let commit = try subject.loop.record(set, from: (round - 1) * settings + index, size: 1, count: 1)
                try subject.sentinel.measure {
                    let client = subject.client
                    let trip = try client.callSerially(subject.sentinel.server.versionCall, count: 1)
                    figures.one += zip(commit, trip).map { $0 + $1 }
                    figures.two += zip(commit, trip).map { $0 + 2 * $1 }
                    figures.set += try client.setSerially(path, from: next, count: 1)
                    figures.heard += try client.setAndHear(path, at: subject.listener, from: next + 1, count: 1)
                }
                next += 2
            }
            alone.append(baseline: Statistics(figures.one).median, sentinel: Statistics(figures.set).median)
            heard.append(baseline: Statistics(figures.two).median, sentinel: Statistics(figures.heard).median)
            let seconds = try subject.sentinel.measure {
                try subject.client.setPipelined(
                    path, from: next, count: pipelinedSettings, outstanding: outstanding)
            }
            next += pipelinedSettings
            rates.append(Double(pipelinedSettings) / seconds)
        }
        alone.append(to: &report)
        heard.append(to: &report)
        report.append("Set/s, \(outstanding) outstanding", Statistics(rates).median, decimals: 0, by: nil)
        report.notes.append(
            "\(context.rounds) rounds of \(settings) of each. A round trip is a Get of a property, a commit that of one "
                + "row by a loop in C on the same disk; all come in turn. The signal is taken by another connection.")
    }

    /// What one round found, in microseconds.
    private struct Figures {
        var one: [Double] = []
        var two: [Double] = []
        var set: [Double] = []
        var heard: [Double] = []
    }

    // MARK: - Reading

    private func measureListings(
        _ client: BusClient, _ sentinel: RunningServer, into report: inout BenchmarkReport
    ) throws {
        let call = { (member: String, arguments: [String], reply: String) in
            BusClient.Call(
                destination: sentinel.server.busName, path: Self.path(of: 1),
                interface: "org.sentinel.Preferences1", member: member, arguments: arguments, reply: reply)
        }
        var (gets, lists): ([Double], [Double]) = ([], [])
        try sentinel.measure {
            for _ in 0..<listings {
                gets += try client.callSerially(call("Get", ["k0"], "v"), count: 1)
                lists += try client.callSerially(call("List", [], "a(sssvva{sv})"), count: 1)
            }
        }
        let (get, list) = (Statistics(gets).median, Statistics(lists).median)
        report.append(
            "List of \(preferences), beside a Get, µs", beside: get, list, decimals: 1, judged: list / get,
            by: .atMost(3, decimals: 0))
    }
}
