// SPDX-License-Identifier: MIT

import DBus
import SentinelAnalytics
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// `org.sentinel.Analytics1`.
///
/// Confined to the loop's thread.
final class AnalyticsObject: Analytics1Handler, @unchecked Sendable {
    /// So many quantiles are told at once: a large number of durations is counted for each.
    private static let mostQuantiles = 100
    private static let mostDays: UInt32 = 36_525

    let analytics: Analytics
    let metrics: MetricFiles
    let transfers: EventTransfers
    let loop: EventLoop
    private let reads: EventReads
    /// The clients for which a query or report is made: one each.
    private var asking: Set<BusName> = []

    /// - Parameters:
    ///   - reads: ends what takes long with its client, and with the service.
    ///   - transfers: write reports into files.
    init(_ analytics: Analytics, metrics: MetricFiles, reads: EventReads, transfers: EventTransfers, loop: EventLoop) {
        self.analytics = analytics
        self.metrics = metrics
        self.reads = reads
        self.transfers = transfers
        self.loop = loop
    }

    /// Has a question answered; what takes long ends with the client that asked it.
    ///
    /// - Throws: code `failed` for a caller without a name.
    func answer<Answer: Sendable, each Argument>(
        _ reply: Reply<repeat each Argument>, _ respond: @escaping @Sendable (Answer) throws -> Void,
        _ ask: (ReadCancellation, @escaping Analytics.Completion<Answer>) -> Void
    ) throws {
        reads.begin(for: try reply.call.client) { (result: Result<Answer, SentinelError>) in
            reply.attempt { try respond(try result.get()) }
        } _: { cancellation, completion in
            ask(cancellation, completion)
        }
    }

    /// Has a question answered that may take long, one at a time of a client.
    ///
    /// - Throws: code `limitsExceeded` where another one is not answered yet.
    func answerAlone<Answer: Sendable, each Argument>(
        _ reply: Reply<repeat each Argument>, _ respond: @escaping @Sendable (Answer) throws -> Void,
        _ ask: (ReadCancellation, @escaping Analytics.Completion<Answer>) -> Void
    ) throws {
        let client = try reply.call.client
        try beginAsking(client)
        reads.begin(
            for: client,
            completion: loop.completion { [weak self] (result: Result<Answer, SentinelError>) in
                self?.endAsking(client)
                reply.attempt { try respond(try result.get()) }
            }
        ) { cancellation, completion in
            ask(cancellation, completion)
        }
    }

    /// Notes that a client asks for what it may ask for once at a time.
    ///
    /// - Throws: code `limitsExceeded` where it does so already.
    func beginAsking(_ client: BusName) throws(SentinelError) {
        guard asking.insert(client).inserted else {
            throw SentinelError(
                .limitsExceeded, "another query or report of this client is under way; wait until it is over")
        }
    }

    /// Notes that it is answered.
    func endAsking(_ client: BusName) { asking.remove(client) }

    /// Reads a window.
    ///
    /// - Throws: code `invalidArgs` where it is not one of times that can be kept.
    static func window(_ start: Int64, _ end: Int64) throws(SentinelError) -> Range<Int64> {
        _ = (try Timestamp(microseconds: start), try Timestamp(microseconds: end))
        guard start <= end else {
            throw SentinelError(.invalidArgs, "end: expected a time that is not before start")
        }
        return start..<end
    }
}

// MARK: - Summaries

extension AnalyticsObject {
    func dailySummary(day: String, timeZone: String, reply: Reply<[Key: Value]>) {
        reply.attempt {
            try answer(reply) {
                reply(try $0.options())
            } _: { cancellation, completion in
                analytics.dailySummary(
                    of: day, in: timeZone, cancellation: cancellation, completion: completion)
            }
        }
    }

    func summary(start: Int64, end: Int64, filter: [Key: Value], reply: Reply<[Key: Value]>) {
        reply.attempt {
            let window = try Self.window(start, end)
            let filter = try EventFilter(options: filter)
            try answer(reply) {
                reply(try $0.options())
            } _: { cancellation, completion in
                analytics.summary(
                    of: window, filter: filter, cancellation: cancellation, completion: completion)
            }
        }
    }

