// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

extension Salvage {
    /// Copies the preferences of the applications that are in the target.
    ///
    /// - Throws: what writing them throws; what cannot be read is left out.
    func copyPreferences(to target: Connection) throws {
        var places = SalvagedPlaces("preference_declarations", key: "key")
        for table in PreferenceSchema.tables {
            // From the one end up to the damage, then from the other.
            for order in ["ASC", "DESC"] {
                if try copyRows(of: table, order: order, to: target, &places) { break }
            }
        }
    }

    /// Copies the rows of a table in the order of their keys, as far as the damage lets.
    ///
    /// - Returns: whether it got to the end.
    private func copyRows(
        of table: (name: String, columns: [String]), order: String, to target: Connection,
        _ places: inout SalvagedPlaces
    ) throws -> Bool {
        let key = table.columns.prefix(3).map { "\($0) \(order)" }.joined(separator: ", ")
        let columns = table.columns.joined(separator: ", ")
        let parameters = table.columns.map { _ in "?" }.joined(separator: ", ")
        guard let rows = open("SELECT \(columns) FROM \(table.name) ORDER BY \(key)") else { return true }
        // What was declared while the disk could not be used is newer than what is on it.
        let verb = table.name == "preference_declarations" ? "REPLACE" : "INSERT OR IGNORE"
        let insertion = try target.prepare("\(verb) INTO \(table.name) (\(columns)) VALUES (\(parameters))")
        while true {
            var values: [Value]
            do throws(SQLiteError) {
                guard try rows.step() else { return true }
                var row: [Value] = []
                for index in table.columns.indices {
                    row.append(try rows.column(index))
                }
                values = row
            } catch {
                // Whatever it says, there is no way past this row in this order.
                return false
            }
            if table.name == "preference_declarations", case .integer(let position) = values[2] {
                // What the application declares itself stands above what a manifest says.
                let own = try target.first(
                    "SELECT source FROM preference_declarations WHERE application = ? AND key = ?", values[0],
                    values[1], as: String.self)
                if own == "application", values[4] != .text("application") { continue }
                values[2] = .integer(try places.place(values[0], values[1], at: position, in: target))
            }
            for (index, value) in values.enumerated() {
                try insertion.bind(value, at: index + 1)
            }
            try insert(insertion)
        }
    }

    private func insert(_ insertion: Statement) throws(SQLiteError) {
        do throws(SQLiteError) {
            try insertion.run()
        } catch let error where error.code == .constraint {
            // What belongs to an application that could not be read has nowhere to go.
            insertion.reset()
        }
    }
}
