// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// The reads of the event store that clients wait for: one that takes long ends with its client, and with the service.
///
/// Confined to the loop's thread.
final class EventReads: @unchecked Sendable {
    typealias Completion<Success> = @Sendable (Result<Success, SentinelError>) -> Void

    /// What takes no longer is neither worth asking the bus about its client, nor ended with the service.
    private static let patience = Duration.milliseconds(100)

    private struct Client {
        var cancellations: [UInt64: ReadCancellation] = [:]
        var timer: LoopTimer?
        /// Follows the client, once a read takes long.
        var watch: Subscription?
        /// Whether it has left, or its time is over: nothing is read for it any more.
        var isOver = false
    }

    private let connection: Connection
    private var clients: [BusName: Client] = [:]
    /// The number of the read that was begun last.
    private var lastNumber: UInt64 = 0
    private var isEnding = false

    init(connection: Connection) {
        self.connection = connection
    }

    /// Has something read for a client.
    ///
    /// - Parameters:
    ///   - completion: called with what comes of it, where the store calls.
    ///   - read: begins to read, until it is cancelled.
    func begin<Success: Sendable>(
        for client: BusName, completion: @escaping Completion<Success>,
        _ read: (ReadCancellation, @escaping Completion<Success>) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        let cancellation = ReadCancellation()
        var entry = clients[client] ?? Client()
        entry.cancellations[number] = cancellation
        if entry.isOver {
            cancellation.cancel()
        } else if entry.watch == nil, entry.timer == nil {
            entry.timer = connection.loop.schedule(after: Self.patience) { [weak self] in self?.takesLong(client) }
        }
        clients[client] = entry
        read(cancellation) { [weak self, loop = connection.loop] result in
            completion(result)
            loop.enqueue { [weak self] in self?.end(number, of: client) }
        }
    }

    /// Ends the reads that take long, now and from now on: for the end of the service.
    func end() {
        isEnding = true
        for (name, client) in clients where client.watch != nil {
            cancel(name)
        }
    }

    private func takesLong(_ client: BusName) {
        clients[client]?.timer = nil
        guard !isEnding else { return cancel(client) }
        clients[client]?.watch = connection.watchOwner(of: client) { [weak self] owner in
            if owner == nil {
                self?.cancel(client)
            }
        }
    }

    private func cancel(_ client: BusName) {
        clients[client]?.isOver = true
        for cancellation in (clients[client]?.cancellations ?? [:]).values {
            cancellation.cancel()
        }
    }

    private func end(_ number: UInt64, of client: BusName) {
        clients[client]?.cancellations[number] = nil
        guard let left = clients[client], left.cancellations.isEmpty else { return }
        left.timer?.cancel()
        left.watch?.cancel()
        clients[client] = nil
    }
}