    func series(
        start: Int64, end: Int64, step: String, timeZone: String, groupBy: String, reply: Reply<[SeriesEntry]>
    ) {
        reply.attempt {
            let window = try Self.window(start, end)
            let step = try Self.choice(step, "step", of: CalendarStep.self)
            let dimension = groupBy.isEmpty ? nil : try Self.choice(groupBy, "group_by", of: EventDimension.self)
            try answer(reply) { (points: [SeriesPoint]) in
                reply(points.map { SeriesEntry($0) })
            } _: { cancellation, completion in
                analytics.series(
                    of: window, by: step, in: timeZone, groupedBy: dimension, cancellation: cancellation,
                    completion: completion)
            }
        }
    }

    func top(dimension: String, start: Int64, end: Int64, limit: UInt32, reply: Reply<[TopEntry]>) {
        reply.attempt {
            let dimension = try Self.choice(dimension, "dimension", of: EventDimension.self)
            let window = try Self.window(start, end)
            let limit = try PageLimit(limit)
            try answer(reply) { (names: [RankedName]) in
                reply(names.map { TopEntry($0) })
            } _: { cancellation, completion in
                analytics.top(
                    dimension, of: window, limit: limit.count, cancellation: cancellation, completion: completion)
            }
        }
    }

    func sessions(
        start: Int64, end: Int64, gap: Double, limit: UInt32, cursor: String, reply: Reply<[SessionEntry], String>
    ) {
        reply.attempt {
            let window = try Self.window(start, end)
            let gap = try EventsObject.span(gap, of: "gap", allowsZero: false)
            let limit = try PageLimit(limit)
            try answer(reply) { (page: SessionPage) in
                reply(page.sessions.map { SessionEntry($0) }, page.next ?? "")
            } _: { cancellation, completion in
                analytics.sessions(
                    of: window, gap: gap, limit: limit.count, after: cursor.isEmpty ? nil : cursor,
                    cancellation: cancellation, completion: completion)
            }
        }
    }

    func durations(start: Int64, end: Int64, eventType: String, quantiles: [Double], reply: Reply<[Double]>) {
        reply.attempt {
            let window = try Self.window(start, end)
            let type = eventType.isEmpty ? nil : try Name(eventType, as: "event_type")
            guard quantiles.count <= Self.mostQuantiles else {
                throw SentinelError(.limitsExceeded, "quantiles: at most \(Self.mostQuantiles) are told at once")
            }
            guard quantiles.allSatisfy((0...1).contains) else {
                throw SentinelError(.invalidArgs, "quantiles: expected numbers from 0 to 1")
            }
            try answer(reply) {
                reply($0)
            } _: { cancellation, completion in
                analytics.durations(
                    of: window, type: type, quantiles: quantiles, cancellation: cancellation, completion: completion)
            }
        }
    }

    func heatmap(start: Int64, end: Int64, timeZone: String, reply: Reply<[UInt64]>) {
        reply.attempt {
            let window = try Self.window(start, end)
            try answer(reply) {
                reply($0)
            } _: { cancellation, completion in
                analytics.heatmap(of: window, in: timeZone, cancellation: cancellation, completion: completion)
            }
        }
    }

    func trend(day: String, timeZone: String, days: UInt32, reply: Reply<[Key: Value]>) {
        reply.attempt {
            guard (1...Self.mostDays).contains(days) else {
                throw SentinelError(.invalidArgs, "days: expected 1 to \(Self.mostDays)")
            }
            try answer(reply) {
                reply(try $0.options())
            } _: { cancellation, completion in
                analytics.trend(
                    of: day, in: timeZone, days: Int(days), cancellation: cancellation, completion: completion)
            }
        }
    }

    /// Reads an argument that is one of a few words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ argument: String, of type: Choice.Type
    ) throws(SentinelError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw SentinelError(.invalidArgs, "\(argument): expected one of \(words)")
        }
        return choice
    }
}
