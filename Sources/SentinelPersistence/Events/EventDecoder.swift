// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Makes events of rows. It remembers names and must not outlive the transaction in which it reads.
final class EventDecoder {
    /// The columns of whole events, in the order in which they are read.
    static let columns = "\(EventRow.columns), data"

    private let connection: Connection
    private let replacesLostNames: Bool
    private var names: [NameTable: [Int64: Name]] = [:]

    /// One that reads in a transaction.
    ///
    /// - Parameter replacesLostNames: whether a number without a name has one made for it, as where a damaged database
    ///   is read; it is damage otherwise.
    init(_ connection: Connection, replacesLostNames: Bool = false) {
        self.connection = connection
        self.replacesLostNames = replacesLostNames
    }

    /// The event of the row at which a query of `columns` is.
    ///
    /// - Throws: `mismatch` where what it holds is no event.
    func event(from row: Statement) throws(SQLiteError) -> Event {
        var event = try event(of: try EventRow(from: row))
        event.data = try Self.data(of: row)
        return event
    }

    /// The event of a row, without its data.
    ///
    /// - Throws: `mismatch` where what it holds is no event.
    func event(of row: EventRow) throws(SQLiteError) -> Event {
        let timestamp = Timestamp(clamping: row.key.microseconds)
        guard timestamp.microseconds == row.key.microseconds else {
            throw SQLiteError(code: .mismatch, message: "an event has a time that none can have")
        }
        return Event(
            id: row.id, timestamp: timestamp, type: try name(row.type, in: .types),
            source: try name(row.source, in: .sources), duration: row.duration, marks: row.marks)
    }

    /// Whether what the row holds, at which a query of `columns` is, can be the data of an event.
    static func hasReadableData(_ row: Statement) throws(SQLiteError) -> Bool {
        do throws(SQLiteError) {
            _ = try data(of: row)
            return true
        } catch let error where error.code == .mismatch {
            return false
        }
    }

    private func name(_ number: Int64, in table: NameTable) throws(SQLiteError) -> Name {
        if let known = names[table]?[number] { return known }
        let text = try table.text(of: number, in: connection)
        let replacement = replacesLostNames ? NameTable.replacement(of: number) : nil
        guard let name = text.flatMap(Self.name) ?? replacement.flatMap(Self.name) else {
            throw SQLiteError(code: .mismatch, message: "an event's number \(number) of \(table.table) has no name")
        }
        names[table, default: [:]][number] = name
        return name
    }

    private static func name(_ text: String) -> Name? {
        do {
            return try Name(text)
        } catch {
            return nil
        }
    }

    private static func data(of row: Statement) throws(SQLiteError) -> [DataKey: DataValue] {
        guard let text: String = try row.column(6) else { return [:] }
        do {
            if case .object(let members) = try JSONValue(parsing: text.utf8) {
                return try DataValue.members(of: members)
            }
        } catch {
            // What it says may hold some of the data.
        }
        throw SQLiteError(code: .mismatch, message: "the data of an event cannot be read", sql: row.sql)
    }
}
