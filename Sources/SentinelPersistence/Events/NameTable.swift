// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// A dictionary of names: numbers stand for them in the events, and it holds how many events have each.
enum NameTable: CaseIterable {
    case types, sources

    /// The names that events are told apart by.
    init(_ dimension: EventDimension) {
        switch dimension {
        case .type: self = .types
        case .source: self = .sources
        }
    }

    /// What it is called in the database.
    var table: String {
        switch self {
        case .types: "event_types"
        case .sources: "event_sources"
        }
    }

    /// The number of a name, nil where it has none.
    func number(of name: Name, in connection: Connection) throws(SQLiteError) -> Int64? {
        try connection.first("SELECT id FROM \(table) WHERE name = ?", name.text, as: Int64.self)
    }

    /// The text of a number's name, nil where it has none.
    func text(of number: Int64, in connection: Connection) throws(SQLiteError) -> String? {
        try connection.first("SELECT name FROM \(table) WHERE id = ?", number, as: String.self)
    }

    /// Gives a name that no event has yet a number.
    func add(_ name: Name, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.run("INSERT INTO \(table) (name, uses) VALUES (?, 0)", name.text)
        return connection.lastInsertedRow
    }

    /// Counts events that have come and gone, by number. A name that none has any more goes.
    ///
    /// - Returns: whether any went.
    func count(_ changes: [Int64: Int64], in connection: Connection) throws(SQLiteError) -> Bool {
        for (number, change) in changes where change != 0 {
            try connection.run("UPDATE \(table) SET uses = uses + ? WHERE id = ?", change, number)
        }
        var isLess = false
        for (number, change) in changes where change <= 0 {
            if try connection.run("DELETE FROM \(table) WHERE id = ? AND uses <= 0", number) > 0 {
                isLess = true
            }
        }
        return isLess
    }

    /// What a name is called that was lost while events have its number.
    static func replacement(of number: Int64) -> String {
        "lost.\(number)"
    }
}
