// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Counts events by what is rolled up of them, without walking them: day by day, in as many transactions as it takes.
struct EventCount: Sendable {
    private let filter: EventFilter
    /// Where it goes on, in microseconds since the epoch.
    private var position: Int64 = 0
    /// How many events fit, as far as it has come.
    private(set) var count: UInt64 = 0

    /// Nil where only walking the events tells how many fit.
    init?(_ filter: EventFilter) {
        guard filter.ids == nil, filter.text == nil else { return nil }
        self.filter = filter
    }

    /// How many events fit, where the names tell that at once; nil where they do not.
    func known(in connection: Connection) throws(SQLiteError) -> UInt64? {
        let selection = try EventSelection(filter, in: connection)
        guard !selection.isEmpty else { return 0 }
        guard filter.start == nil, filter.end == nil else { return nil }
        if selection.numbers.sources == nil {
            return try uses(.types, selection.numbers.types, in: connection)
        }
        if selection.numbers.types == nil {
            return try uses(.sources, selection.numbers.sources, in: connection)
        }
        return nil
    }

    private func uses(
        _ table: NameTable, _ numbers: Set<Int64>?, in connection: Connection
    ) throws(SQLiteError) -> UInt64 {
        let rows = try connection.prepare("SELECT id, uses FROM \(table.table)")
        var sum: UInt64 = 0
        while try rows.step() {
            let (number, uses): (Int64, Int64) = (try rows.column(0), try rows.column(1))
            if numbers?.contains(number) ?? true {
                sum = Self.sum(sum, uses)
            }
        }
        return sum
    }

    /// Counts on as far as the time lasts.
    ///
    /// - Returns: whether all is counted.
    mutating func advance(in connection: Connection, for limit: Duration) throws(SQLiteError) -> Bool {
        let deadline = ContinuousClock.now + limit
        let selection = try EventSelection(filter, in: connection)
        guard !selection.isEmpty, let first = try key("ASC", in: connection), let last = try key("DESC", in: connection)
        else { return true }
        position = max(position, selection.lowerBound.microseconds, first.microseconds)
        let end = min(selection.upperBound.microseconds, last.microseconds + 1)
        let reader = RollupReader(connection)
        while position < end, let day = try day(from: position, to: end, in: connection) {
            let start = max(position, day.start)
            position = min(day.end, end)
            count = Self.sum(count, try reader.total(from: start, to: position, filter: selection.numbers).count)
            if ContinuousClock.now >= deadline { return position >= end }
        }
        return true
    }

    private func key(_ order: String, in connection: Connection) throws(SQLiteError) -> EventKey? {
        try connection.first("SELECT key FROM events ORDER BY key \(order) LIMIT 1", as: EventKey.self)
    }

    /// The first day, between two times, of which anything is rolled up.
    private func day(from start: Int64, to end: Int64, in connection: Connection) throws(SQLiteError) -> RollupUnit? {
        let found = try connection.first(
            "SELECT min(start) FROM type_rollups WHERE tier = ? AND start BETWEEN ? AND ?", RollupTier.day.rawValue,
            RollupUnit(.day, holding: start).storedStart, RollupUnit(.day, holding: end - 1).storedStart,
            as: Int64?.self)
        return (found ?? nil).map { RollupUnit(.day, holding: $0 * RollupTier.quarterLength) }
    }

    /// A sum that a damaged table makes too large stays the largest.
    private static func sum(_ count: UInt64, _ other: Int64) -> UInt64 {
        let (sum, isTooLarge) = count.addingReportingOverflow(UInt64(clamping: other))
        return isTooLarge ? .max : sum
    }
}
