// SPDX-License-Identifier: MIT

import SQLite

/// Where declarations come to stand that are copied into a database which may hold some already: in the place of those
/// that they replace, else behind all that were there.
struct SalvagedPlaces {
    private let table: String
    private let key: String
    /// The last place of each application before anything was copied.
    private var last: [Value: Int64] = [:]

    /// For a table with the columns `application`, `position` and one that is the key within the application.
    init(_ table: String, key: String) {
        self.table = table
        self.key = key
    }

    /// The place of a declaration that is at `position` where it comes from.
    mutating func place(
        _ application: Value, _ key: Value, at position: Int64, in target: Connection
    ) throws(SQLiteError) -> Int64 {
        var last = last[application]
        if last == nil {
            last = try target.first(
                "SELECT coalesce(max(position) + 1, 0) FROM \(table) WHERE application = ?", application, as: Int64.self
            )
            self.last[application] = last
        }
        let present = try target.first(
            "SELECT position FROM \(table) WHERE application = ? AND \(self.key) = ?", application, key, as: Int64.self)
        return present ?? position.addingReportingOverflow(last ?? 0).partialValue
    }
}
