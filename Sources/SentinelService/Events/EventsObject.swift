// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// `org.sentinel.Events1`.
///
/// Confined to the loop's thread.
final class EventsObject: Events1Handler, @unchecked Sendable {
    /// An argument that is a time span is at most 100 years.
    static let longestSpan = 100 * 365.25 * 86_400

    let store: Store
    let loop: EventLoop
    let clock: WallClock
    let settings: EventSettings
    let recorder: EventRecorder
    let capture: EventCapture
    let retention: EventRetention
    let sources: EventSources
    let subscriptions: EventSubscriptions
    let transfers: EventTransfers
    let reads: EventReads
    let log: Log
    private let connection: Connection
    /// Whether what the service before has left is settled.
    var hasBegun = false
    /// Told when what is recorded and for how long it is kept has changed, or was taken in.
    var settingsFollower: (() -> Void)?

    init(connection: Connection, registry: ApplicationRegistry, peers: PeerDirectory, store: Store, log: Log) {
        self.connection = connection
        self.store = store
        self.log = log
        loop = connection.loop
        clock = .system
        settings = EventSettings(store: store, loop: loop, clock: clock, log: log)
        recorder = EventRecorder(store: store, loop: loop, settings: settings)
        capture = EventCapture(recorder: recorder, settings: settings, loop: loop, clock: clock, log: log)
        retention = EventRetention(store: store, loop: loop, settings: settings, clock: clock, log: log)
        sources = EventSources(registry: registry, peers: peers)
        subscriptions = EventSubscriptions(connection: connection, path: ServiceObject.path)
        transfers = EventTransfers(connection: connection)
        reads = EventReads(connection: connection)
        recorder.recorded = { [subscriptions, retention] events in
            subscriptions.publish(events)
            retention.note(events)
        }
        settings.changed = { [weak self] in self?.settingsChanged($0) }
        registry.instanceBegan = { [capture, clock] application, instance in
            capture.instanceBegan(
                application.id, instance.client, processID: instance.processID, at: clock.time(at: instance.start))
        }
        registry.instanceEnded = { [capture, clock] application, instance in
            capture.instanceEnded(application.id, instance.client, processID: instance.processID, at: clock.now())
        }
    }

    private func settingsChanged(_ properties: [Events1.Property]) {
        connection.objects.propertiesChanged(properties, of: Events1.self, at: ServiceObject.path)
        settingsFollower?()
        if properties.contains(.retentionDays) || properties.contains(.maxBytes) {
            retention.expire()
        }
    }

    /// Reads an argument that is a time span; 0 is allowed where it means something.
    static func span(
        _ seconds: Double, of argument: String = "seconds", allowsZero: Bool
    ) throws(SentinelError) -> Int64 {
        guard seconds > 0 || (allowsZero && seconds == 0), seconds <= longestSpan else {
            let range = allowsZero ? "0 to 100 years" : "more than 0 and at most 100 years"
            throw SentinelError(.invalidArgs, "\(argument): expected \(range)")
        }
        return Int64((seconds * 1_000_000).rounded(.up))
    }
}

// MARK: - Finding and removing

extension EventsObject {
    /// So many bytes of events a reply holds, a little less than what it may be: they are about counted.
    static let pageByteLimit = 7 << 19

    func query(filter: [Key: Value], limit: UInt32, cursor: String, reply: Reply<[EventEntry], String>) {
        reply.attempt {
            let filter = try EventFilter(options: filter)
            let limit = try PageLimit(limit)
            let position = try Self.cursor(cursor)
            reads.begin(for: try reply.call.client) { result in
                reply.attempt {
                    let page: EventPage = try result.get()
                    reply(page.events.map { EventEntry($0) }, page.next?.text ?? "")
                }
            } _: { cancellation, completion in
                store.events(
                    filter, limit: limit.count, byteLimit: Self.pageByteLimit, cursor: position,
                    cancellation: cancellation, completion: completion)
            }
        }
    }

    static func cursor(_ text: String) throws(SentinelError) -> EventCursor? {
        text.isEmpty ? nil : try EventCursor(text)
    }

    func count(filter: [Key: Value], reply: Reply<UInt64>) {
        reply.attempt {
            let filter = try EventFilter(options: filter)
            reads.begin(for: try reply.call.client) { result in
                reply.attempt { reply(try result.get()) }
            } _: { cancellation, completion in
                store.countEvents(filter, cancellation: cancellation, completion: completion)
            }
        }
    }

    func delete(filter: [Key: Value], reply: Reply<UInt64>) {
        reply.attempt {
            let wanted = try EventFilter(options: filter)
            let everything = try filter.option("everything", as: Bool.self) ?? false
            guard !wanted.isEmpty || everything else {
                throw SentinelError(
                    .invalidArgs,
                    "the filter chooses nothing: give a key that is known, or everything as true to delete all")
            }
            store.deleteEvents(
                wanted,
                changed: onLoop { events in
                    let removed = EventMatcher(wanted)
                    events.subscriptions.replace { removed.matches($0) ? nil : $0 }
                }, completion: answeringInTurn(reply))
        }
    }

    func forget(seconds: Double, reply: Reply<UInt64>) {
        reply.attempt {
            let span = try Self.span(seconds, allowsZero: false)
            let since = Timestamp(clamping: clock.time(at: reply.call.arrival).microseconds - span)
            let open = capture.openIDs
            store.forgetEvents(
                since: since, changed: onLoop { $0.forgot(since: since, open) },
                completion: answeringInTurn(reply))
        }
    }

    private func forgot(since: Timestamp, _ open: [EventID]) {
        capture.forget(open)
        subscriptions.replace { $0.reaches(since) ? nil : $0 }
        connection.objects.emit(Events1.Forgotten(since: since.microseconds), from: ServiceObject.path)
    }

    func applyRules(options: [Key: Value], reply: Reply<UInt64>) {
        let rules = settings.rules
        store.applyRules(
            rules, changed: onLoop { events in events.subscriptions.replace { rules.apply(to: $0) } },
            completion: answeringInTurn(reply))
    }

    /// A completion for the store that answers a call after what was done on the loop's thread before.
    private func answeringInTurn(_ reply: Reply<UInt64>) -> @Sendable (Result<UInt64, SentinelError>) -> Void {
        loop.completion { result in reply.attempt { reply(try result.get()) } }
    }

    /// Has something done on the loop's thread, from the store's queue.
    private func onLoop(_ body: @escaping @Sendable (EventsObject) -> Void) -> @Sendable () -> Void {
        { [weak self, loop] in
            loop.enqueue { [weak self] in
                if let self {
                    body(self)
                }
            }
        }
    }
}

// MARK: - Subscriptions

extension EventsObject {
    func subscribe(filter: [Key: Value], reply: Reply<UInt32>) {
        reply.attempt {
            reply(
                try subscriptions.subscribe(try EventFilter(options: filter), client: try reply.call.client))
        }
    }

    func unsubscribe(subscription: UInt32, reply: Reply<>) {
        reply.attempt {
            try subscriptions.unsubscribe(subscription, client: try reply.call.client)
            reply()
        }
    }
}
