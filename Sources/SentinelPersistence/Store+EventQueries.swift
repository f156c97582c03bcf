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
    ///   - completion: called on the queue on which was read.
    public func events(
        _ filter: EventFilter, limit: Int, byteLimit: Int = 4 << 20, cursor: EventCursor? = nil,
        completion: @escaping @Sendable (Result<EventPage, SentinelError>) -> Void
    ) {
        fill(
            PageRequest(filter: filter, limit: max(limit, 1), byteLimit: byteLimit),
            PageProgress(position: cursor.map { .after($0.key) } ?? .start), completion)
    }

    /// How many events fit a filter.
    ///
    /// - Parameter completion: called on the queue on which was read.
    public func countEvents(
        _ filter: EventFilter, completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.read(on: writer.quickLane) { connection in
            try EventCount.known(filter, in: connection)
        } completion: { [self] result in
            switch result {
            case .success(let known?): completion(.success(known))
            case .success(nil): count(filter, 0, from: .start, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
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

    /// Hands out all events that fit a filter, oldest first, a chunk at a time. What is stored meanwhile may be among
    /// them or not; between chunks the database is free.
    ///
    /// - Parameters:
    ///   - body: called with each chunk, which holds at most 1 000 events or about 1 MiB; it calls its second argument
    ///     once, on any thread, with whether to go on. Only then the next chunk is read.
    ///   - completion: called at the end, with how many events were handed out.
    public func walkEvents(
        _ filter: EventFilter,
        body: @escaping @Sendable (_ chunk: [Event], _ proceed: @escaping @Sendable (Bool) -> Void) -> Void,
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        walk(filter, 0, from: .start, body, completion)
    }
}

// MARK: - Slices

/// What a page is to hold.
private struct PageRequest: Sendable {
    let filter: EventFilter
    let limit: Int
    let byteLimit: Int
}

/// How far a page has come.
private struct PageProgress: Sendable {
    var position: EventScan.Position
    var events: [Event] = []
    var byteCount = 0
    var isComplete = false

    /// Reads on for one transaction.
    mutating func read(_ request: PageRequest, in connection: Connection) throws {
        let scan = try EventScan(
            request.filter, .newestFirst, in: connection, for: ReadLane.transactionLimit)
        var last: EventKey?
        let ending = try scan.events(from: position) { key, event in
            let size = event.busSize
            // One more than the page holds is looked for, so that the last page knows that it is.
            guard events.count < request.limit, events.isEmpty || byteCount + size <= request.byteLimit else {
                isComplete = true
                return false
            }
            events.append(event)
            byteCount += size
            last = key
            return true
        }
        switch ending {
        case .end: (isComplete, position) = (true, .start)
        case .pause(let reached):
            if !isComplete {
                position = reached
            } else if let last {
                position = .after(last)
            }
        }
    }

    var page: EventPage {
        guard case .after(let key) = position else { return EventPage(events: events, next: nil) }
        return EventPage(events: events, next: EventCursor(key))
    }
}

extension Store {
    private func fill(
        _ request: PageRequest, _ progress: PageProgress,
        _ completion: @escaping @Sendable (Result<EventPage, SentinelError>) -> Void
    ) {
        writer.read(on: writer.quickLane) { connection in
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

    private func count(
        _ filter: EventFilter, _ counted: UInt64, from position: EventScan.Position,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.read(on: writer.bulkLane) { connection in
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
                count(filter, counted, from: position, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func walk(
        _ filter: EventFilter, _ count: UInt64, from position: EventScan.Position,
        _ body: @escaping @Sendable ([Event], @escaping @Sendable (Bool) -> Void) -> Void,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.read(on: writer.bulkLane) { connection in
            let scan = try EventScan(filter, .oldestFirst, in: connection, for: ReadLane.transactionLimit)
            var chunk: [Event] = []
            var byteCount = 0
            let ending = try scan.events(from: position) { _, event in
                chunk.append(event)
                byteCount += event.busSize
                return chunk.count < 1000 && byteCount < 1 << 20
            }
            return (chunk, ending)
        } completion: { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let chunk, let ending)):
                let total = count + UInt64(chunk.count)
                let proceed: @Sendable (Bool) -> Void = { [self] goesOn in
                    guard goesOn, case .pause(let position) = ending else { return completion(.success(total)) }
                    walk(filter, total, from: position, body, completion)
                }
                if chunk.isEmpty {
                    proceed(true)
                } else {
                    body(chunk, proceed)
                }
            }
        }
    }
}
