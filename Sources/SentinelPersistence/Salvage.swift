// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Copies what can be read from one database into another: from a damaged one into its successor, from memory to the
/// disk once that can be used again.
struct Salvage {
    let source: Connection

    /// Copies from a database in use.
    init(_ source: Connection) {
        self.source = source
    }

    /// Copies from a damaged file, which stays as it is.
    init(damaged path: String) throws(SQLiteError) {
        source = try Connection(.file(path), options: .init(access: .readOnly, checkpointsOnClose: false))
        // Else SQLite refuses a file that is shorter than its header says.
        try source.setPragma("writable_schema", to: 1)
    }

    /// Copies the applications with their preferences, in one transaction.
    ///
    /// - Returns: how many applications there were to read.
    /// - Throws: what writing them throws; what cannot be read is left out.
    func copyApplications(to target: Connection) throws -> Int {
        try target.transaction {
            var seen: Set<ApplicationID> = []
            try copy(ApplicationTable.selection, by: ["id"], ApplicationTable.record(from:)) { record in
                if seen.insert(record.id).inserted {
                    let present = try ApplicationTable.find(record.id, in: target)
                    try ApplicationTable.save(present.map { record.completed(by: $0) } ?? record, in: target)
                }
            }
            try copyPreferences(to: target)
            return seen.count
        }
    }

    func open(_ sql: String) -> Statement? {
        do {
            return try source.prepare(sql)
        } catch {
            // The schema is what is damaged: there are no rows to be had.
            return nil
        }
    }

    /// Reads rows from the one end of their order up to the damage, then from the other; what is read twice is written
    /// twice, which changes nothing.
    ///
    /// - Throws: what `write` throws.
    func copy<Row>(
        _ selection: String, by columns: [String], _ read: (Statement) throws(SQLiteError) -> Row?,
        _ write: (Row) throws -> Void
    ) throws {
        for order in ["ASC", "DESC"] {
            let key = columns.map { "\($0) \(order)" }.joined(separator: ", ")
            guard let rows = open("\(selection) ORDER BY \(key)") else { return }
            if try copyAll(rows, read, write) { return }
        }
    }

    /// - Returns: whether it got to the end.
    private func copyAll<Row>(
        _ rows: Statement, _ read: (Statement) throws(SQLiteError) -> Row?, _ write: (Row) throws -> Void
    ) throws -> Bool {
        while true {
            let row: Row?
            do throws(SQLiteError) {
                guard try rows.step() else { return true }
                row = try read(rows)
            } catch {
                // Whatever it says, there is no way past this row in this order.
                return false
            }
            if let row {
                try write(row)
            }
        }
    }
}
