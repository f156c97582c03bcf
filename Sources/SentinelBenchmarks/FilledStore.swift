// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation

/// A service on a bus of its own, whose store holds events of the days before today.
struct FilledStore {
    /// So many whole days of UTC have events.
    static let days = 30

    /// The client that asks the service.
    let client: BusClient

    /// The service.
    let sentinel: RunningServer

    private let bus: PrivateBus
    private let directory: TemporaryDirectory
    private let start: Int64

    private static let dayLength: Int64 = 86_400_000_000

    /// Fills a store, and starts the service anew with it.
    ///
    /// - Throws: ``BenchmarkError`` if the service does not start or take the events.
    init(eventCount: Int, in context: BenchmarkContext) throws {
        let bus = try PrivateBus(cleanup: context.cleanup)
        let client = try BusClient(address: bus.address)
        try client.watchName(context.sentinel.busName)
        let directory = try TemporaryDirectory(cleanup: context.cleanup)
        try Self.writeMetric(below: directory.path(of: "config"))
        let start = {
            try RunningServer(
                context.sentinel, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        }
        let today = Int64(Date().timeIntervalSince1970) / 86_400 * Self.dayLength
        self.start = today - Int64(Self.days) * Self.dayLength
        let set = benchmark_event_set(start: self.start, length: today - self.start, count: Int64(eventCount))

        let filled = try start()
        try EventStoreFilling(context: context, client: client, sentinel: filled, set: set).fill(from: 0)
        try filled.endAndReleaseName()
        sentinel = try start()
        self.bus = bus
        self.client = client
        self.directory = directory
    }

    /// Ends the service and its bus, and removes all files.
    func end() {
        sentinel.end()
        bus.end()
        directory.remove()
    }

    /// All days in microseconds since the epoch.
    var month: Range<Int64> {
        start..<start + Int64(Self.days) * Self.dayLength
    }

    /// The day of a number, from 0 on, in microseconds since the epoch.
    func day(_ number: Int) -> Range<Int64> {
        let start = start + Int64(number) * Self.dayLength
        return start..<start + Self.dayLength
    }

    // MARK: - Calls

    /// Reads a property, and returns the microseconds.
    func get() throws -> [Double] {
        try sentinel.measure { try client.callSerially(sentinel.server.versionCall, count: 1) }
    }

    /// Summarizes a day, and returns the microseconds.
    func summarize(day number: Int) throws -> [Double] {
        let day = Date(timeIntervalSince1970: Double(day(number).lowerBound / 1_000_000))
        let call = BusClient.Call(
            destination: sentinel.server.busName, path: "/org/sentinel", interface: "org.sentinel.Analytics1",
            member: "DailySummary", arguments: [day.formatted(.iso8601.year().month().day()), "UTC"], reply: "a{sv}")
        return try sentinel.measure { try client.callSerially(call, count: 1) }
    }

    /// Asks a question, and returns the microseconds.
    func ask(_ question: benchmark_question, of window: Range<Int64>) throws -> [Double] {
        try sentinel.measure { try client.askSerially(question, of: window, count: 1) }
    }

    /// Records one more event in each day of a range, so that what was known of them is to be found anew.
    func record(inDays days: Range<Int>) throws {
        // Not at midnight, where the day before would be another one as well.
        let noon = day(days.lowerBound).lowerBound + Self.dayLength / 2
        let set = benchmark_event_set(
            start: noon, length: Int64(days.count) * Self.dayLength, count: Int64(days.count))
        _ = try sentinel.measure {
            try client.recordBatches(of: set, from: 0, size: days.count, count: 1, outstanding: 1)
        }
    }

    // MARK: - Files

    private static func writeMetric(below directory: String) throws {
        let text = """
            -- description: what was recorded of each source, and for how long
            -- parameter: start x
            -- parameter: end x
            SELECT source, sum(count) AS count, sum(duration) AS seconds FROM buckets
            WHERE start >= :start AND start < :end GROUP BY source
            """
        let metrics = URL(fileURLWithPath: directory + "/sentinel/metrics")
        try FileManager.default.createDirectory(at: metrics, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: metrics.appendingPathComponent("benchmark.sql"))
    }
}
