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
            // From the one end up to the damage, then from the other.
            for order in ["ASC", "DESC"] {
                let isComplete = try readApplications(order: order) { record in
                    if seen.insert(record.id).inserted {
                        let present = try ApplicationTable.find(record.id, in: target)
                        try ApplicationTable.save(present.map { record.completed(by: $0) } ?? record, in: target)
                    }
                }
                if isComplete { break }
            }
            try copyPreferences(to: target)
            return seen.count
        }
    }

    /// Reads the applications in the order of their ids, as far as the damage lets.
    ///
    /// - Returns: whether it got to the end.
    private func readApplications(order: String, _ body: (ApplicationRecord) throws -> Void) throws -> Bool {
        guard let rows = open("\(ApplicationTable.selection) ORDER BY id \(order)") else { return false }
        while true {
            switch next(rows) {
            case .row(let record):
                if let record { try body(record) }
            case .end: return true
            case .damage: return false
            }
        }
    }

    private enum Row {
        case row(ApplicationRecord?)
        case end
        case damage
    }

    func open(_ sql: String) -> Statement? {
        do {
            return try source.prepare(sql)
        } catch {
            // The schema is what is damaged: there are no rows to be had.
            return nil
        }
    }

    private func next(_ rows: Statement) -> Row {
        do {
            guard try rows.step() else { return .end }
            return .row(try ApplicationTable.record(from: rows))
        } catch {
            // Whatever it says, there is no way past this row in this order.
            return .damage
        }
    }
}
