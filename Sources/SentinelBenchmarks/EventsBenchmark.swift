// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation

/// What it costs to keep events: to record them, to have many, and to read them.
///
/// The data set has its events spread evenly over the 30 days before now, with 8 types, 50 sources and durations of up to
/// ten minutes, in the order of time.
struct EventsBenchmark: Benchmark {
    let name = "events"
    let abstract = "recording beside a loop in C and Zeitgeist; size, memory, queries and exports with many events"

    /// Events in a call of `RecordBatch`.
    static let batchSize = 1_000

    /// The headings of all rows.
    static let headings = ["", "beside", "Sentinel", "ratio", "lowest", "highest", "bar", ""]

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let client = try BusClient(address: bus.address)
        let directory = try TemporaryDirectory(cleanup: context.cleanup)
        defer { directory.remove() }
        try client.watchName(context.sentinel.busName)
        let start = {
            try RunningServer(
                context.sentinel, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        }

        var report = BenchmarkReport(table: Table(headings: Self.headings))
        let month = 30 * 86_400
        let set = benchmark_event_set(
            start: Int64(Date().timeIntervalSince1970.rounded() - Double(month)) * 1_000_000,
            length: Int64(month) * 1_000_000, count: Int64(context.events))

        var sentinel = try start()
        defer { sentinel.end() }
        let recording = EventRecording(
            context: context, bus: bus, client: client, sentinel: sentinel, directory: directory, set: set)
        let stored = try recording.measure(into: &report)
        var store = EventStoreFilling(context: context, client: client, sentinel: sentinel, set: set)
        try store.measureQueries(into: &report)
        try store.fill(from: stored)
        try store.measureMemory(into: &report)

        try sentinel.endAndReleaseName()
        try store.measureSize(of: directory, into: &report)
        sentinel = try start()
        store.sentinel = sentinel
        try store.measureQueries(into: &report)
        try store.measureExport(on: bus, into: directory, &report)
        return report
    }
}

extension BenchmarkReport {
    /// Adds a row with one figure, and its verdict if there is a bar.
    mutating func append(
        _ label: String, beside: Double? = nil, _ figure: Double, decimals: Int, judged: Double? = nil, by bar: Bar?
    ) {
        let verdict = bar?.verdict(on: judged ?? figure)
        table.append([
            label, beside.map { Table.format($0, decimals: decimals) } ?? "", Table.format(figure, decimals: decimals),
            beside == nil || judged == nil ? "" : Table.format(judged ?? 0, decimals: 2), "", "", bar?.text ?? "",
            verdict?.rawValue ?? "",
        ])
        if let verdict {
            verdicts.append(verdict)
        }
    }
}
