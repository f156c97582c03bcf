// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelModels
import SentinelPersistence

/// Writes events into a file, page by page, on a queue of its own that may wait for the file.
///
/// `@unchecked Sendable`: the count is confined to `queue`.
final class EventExport: Transfer, @unchecked Sendable {
    /// So few that others who wait for a processor get one soon.
    private static let pageLimit = 64
    private static let pageByteLimit = 1 << 20

    private let queue = DispatchQueue(label: "org.sentinel.export", qos: .utility)
    private let file: TransferFile
    private let format: EventFormat
    private let filter: EventFilter
    private let store: Store
    private let completion: @Sendable (Result<UInt64, SentinelError>) -> Void
    private let cancellation = ReadCancellation()
    private var count: UInt64 = 0

    /// - Parameter completion: called once, on a queue of the export's.
    init(
        to file: TransferFile, _ format: EventFormat, _ filter: EventFilter, store: Store,
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        self.file = file
        self.format = format
        self.filter = filter
        self.store = store
        self.completion = completion
    }

    func start() {
        queue.async { [self] in
            attempt { () throws(SentinelError) in
                try file.check()
                try file.write(format.header)
                readPage(after: nil)
            }
        }
    }

    func cancel() {
        cancellation.cancel()
        file.cancel()
    }

    private func attempt(_ work: () throws(SentinelError) -> Void) {
        do throws(SentinelError) {
            try work()
        } catch {
            completion(.failure(error))
        }
    }

    private func readPage(after cursor: EventCursor?) {
        store.events(
            filter, limit: Self.pageLimit, byteLimit: Self.pageByteLimit, cursor: cursor, isBulk: true,
            cancellation: cancellation
        ) { [self] result in
            queue.async { [self] in
                attempt { () throws(SentinelError) in try write(try result.get()) }
            }
        }
    }

    private func write(_ page: EventPage) throws(SentinelError) {
        var bytes: [UInt8] = []
        for event in page.events {
            bytes += format.line(event)
        }
        try file.write(bytes)
        count += UInt64(page.events.count)
        guard let next = page.next else { return completion(.success(count)) }
        readPage(after: next)
    }
}
