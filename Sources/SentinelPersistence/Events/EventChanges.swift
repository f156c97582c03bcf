// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// What follows from changes of events and is not written yet: rollups, and the names with their numbers of uses.
///
/// It is gathered over the calls of a transaction and written once, since most of them change the same rows.
struct EventChanges {
    var ledger = RollupLedger()
    /// Names that were made. Those that no event came to have go again.
    var newTypes: Set<Int64> = []
    var newSources: Set<Int64> = []

    /// Takes in what another call has changed after this.
    mutating func merge(_ later: EventChanges) {
        ledger.merge(later.ledger)
        newTypes.formUnion(later.newTypes)
        newSources.formUnion(later.newSources)
    }

    /// Writes it and forgets it. The events must be as they are to be.
    mutating func settle(in connection: Connection, _ memory: EventMemory, now: Timestamp) throws(SQLiteError) {
        guard !ledger.isEmpty || !newTypes.isEmpty || !newSources.isEmpty else { return }
        let changes = try ledger.flush(in: connection)
        let types = Self.uses(changes.typeUses, newTypes)
        try Self.settleTypes(types, in: connection, memory)
        try Self.settleSources(Self.uses(changes.sourceUses, newSources), in: connection, memory)
        try SettingsTable.set([SettingsTable.lastCommit: String(now.microseconds)], in: connection)
        memory.add(types.values.reduce(0, +))
        self = EventChanges()
    }

    private static func uses(_ changes: [(id: Int64, change: Int64)], _ new: Set<Int64>) -> [Int64: Int64] {
        var uses: [Int64: Int64] = [:]
        for id in new {
            uses[id] = 0
        }
        for (id, change) in changes {
            uses[id, default: 0] += change
        }
        return uses
    }

    private static func settleTypes(
        _ uses: [Int64: Int64], in connection: Connection, _ memory: EventMemory
    ) throws(SQLiteError) {
        for (number, change) in uses where change != 0 {
            try connection.run("UPDATE event_types SET uses = uses + ? WHERE id = ?", change, number)
        }
        for (number, change) in uses where change <= 0 {
            if try connection.run("DELETE FROM event_types WHERE id = ? AND uses <= 0", number) > 0 {
                memory.types.removeAll()
            }
        }
    }

    private static func settleSources(
        _ uses: [Int64: Int64], in connection: Connection, _ memory: EventMemory
    ) throws(SQLiteError) {
        for (number, change) in uses where change != 0 {
            try connection.run("UPDATE event_sources SET uses = uses + ? WHERE id = ?", change, number)
        }
        for (number, change) in uses where change <= 0 {
            if try connection.run("DELETE FROM event_sources WHERE id = ? AND uses <= 0", number) > 0 {
                memory.sources.removeAll()
            }
        }
    }
}
