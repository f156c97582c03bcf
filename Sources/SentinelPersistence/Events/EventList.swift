// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The events of some ids, in order: their keys are looked up once, then gone through.
struct EventList: Sendable {
    private var ids: ArraySlice<EventID>
    private var keys: ArraySlice<EventKey> = []
    private let order: EventScan.Order
    /// Where it begins, in its order; nil for the first event.
    private let position: EventKey?

    /// The events of these ids behind a key.
    init(_ ids: [EventID], _ order: EventScan.Order, behind position: EventKey?) {
        self.ids = ids[...]
        self.order = order
        self.position = position
    }

    /// Looks for the keys, as far as the time lasts.
    ///
    /// - Returns: whether all are known.
    mutating func findKeys(
        in connection: Connection, until deadline: ContinuousClock.Instant
    ) throws(SQLiteError) -> Bool {
        guard !ids.isEmpty else { return true }
        while let id = ids.popFirst() {
            if let key = try EventLookup.row(of: id, in: connection)?.key, isBehind(key) {
                keys.append(key)
            }
            if ids.count.isMultiple(of: 64), !ids.isEmpty, ContinuousClock.now >= deadline { return false }
        }
        keys.sort { order == .newestFirst ? $0 > $1 : $0 < $1 }
        return true
    }

    /// Takes the next key; nil after the last.
    mutating func next() -> EventKey? {
        guard let key = keys.popFirst() else { return nil }
        // An id may be there twice.
        while keys.first == key {
            keys.removeFirst()
        }
        return key
    }

    private func isBehind(_ key: EventKey) -> Bool {
        guard let position else { return true }
        return order == .newestFirst ? key < position : key > position
    }
}
