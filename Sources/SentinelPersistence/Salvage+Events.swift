// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

extension Salvage {
    /// Where the reading of events is: from the oldest up to the damage, then from the newest down to it.
    struct EventPosition: Sendable {
        fileprivate var isFromNewest = false
        fileprivate var lower: EventKey?
        fileprivate var upper: EventKey?

        /// The oldest event.
        static let start = EventPosition()
    }

    /// Reads some events. What is no event, such as one that lasts longer than is allowed or whose data cannot be
    /// read, is left out; a name that is lost is replaced.
    ///
    /// - Returns: them, and where it goes on; nil at the end.
    func events(from position: EventPosition, limit: Int = 500) -> (events: [Event], next: EventPosition?) {
        var events: [Event] = []
        var position = position
        do {
            let decoder = EventDecoder(source, replacesLostNames: true)
            let rows = try source.prepare(
                """
                SELECT \(EventDecoder.columns) FROM events
                WHERE \(position.lower == nil ? "?1 IS NULL" : "key > ?1")
                    AND \(position.upper == nil ? "?2 IS NULL" : "key < ?2")
                ORDER BY key \(position.isFromNewest ? "DESC" : "ASC")
                """)
            try rows.bind(all: position.lower, position.upper)
            while events.count < limit {
                guard try rows.step() else { return (events, nil) }
                if let key = try key(of: rows) {
                    if position.isFromNewest {
                        position.upper = key
                    } else {
                        position.lower = key
                    }
                }
                if let event = try event(from: rows, decoder) {
                    events.append(closed(event))
                }
            }
            return (events, position)
        } catch {
            // Whatever it says, there is no way past this row in this order.
            guard !position.isFromNewest else { return (events, nil) }
            position.isFromNewest = true
            return (events, position)
        }
    }

    /// Copies the settings.
    ///
    /// - Throws: what writing them throws; what cannot be read is left out.
    func copySettings(to target: Connection) throws {
        var settings: [String: String?] = [:]
        do throws(SQLiteError) {
            let rows = try source.prepare("SELECT name, value FROM settings")
            while try rows.step() {
                settings[try rows.column(0)] = .some(try rows.column(1))
            }
        } catch {
            // What came before the damage is all there is.
        }
        try SettingsTable.set(settings, in: target)
    }

    private func event(from row: Statement, _ decoder: EventDecoder) throws(SQLiteError) -> Event? {
        do throws(SQLiteError) {
            return try decoder.event(from: row)
        } catch let error where error.code == .mismatch {
            return nil
        }
    }

    private func key(of row: Statement) throws(SQLiteError) -> EventKey? {
        do throws(SQLiteError) {
            return try row.column(0)
        } catch let error where error.code == .mismatch {
            return nil
        }
    }

    /// An event that was open can no longer be closed by whoever opened it.
    private func closed(_ event: Event) -> Event {
        guard event.marks.contains(.open) else { return event }
        var event = event
        event.marks = event.marks.subtracting(.open).union(.interrupted)
        let end = lastWrite ?? event.timestamp
        event.duration = min(max(end.microseconds - event.timestamp.microseconds, 0), Event.longestDuration)
        return event
    }

    private var lastWrite: Timestamp? {
        do throws(SQLiteError) {
            return try SettingsTable.lastCommit(in: source)
        } catch {
            return nil
        }
    }
}
