// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelModels
import SentinelPersistence

/// Reads events from a file and has them stored in chunks, on a queue of its own that may wait for the file.
///
/// `@unchecked Sendable`: the variables are confined to `queue`.
final class EventImport: Transfer, @unchecked Sendable {
    /// How many events were stored, and how many were not.
    struct Outcome: Sendable {
        var recorded: UInt64 = 0
        var skipped: UInt64 = 0
    }

    /// Decides on the events of a chunk on the loop's thread.
    ///
    /// - Returns: those that are to be stored, as they are to be stored; an error if none may be.
    typealias Admission =
        @Sendable (
            [Event], @escaping @Sendable (Result<[Event], SentinelError>) -> Void
        ) -> Void

    private static let chunkLimit = 10_000
    private static let chunkByteLimit = 8 << 20

    private let queue = DispatchQueue(label: "org.sentinel.import", qos: .utility)
    private let file: TransferFile
    private let filter: EventMatcher
    private let store: Store
    private let admit: Admission
    private let completion: @Sendable (Result<Outcome, SentinelError>) -> Void
    private var reader: EventFileReader
    private var chunk: [Event] = []
    private var chunkBytes = 0
    private var isAtEnd = false
    /// Why nothing more can be read.
    private var failure: SentinelError?
    private var outcome = Outcome()

    /// - Parameter completion: called once, on a queue of the import's.
    init(
        from file: TransferFile, _ format: EventFormat, _ filter: EventFilter, store: Store,
        admit: @escaping Admission, completion: @escaping @Sendable (Result<Outcome, SentinelError>) -> Void
    ) {
        self.file = file
        self.filter = EventMatcher(filter)
        self.store = store
        self.admit = admit
        self.completion = completion
        reader = EventFileReader(format)
    }

    func start() {
        queue.async { [self] in
            do throws(SentinelError) {
                try file.check()
                proceed()
            } catch {
                fail(error)
            }
        }
    }

    func cancel() {
        file.cancel()
    }

    /// Fills a chunk and has it stored, or ends.
    private func proceed() {
        while !isAtEnd, failure == nil, chunk.count < Self.chunkLimit, chunkBytes < Self.chunkByteLimit {
            read()
        }
        // What comes before the fault is stored as far as it makes whole chunks.
        if let failure, chunk.count < Self.chunkLimit {
            return fail(failure)
        }
        guard !chunk.isEmpty else { return completion(.success(outcome)) }
        let events = Array(chunk.prefix(Self.chunkLimit))
        chunk.removeFirst(events.count)
        chunkBytes = chunk.reduce(0) { $0 + $1.weight }
        admit(events) { [self] result in
            switch result {
            case .success(let admitted): keep(admitted, of: events.count)
            case .failure(let error): queue.async { [self] in fail(error) }
            }
        }
    }

    private func read() {
        do {
            let bytes = try file.read()
            isAtEnd = bytes.isEmpty
            if isAtEnd {
                try reader.finish(take)
            } else {
                try reader.read(bytes, take)
            }
        } catch let error as SentinelError {
            failure = error
        } catch {
            failure = SentinelError(.failed, "internal error", underlying: error)
        }
    }

    private func take(_ event: Event) {
        guard filter.matches(event) else {
            outcome.skipped += 1
            return
        }
        chunk.append(event)
        chunkBytes += event.weight
    }

    private func keep(_ events: [Event], of count: Int) {
        store.importEvents(events) { [self] result in
            queue.async { [self] in
                switch result {
                case .success(let kept):
                    outcome.recorded += UInt64(kept.recorded)
                    outcome.skipped += UInt64(kept.skipped) + UInt64(count - events.count)
                    proceed()
                case .failure(let error):
                    fail(error)
                }
            }
        }
    }

    /// Says how far it has come: what is stored stays.
    private func fail(_ error: SentinelError) {
        let progress =
            outcome.recorded == 0 ? "nothing was recorded" : "\(outcome.recorded) events were recorded before"
        completion(
            .failure(SentinelError(error.code, "\(error.message) (\(progress))", underlying: error)))
    }
}
