// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// An export, import or report that is under way.
protocol Transfer: Sendable {
    /// Begins, beside the loop.
    func start()
    /// Ends it soon, with an error; callable on every thread.
    func cancel()
}

/// The exports, imports and reports that are under way: one a client, which ends with its client.
///
/// Confined to the loop's thread.
final class EventTransfers: @unchecked Sendable {
    private struct Entry {
        let transfer: any Transfer
        let watch: Subscription
    }

    /// So many may be under way at a time: each has a thread that may wait.
    private static let limit = 8

    private let connection: Connection
    private var entries: [BusName: Entry] = [:]

    init(connection: Connection) {
        self.connection = connection
    }

    /// Checks that a client may begin a transfer.
    ///
    /// - Throws: code `limitsExceeded`.
    func admit(_ client: BusName) throws(SentinelError) {
        guard entries[client] == nil else {
            throw SentinelError(
                .limitsExceeded, "an export, import or report of this client is under way; wait until it is over")
        }
        guard entries.count < Self.limit else {
            throw SentinelError(
                .limitsExceeded,
                "\(Self.limit) exports, imports and reports are under way; wait until one of them is over")
        }
    }

    /// Begins a transfer of a client that has been admitted.
    func begin(_ transfer: any Transfer, of client: BusName) {
        let watch = connection.watchOwner(of: client) { [weak self] owner in
            if owner == nil {
                self?.entries[client]?.transfer.cancel()
            }
        }
        entries[client] = Entry(transfer: transfer, watch: watch)
        transfer.start()
    }

    /// Notes that the transfer of a client is over.
    func end(of client: BusName) {
        entries[client] = nil
    }

    /// Ends all, for the end of the service.
    func cancelAll() {
        for entry in entries.values {
            entry.transfer.cancel()
        }
    }
}
