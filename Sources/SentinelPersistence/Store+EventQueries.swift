// SPDX-License-Identifier: MIT

import SQLite
public import SentinelModels
import Synchronization

extension Store {
    /// How many events there are, after the last commit. Can be read from any thread, at once.
    public var eventCount: UInt64 {
        UInt64(clamping: writer.eventCount.load(ordering: .relaxed))
    }

    /// A page of the events that fit a filter, newest first.
    ///
    /// - Parameters:
    ///   - limit: how many events it has at most.
    ///   - byteLimit: about how many bytes they take on the bus at most; one event is there in any case.
    ///   - cursor: where the page before ended; nil for the first page.
    ///   - isBulk: whether many pages are to follow, as for an export: it then waits for others of its kind, not for
    ///     what is to be answered at once, which does not wait for it either, and is not refused.
    ///   - cancellation: ends it early; nil if nothing does.
    ///   - completion: called on the queue on which was read. `limitsExceeded` where 64 calls wait.
    public func events(
        _ filter: EventFilter, limit: Int, byteLimit: Int = 4 << 20, cursor: EventCursor? = nil, isBulk: Bool = false,
        cancellation: ReadCancellation? = nil,
        completion: @escaping @Sendable (Result<EventPage, SentinelError>) -> Void
    ) {
        let request = PageProgress.Request(
            filter: filter, limit: max(limit, 1), byteLimit: byteLimit,
            lane: isBulk ? writer.bulkLane : writer.quickLane, cancellation: cancellation)
        let progress = PageProgress(position: cursor.map { .after($0.key) } ?? .start)
        guard !isBulk else { return fill(request, progress, completion) }
        writer.admit(to: request.lane, completion: completion) { fill(request, progress, $0) }
    }

    /// How many events fit a filter. What is stored meanwhile may be counted or not.
    ///
    /// - Parameters:
    ///   - cancellation: ends it early; nil if nothing does.
    ///   - completion: called on the queue on which was read. `limitsExceeded` where 64 calls wait.
    public func countEvents(
        _ filter: EventFilter, cancellation: ReadCancellation? = nil,
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.admit(to: writer.bulkLane, completion: completion) { count(filter, cancellation, $0) }
    }

    /// When the oldest event began; nil without any.
    ///
    /// - Parameter completion: called on the queue on which was read.
    public func oldestEvent(completion: @escaping @Sendable (Result<Timestamp?, SentinelError>) -> Void) {
        writer.read(on: writer.quickLane) { connection in
            try connection.first("SELECT key FROM events ORDER BY key LIMIT 1", as: EventKey.self)
                .map { Timestamp(clamping: $0.microseconds) }
        } completion: {
            completion($0)
        }
    }
}

// MARK: - Slices

extension Store {
    private func count(
        _ filter: EventFilter, _ cancellation: ReadCancellation?,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        guard let count = EventCount(filter) else {
            return self.count(filter, 0, from: .start, cancellation, completion)
        }
        writer.read(on: writer.quickLane) { connection in
            try count.known(in: connection)
        } completion: { [self] result in
            switch result {
            case .success(let known?): completion(.success(known))
            case .success(nil): advance(count, cancellation, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func fill(
        _ request: PageProgress.Request, _ progress: PageProgress,
        _ completion: @escaping @Sendable (Result<EventPage, SentinelError>) -> Void
    ) {
        writer.read(on: request.lane) { connection in
            try request.cancellation?.check()
            var progress = progress
            try progress.read(request, in: connection)
            return progress
        } completion: { [self] result in
            switch result {
            case .success(let progress) where progress.isComplete: completion(.success(progress.page))
            case .success(let progress): fill(request, progress, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func advance(
        _ count: EventCount, _ cancellation: ReadCancellation?,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.read(on: writer.bulkLane) { connection in
            try cancellation?.check()
            var count = count
            return (try count.advance(in: connection, for: ReadLane.transactionLimit), count)
        } completion: { [self] result in
            switch result {
            case .success((true, let count)): completion(.success(count.count))
            case .success((false, let count)): advance(count, cancellation, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func count(
        _ filter: EventFilter, _ counted: UInt64, from position: EventScan.Position, _ cancellation: ReadCancellation?,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.read(on: writer.bulkLane) { connection in
            try cancellation?.check()
            let scan = try EventScan(filter, .oldestFirst, in: connection, for: ReadLane.transactionLimit)
            var count = counted
            let ending = try scan.rows(from: position) { _ in
                count += 1
                return true
            }
            return (count, ending)
        } completion: { [self] result in
            switch result {
            case .success((let count, .end)): completion(.success(count))
            case .success((let counted, .pause(let position))):
                count(filter, counted, from: position, cancellation, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}
