// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Counts events without walking them.
enum EventCount {
    /// How many events fit a filter, nil where only walking them tells.
    static func known(_ filter: EventFilter, in connection: Connection) throws(SQLiteError) -> UInt64? {
        guard filter.ids == nil, filter.text == nil else { return nil }
        let selection = try EventSelection(filter, in: connection)
        guard !selection.isEmpty else { return 0 }
        if filter.start == nil, filter.end == nil {
            if selection.numbers.sources == nil {
                return try uses("event_types", selection.numbers.types, in: connection)
            }
            if selection.numbers.types == nil {
                return try uses("event_sources", selection.numbers.sources, in: connection)
            }
        }
        let window = RollupReader(connection)
        let count = try window.total(
            from: selection.lowerBound.microseconds, to: selection.upperBound.microseconds, filter: selection.numbers
        ).count
        return UInt64(clamping: count)
    }

    private static func uses(
        _ table: String, _ numbers: Set<Int64>?, in connection: Connection
    ) throws(SQLiteError) -> UInt64 {
        let rows = try connection.prepare("SELECT id, uses FROM \(table)")
        var count: UInt64 = 0
        while try rows.step() {
            let (number, uses): (Int64, Int64) = (try rows.column(0), try rows.column(1))
            if numbers?.contains(number) ?? true {
                count += UInt64(clamping: uses)
            }
        }
        return count
    }
}
