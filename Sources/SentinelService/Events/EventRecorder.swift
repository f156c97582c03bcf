// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// Records what callers hand in and what the service captures: applies pause and rules, stores, and tells of what is
/// stored.
///
/// Confined to the loop's thread.
final class EventRecorder: @unchecked Sendable {
    /// So many events one call may hand in.
    static let batchLimit = 10_000

    typealias Completion = @Sendable (Result<Void, SentinelError>) -> Void

    /// Told of events after their commit, in the order of their commits.
    var recorded: (([Event]) -> Void)?

    private let store: Store
    private let loop: EventLoop
    private let settings: EventSettings

    init(store: Store, loop: EventLoop, settings: EventSettings) {
        self.store = store
        self.loop = loop
        self.settings = settings
    }

    /// Checks that recording is not paused.
    ///
    /// - Throws: code `paused`.
    func checkCapturing() throws(SentinelError) {
        guard settings.isCapturing else {
            throw SentinelError(.paused, "recording is paused; Resume ends the pause")
        }
    }

    /// What the rules leave of an event; nil if they deny it.
    func admitted(_ event: Event) -> Event? {
        settings.rules.apply(to: event)
    }

    /// Stores events as they are, all of them or none; in the places of others as `replacement` says.
    func store(_ events: [Event], _ replacement: EventReplacement = .anything, completion: @escaping Completion) {
        store.record(
            events, replacingOnly: replacement.source, keepingStartsOf: replacement.keptStarts,
            completion: loop.completion { [weak self] result in
                self?.finish(result, completion)
            })
    }

    /// Gives an open event its duration, and stores another in the same transaction.
    func close(
        _ id: EventID, at end: Timestamp, with event: Event?, _ replacement: EventReplacement = .anything,
        completion: @escaping Completion
    ) {
        store.closeEvent(
            id, at: end, with: event, replacingOnly: replacement.source,
            completion: loop.completion { [weak self] result in
                self?.finish(result.map { event.map { [$0] } ?? [] }, completion)
            })
    }

    private func finish(_ result: Result<[Event], SentinelError>, _ completion: Completion) {
        completion(result.map { _ in })
        if case .success(let events) = result, !events.isEmpty {
            recorded?(events)
        }
    }
}
