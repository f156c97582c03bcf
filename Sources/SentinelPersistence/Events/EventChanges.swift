// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// What follows from changes of events and is not written yet: rollups, and the names with their numbers of uses.
///
/// It is gathered over the calls of a transaction and written once, since most of them change the same rows.
struct EventChanges {
    var ledger = RollupLedger()
    /// Numbers of names that were made. Those that no event came to have go again.
    var newNames: [NameTable: Set<Int64>] = [:]

    /// Takes in what another call has changed after this.
    mutating func merge(_ later: EventChanges) {
        ledger.merge(later.ledger)
        newNames.merge(later.newNames) { $0.union($1) }
    }

    /// Writes it and forgets it. The events must be as they are to be.
    mutating func settle(in connection: Connection, _ memory: EventMemory, now: Timestamp) throws(SQLiteError) {
        guard !ledger.isEmpty || !newNames.isEmpty else { return }
        let changes = try ledger.flush(in: connection)
        memory.note(changes.times)
        let types = changes.uses(in: .types)
        for (table, changed) in [(NameTable.types, types), (.sources, changes.uses(in: .sources))] {
            if try table.count(Self.uses(changed, newNames[table] ?? []), in: connection) {
                memory.forgetNumbers(in: table)
            }
        }
        try SettingsTable.set([SettingsTable.lastCommit: String(now.microseconds)], in: connection)
        memory.add(types.reduce(0) { $0 + $1.change })
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
}
