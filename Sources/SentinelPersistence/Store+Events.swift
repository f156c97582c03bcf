// SPDX-License-Identifier: MIT

import SQLite
public import SentinelModels

extension Store {
    /// Stores events, all or none. One whose id is known takes the place of the event that has it.
    ///
    /// - Parameters:
    ///   - source: whose events alone may be replaced; nil for anybody's. Where one of another source has an id, it
    ///     fails with `accessDenied`.
    ///   - ids: which of the events begin when those began in whose place they come, as where an open event is closed
    ///     by recording its id with a duration alone. Without such an event they begin as they say.
    ///   - completion: called on the store's queue once they are on disk, with the events as they are stored.
    ///     `storageFull`, `unavailable` where that cannot be; nothing is kept in memory in its stead.
    public func record(
        _ events: [Event], replacingOnly source: Name? = nil, keepingStartsOf ids: Set<EventID> = [],
        completion: @escaping @Sendable (Result<[Event], SentinelError>) -> Void
    ) {
        writer.submitEvents(
            readsRollups: false,
            { writer in
                writer.reserveCapacity(events.count)
                var stored = events
                for index in events.indices {
                    let id = events[index].id
                    if ids.contains(id), let row = try writer.row(of: id) {
                        stored[index].timestamp = Timestamp(clamping: row.key.microseconds)
                    }
                    try writer.record(stored[index], replacingOnly: source)
                }
                return stored
            }, completion: completion)
    }

    /// Stores those events whose ids are not known, all or none.
    ///
    /// - Parameter completion: called on the store's queue once they are on disk.
    public func importEvents(
        _ events: [Event],
        completion: @escaping @Sendable (Result<(recorded: Int, skipped: Int), SentinelError>) -> Void
    ) {
        writer.submitEvents(
            readsRollups: false,
            { writer in
                writer.reserveCapacity(events.count)
                var recorded = 0
                for event in events where try writer.add(event) {
                    recorded += 1
                }
                return (recorded, events.count - recorded)
            }, completion: completion)
    }

    /// Gives an open event its duration, from its start to a time, at most 30 days, and stores the event that closes
    /// it, in one transaction. Where the event is not there or not open, the closing one is stored all the same.
    ///
    /// - Parameter source: whose events alone the closing one may replace; nil for anybody's. Where one of another source
    ///   has its id, it fails with `accessDenied` and nothing is closed.
    public func closeEvent(
        _ id: EventID, at end: Timestamp, with closing: Event?, replacingOnly source: Name? = nil,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submitEvents(
            readsRollups: false,
            { writer in
                try writer.close(id, at: end)
                if let closing {
                    try writer.record(closing, replacingOnly: source)
                }
            }, completion: completion)
    }

    /// Closes open events at the time of the last commit of events, and marks them as interrupted: for the start of the
    /// service.
    ///
    /// - Parameters:
    ///   - ids: the events that stay open.
    ///   - completion: called on the store's queue with how many were closed.
    public func closeOpenEvents(
        except ids: Set<EventID> = [], completion: @escaping @Sendable (Result<Int, SentinelError>) -> Void
    ) {
        writer.submitEvents(
            { writer in
                let end = try writer.lastCommit()
                let rows = try EventLookup.openRows(in: writer.connection).filter { !ids.contains($0.id) }
                for row in rows {
                    try writer.close(row, at: end?.microseconds ?? 0, marking: .interrupted)
                }
                return rows.count
            }, completion: completion)
    }
}
