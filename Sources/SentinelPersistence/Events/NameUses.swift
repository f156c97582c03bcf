// SPDX-License-Identifier: MIT

import SQLite

/// How many events have each name, by its number: counted from the events, of which all else follows.
struct NameUses {
    private var types: [Int64: Int64] = [:]
    private var sources: [Int64: Int64] = [:]

    /// Walks all events in order.
    ///
    /// - Parameters:
    ///   - columns: what is read of each, those of `EventRow` first.
    ///   - body: gets each event's row, and the statement that is at it.
    init(
        in connection: Connection, columns: String = EventRow.columns, _ body: (EventRow, Statement) throws -> Void
    ) throws {
        let rows = try connection.prepare("SELECT \(columns) FROM events ORDER BY key")
        while try rows.step() {
            let row = try EventRow(from: rows)
            types[row.type, default: 0] += 1
            sources[row.source, default: 0] += 1
            try body(row, rows)
        }
    }

    /// How many events have each name of a table.
    func numbers(in table: NameTable) -> [Int64: Int64] {
        switch table {
        case .types: types
        case .sources: sources
        }
    }
}
