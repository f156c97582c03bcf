// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// A client with subscriptions: it is sent as much as it takes.
///
/// The bus keeps for a client what that does not read, up to a thousand megabytes. After some events the client is
/// therefore asked for a sign of life (`org.freedesktop.DBus.Peer.Ping`, which its D-Bus library answers); until it comes,
/// what there is to send waits here, within bounds, and past them the oldest is left out and counted.
///
/// Confined to the loop's thread.
final class EventReceiver: @unchecked Sendable {
    /// So many events go into one signal at most, and so many bytes about.
    private static let signalEventLimit = 1000
    private static let signalByteLimit = 256 << 10
    /// After so many bytes the client is asked, and with twice as many on their way nothing more is sent.
    private static let stride = 512 << 10
    /// A client that does not answer for so long is sent more all the same: it may not know how to answer.
    private static let patience = Duration.seconds(25)

    private let client: BusName
    private let connection: Connection
    private let path: ObjectPath
    private let budget: EventBudget
    private var ending: Subscription?
    /// The subscriptions by their numbers.
    private(set) var feeds: [UInt32: EventFeed] = [:]
    private var waitingBytes = 0
    /// Sent, and not known to have arrived.
    private var unconfirmedBytes = 0
    private var isAsking = false

    /// - Parameter ended: called when the client has left the bus.
    init(
        _ client: BusName, connection: Connection, path: ObjectPath, budget: EventBudget,
        ended: @escaping @Sendable () -> Void
    ) {
        self.client = client
        self.connection = connection
        self.path = path
        self.budget = budget
        ending = connection.watchOwner(of: client) { owner in
            if owner == nil {
                ended()
            }
        }
    }

    deinit {
        budget.change(from: waitingBytes, to: 0)
    }

    /// Begins a subscription.
    func begin(_ number: UInt32, _ filter: EventFilter) {
        feeds[number] = EventFeed(filter)
    }

    /// Ends a subscription.
    ///
    /// - Returns: false if there is none of that number.
    func end(_ number: UInt32) -> Bool {
        guard var feed = feeds.removeValue(forKey: number) else { return false }
        change(by: -feed.replace { _ in nil })
        return true
    }

    /// Takes in events that the client may want.
    func take(_ events: [Event]) {
        for number in feeds.keys {
            guard let filter = feeds[number]?.filter else { continue }
            for event in events where filter.matches(event) {
                add(event, to: number)
            }
        }
    }

    private func add(_ event: Event, to number: UInt32) {
        let weight = event.weight
        while !budget.allows(weight, beside: waitingBytes) {
            // Of the subscriptions of one client none makes the others miss everything.
            guard let longest = feeds.max(by: { $0.value.count < $1.value.count })?.key,
                let oldest = feeds[longest]?.popFirst()
            else {
                feeds[number]?.drop()
                return
            }
            change(by: -oldest.weight)
            feeds[longest]?.drop()
        }
        feeds[number]?.append(event)
        change(by: weight)
    }

    private func change(by count: Int) {
        budget.change(from: waitingBytes, to: waitingBytes + count)
        waitingBytes += count
    }

    /// Has what waits follow what is removed from the store, or changed there.
    func replace(_ change: (Event) -> Event?) {
        for number in feeds.keys {
            self.change(by: -(feeds[number]?.replace(change) ?? 0))
        }
    }

    /// Sends what there is, as far as the client keeps up.
    func flush() {
        for number in feeds.keys.sorted() {
            while unconfirmedBytes < 2 * Self.stride, send(number) {}
        }
        if unconfirmedBytes >= Self.stride {
            ask()
        }
    }

    /// Sends a signal for a subscription.
    ///
    /// - Returns: false if there is nothing to send.
    private func send(_ number: UInt32) -> Bool {
        var entries: [EventEntry] = []
        var byteCount = 0
        while entries.count < Self.signalEventLimit, byteCount < Self.signalByteLimit,
            let event = feeds[number]?.popFirst()
        {
            entries.append(EventEntry(event))
            byteCount += event.weight
        }
        guard !entries.isEmpty, let dropped = feeds[number]?.takeDropped() else { return false }
        change(by: -byteCount)
        unconfirmedBytes += byteCount
        connection.objects.emit(
            Events1.Recorded(subscription: number, events: entries, dropped: dropped), from: path, to: client)
        return true
    }

    private func ask() {
        guard !isAsking else { return }
        let asked = unconfirmedBytes
        do throws(DBusError) {
            let ping = try Message.methodCall(
                to: client, "/", "org.freedesktop.DBus.Peer", "Ping", startsService: false)
            isAsking = true
            connection.call(ping, timeout: Self.patience) { [weak self] _ in
                guard let self else { return }
                // An error has come from there as well, or the client has gone.
                isAsking = false
                unconfirmedBytes -= asked
                flush()
            }
        } catch {
            // Without memory for the question there is none to keep the answer from.
            unconfirmedBytes = 0
        }
    }
}
