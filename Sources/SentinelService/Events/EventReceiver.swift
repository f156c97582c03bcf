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
    /// What waits for all clients together.
    final class Budget {
        /// So many bytes may wait at most.
        static let limit = 32 << 20
        var byteCount = 0
    }

    /// So many events go into one signal at most, and so many bytes about.
    private static let signalEventLimit = 1000
    private static let signalByteLimit = 256 << 10
    /// After so many bytes the client is asked, and with twice as many on their way nothing more is sent.
    private static let stride = 512 << 10
    /// So many bytes may wait for one client.
    private static let waitingLimit = 4 << 20
    /// A client that does not answer for so long is sent more all the same: it may not know how to answer.
    private static let patience = Duration.seconds(25)

    private let client: BusName
    private let connection: Connection
    private let path: ObjectPath
    private let budget: Budget
    private var ending: Subscription?
    /// The subscriptions by their numbers.
    var feeds: [UInt32: EventFeed] = [:]
    private var waitingBytes = 0
    /// Sent, and not known to have arrived.
    private var unconfirmedBytes = 0
    private var isAsking = false

    /// - Parameter ended: called when the client has left the bus.
    init(
        _ client: BusName, connection: Connection, path: ObjectPath, budget: Budget,
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
        budget.byteCount -= waitingBytes
    }

    /// Ends a subscription.
    ///
    /// - Returns: false if there is none of that number.
    func end(_ number: UInt32) -> Bool {
        guard var feed = feeds.removeValue(forKey: number) else { return false }
        release(feed.remove { _ in true })
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
        while waitingBytes + weight > Self.waitingLimit || budget.byteCount + weight > Budget.limit {
            guard let oldest = feeds[number]?.popFirst() else {
                feeds[number]?.drop()
                return
            }
            release(oldest.weight)
            feeds[number]?.drop()
        }
        feeds[number]?.append(event)
        waitingBytes += weight
        budget.byteCount += weight
    }

    private func release(_ count: Int) {
        waitingBytes -= count
        budget.byteCount -= count
    }

    /// Lets go of events from a time on, and of those that reach beyond it.
    func forget(since time: Timestamp) {
        for number in feeds.keys {
            release(feeds[number]?.remove { $0.reaches(time) } ?? 0)
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
        release(byteCount)
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

extension Event {
    /// Whether the event begins at a time or later, lasts beyond it, or is open.
    func reaches(_ time: Timestamp) -> Bool {
        marks.contains(.open) || timestamp >= time || timestamp.microseconds + (duration ?? 0) > time.microseconds
    }
}
