// SPDX-License-Identifier: MIT

import SQLite
public import SentinelModels

extension Store {
    /// Stores events, all or none. One whose id is known takes the place of the event that has it.
    ///
    /// - Parameter completion: called on the store's queue once they are on disk. `storageFull`, `unavailable` where
    ///   that cannot be; nothing is kept in memory in its stead.
    public func record(_ events: [Event], completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void) {
        writer.submitEvents(
            { writer in
                for event in events {
                    try writer.record(event)
                }
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
            { writer in
                var recorded = 0
                for event in events where try writer.add(event) {
                    recorded += 1
                }
                return (recorded, events.count - recorded)
            }, completion: completion)
    }

    /// Gives an open event its duration, from its start to a time, at most 30 days, and stores the event that closes
    /// it, in one transaction. Where the event is not there or not open, the closing one is stored all the same.
    public func closeEvent(
        _ id: EventID, at end: Timestamp, with closing: Event?,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submitEvents(
            { writer in
                try writer.close(id, at: end)
                if let closing {
                    try writer.record(closing)
                }
            }, completion: completion)
    }

    /// Closes all open events at the time of the last commit of events, and marks them as interrupted: for the start of
    /// the service.
    ///
    /// - Parameter completion: called on the store's queue with how many there were.
    public func closeOpenEvents(completion: @escaping @Sendable (Result<Int, SentinelError>) -> Void) {
        writer.submitEvents(
            { writer in
                let end = try writer.connection.first("SELECT max(written) FROM event_types", as: Int64?.self) ?? nil
                let rows = try OpenEvents.rows(in: writer.connection)
                for row in rows {
                    try writer.close(row, at: end ?? 0, marking: .interrupted)
                }
                return rows.count
            }, completion: completion)
    }
}
