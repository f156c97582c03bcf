// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation
import Glibc

/// A store that is filled over the bus, and what it costs to have it: memory, bytes, queries and exports.
struct EventStoreFilling {
    let context: BenchmarkContext
    let client: BusClient
    var sentinel: RunningServer
    let set: benchmark_event_set

    /// How many events are stored, those of the present time included.
    private var eventCount = 0

    private static let queries = 500
    private static let records = 2_000

    init(context: BenchmarkContext, client: BusClient, sentinel: RunningServer, set: benchmark_event_set) {
        self.context = context
        self.client = client
        self.sentinel = sentinel
        self.set = set
    }

    /// Records the events of the set from a number on.
    func fill(from first: Int) throws {
        let size = EventsBenchmark.batchSize
        let total = Int(set.count)
        let start = ContinuousClock.now
        var position = first
        while position < total {
            let count = min(200, (total - position + size - 1) / size)
            _ = try sentinel.measure {
                try client.recordBatches(of: set, from: position, size: size, count: count, outstanding: 4)
            }
            position += count * size
            if position % 1_000_000 < count * size {
                let rate = Double(position - first) / ((.now - start) / .seconds(1))
                context.report(
                    progress: "events: \(position) of \(total), \(Table.format(rate, decimals: 0)) a second")
            }
        }
    }

    /// Measures the memory of the service as it is.
    func measureMemory(into report: inout BenchmarkReport) throws {
        let memory = try sentinel.measure { try sentinel.process.memoryKibibytes() }
        report.append(
            "PSS after \(context.events) events, MB", Double(memory.proportional) * 1_024 / 1_000_000, decimals: 1,
            by: .atMost(24, decimals: 0))
    }

    /// Measures all files of the service, which has ended and so has no log left.
    mutating func measureSize(of directory: TemporaryDirectory, into report: inout BenchmarkReport) throws {
        let path = Server.dataPath(in: directory)
        var size = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            size += (attributes[.size] as? NSNumber)?.intValue ?? 0
        }
        let count = try benchmarkedCount(in: path + "/sentinel.db")
        eventCount = count
        report.append(
            "bytes an event, all files", Double(size) / Double(count), decimals: 1, by: .atMost(72, decimals: 0))
        report.notes.append("The files are \(size / 1_000_000) MB with \(count) events.")
    }

    private func benchmarkedCount(in path: String) throws -> Int {
        let count = benchmark_store_count(path)
        guard count >= Int64(context.events) else {
            throw BenchmarkError(
                code: .failed, message: "\(context.events) events were recorded, and \(count) are in \(path)")
        }
        return Int(count)
    }

    // MARK: - Reading

    /// Measures the newest events beside a property.
    func measureQueries(into report: inout BenchmarkReport) throws {
        context.report(progress: "events: queries")
        var queries: [Double] = []
        var properties: [Double] = []
        try sentinel.measure {
            for _ in 0..<10 {
                queries += try client.querySerially(limit: 100, count: Self.queries / 10)
                properties += try client.callSerially(sentinel.server.versionCall, count: Self.queries / 10)
            }
        }
        let (query, property) = (Statistics(queries).median / 1_000, Statistics(properties).median / 1_000)
        let size = eventCount == 0 ? "few" : "\(eventCount)"
        report.append(
            "Query of the newest 100 of \(size), above a Get, ms", query - property, decimals: 2,
            by: .atMost(2, decimals: 0))
    }

    /// Measures `Record` while all events are exported, beside without.
    func measureExport(
        on bus: PrivateBus, into directory: TemporaryDirectory, _ report: inout BenchmarkReport
    ) throws {
        context.report(progress: "events: export")
        let path = directory.path(of: "export.jsonl")
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw BenchmarkError(code: .system, message: "cannot make \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let exporter = try BusClient(address: bus.address)

        let without = try sentinel.measure { try client.recordSerially(count: Self.records) }
        let start = ContinuousClock.now
        try exporter.beginExport(into: file)
        var during: [Double] = []
        var exported: Int?
        while exported == nil {
            let records = try sentinel.measure { try client.recordSerially(count: 50) }
            exported = try sentinel.measure { try exporter.pollExport() }
            if exported == nil || during.isEmpty {
                during += records
            }
        }
        let seconds = (.now - start) / .seconds(1)
        let (baseline, figure) = (Statistics(without).percentile(0.99), Statistics(during).percentile(0.99))
        report.append(
            "p99 of Record during an export, beside without, µs", beside: baseline, figure, decimals: 0,
            judged: figure / baseline, by: .atMost(3, decimals: 0))
        report.notes.append(
            "The export wrote \(exported ?? 0) events in \(Table.format(seconds, decimals: 1)) s into a file on the same "
                + "disk; \(during.count) Records meanwhile beside \(without.count) before, medians "
                + "\(Table.format(Statistics(during).median, decimals: 0)) and "
                + "\(Table.format(Statistics(without).median, decimals: 0)) µs.")
    }
}
