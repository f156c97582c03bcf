// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// What is remembered of the events of one database between calls, so that it need not be read for each: the numbers of
/// names, and how many events there are. Belongs to the queue on which the database is written.
final class EventMemory {
    /// More numbers than this are not remembered.
    private static let nameLimit = 4096

    private var types: [Name: Int64] = [:]
    private var sources: [Name: Int64] = [:]
    /// Whether any event has an id that is not its key; nil where that is to be read.
    var hasGivenIDs: Bool?
    /// What the transaction that is open has yet to write.
    var unsettled = EventChanges()
    /// Whether the transaction that is open has deleted what is to be overwritten.
    var owesErasure = false
    /// How many events there are; nil where that is to be read.
    private var knownCount: Int64?
    /// What SQLite counts up with each change by another connection; nil before it was first read.
    private var dataVersion: Int64?

    /// Forgets everything where another connection, as of a second process, has changed the database since this was
    /// last called. To be called in the transaction in which it is relied on.
    func follow(_ connection: Connection) throws(SQLiteError) {
        let version = try connection.pragma("data_version", as: Int64.self)
        if version != dataVersion {
            invalidate()
            changedTimes = .all
            dataVersion = version
        }
    }

    /// From when to when events began and lasted that were written since this was last taken.
    private var changedTimes: ChangedTimes = .none

    /// Takes out when events began and lasted that were written since the last time.
    func takeChangedTimes() -> ChangedTimes {
        defer { changedTimes = .none }
        return changedTimes
    }

    /// Takes note of when events begin and last that are written.
    func note(_ times: ChangedTimes) {
        changedTimes.formUnion(times)
    }

    /// Makes ready for another transaction.
    func beginTransaction() {
        unsettled = EventChanges()
        owesErasure = false
    }

    /// Forgets everything: what was written since may have been taken back.
    func invalidate() {
        NameTable.allCases.forEach(forgetNumbers)
        hasGivenIDs = nil
        knownCount = nil
    }

    /// The number of a name, nil where it is not remembered.
    func number(of name: Name, in table: NameTable) -> Int64? {
        switch table {
        case .types: types[name]
        case .sources: sources[name]
        }
    }

    /// Remembers the number of a name.
    func remember(_ name: Name, _ number: Int64, in table: NameTable) {
        switch table {
        case .types: Self.remember(name, number, in: &types)
        case .sources: Self.remember(name, number, in: &sources)
        }
    }

    private static func remember(_ name: Name, _ number: Int64, in numbers: inout [Name: Int64]) {
        if numbers.count >= nameLimit {
            numbers.removeAll(keepingCapacity: true)
        }
        numbers[name] = number
    }

    /// Forgets the numbers of names.
    func forgetNumbers(in table: NameTable) {
        switch table {
        case .types: types.removeAll()
        case .sources: sources.removeAll()
        }
    }

    /// Writes what follows from the changes so far of the transaction.
    func settle(in connection: Connection, now: Timestamp) throws(SQLiteError) {
        try unsettled.settle(in: connection, self, now: now)
    }

    func count(in connection: Connection) throws(SQLiteError) -> Int64 {
        if let knownCount { return knownCount }
        let count = try connection.first("SELECT total(uses) FROM event_types", as: Double.self) ?? 0
        let whole = Int64(exactly: count.rounded()) ?? 0
        knownCount = whole
        return whole
    }

    /// Takes note of a change of the count.
    func add(_ change: Int64) {
        if let count = knownCount {
            let (sum, isTooLarge) = count.addingReportingOverflow(change)
            knownCount = isTooLarge ? nil : sum
        }
    }
}
