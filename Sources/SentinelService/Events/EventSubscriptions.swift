// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Who wants to hear of events that are recorded, and of which.
///
/// Confined to the loop's thread.
final class EventSubscriptions: @unchecked Sendable {
    /// So many subscriptions a client may have at a time.
    static let limit = 100

    private let connection: Connection
    private let path: ObjectPath
    private let budget = EventBudget()
    private var receivers: [BusName: EventReceiver] = [:]
    /// The number of the subscription that was begun last.
    private var lastNumber: UInt32 = 0
    private var isFlushScheduled = false

    init(connection: Connection, path: ObjectPath) {
        self.connection = connection
        self.path = path
    }

    /// Begins a subscription, which ends with the client.
    ///
    /// - Throws: code `limitsExceeded`.
    func subscribe(_ filter: EventFilter, client: BusName) throws(SentinelError) -> UInt32 {
        guard receivers[client]?.feeds.count ?? 0 < Self.limit else {
            throw SentinelError(
                .limitsExceeded, "\(Self.limit) subscriptions are open for this client; end one of them first")
        }
        // After four thousand million subscriptions numbers come again; those of the ones that have lasted do not.
        repeat {
            lastNumber = lastNumber == .max ? 1 : lastNumber + 1
        } while receivers.values.contains { $0.feeds[lastNumber] != nil }
        let receiver =
            receivers[client]
            ?? EventReceiver(client, connection: connection, path: path, budget: budget) {
                [weak self] in self?.receivers[client] = nil
            }
        receivers[client] = receiver
        receiver.begin(lastNumber, filter)
        return lastNumber
    }

    /// Ends a subscription of a client.
    ///
    /// - Throws: code `unknownSubscription`.
    func unsubscribe(_ number: UInt32, client: BusName) throws(SentinelError) {
        guard let receiver = receivers[client], receiver.end(number) else {
            throw SentinelError(.unknownSubscription, "the caller has no subscription \(number)")
        }
        if receiver.feeds.isEmpty {
            receivers[client] = nil
        }
    }

    /// Tells of events; what comes in one turn of the loop goes out together.
    func publish(_ events: [Event]) {
        guard !receivers.isEmpty else { return }
        for receiver in receivers.values {
            receiver.take(events)
        }
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        connection.loop.enqueue { [weak self] in self?.flush() }
    }

    /// Has what waits to be sent follow what is removed from the store, or changed there.
    ///
    /// - Parameter change: gives what is left of an event; nil if it is gone.
    func replace(_ change: (Event) -> Event?) {
        for receiver in receivers.values {
            receiver.replace(change)
        }
    }

    private func flush() {
        isFlushScheduled = false
        for receiver in receivers.values {
            receiver.flush()
        }
    }
}
