// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Makes events of rows. It remembers names and must not outlive the transaction in which it reads.
final class EventDecoder {
    /// The columns of whole events, in the order in which they are read.
    static let columns = "\(EventRow.columns), data"

    private let connection: Connection
    private var types: [Int64: Name?] = [:]
    private var sources: [Int64: Name?] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// The event of the row at which a query of `columns` is; nil where what it holds is no event.
    func event(from row: Statement) throws(SQLiteError) -> Event? {
        do {
            let parts = try EventRow(from: row)
            guard let type = try type(parts.type), let source = try source(parts.source) else { return nil }
            let data: String? = try row.column(6)
            return Event(
                id: parts.id, timestamp: try Timestamp(microseconds: parts.key.microseconds), type: type,
                source: source, duration: parts.duration, marks: parts.marks, data: try data.map(Self.members) ?? [:])
        } catch let error as SQLiteError where error.code != .mismatch {
            throw error
        } catch {
            return nil
        }
    }

    /// The type of a number, nil where there is none.
    func type(_ number: Int64) throws(SQLiteError) -> Name? {
        if let known = types[number] { return known }
        let name = try name(number, "SELECT name FROM event_types WHERE id = ?")
        types[number] = .some(name)
        return name
    }

    /// The source of a number, nil where there is none.
    func source(_ number: Int64) throws(SQLiteError) -> Name? {
        if let known = sources[number] { return known }
        let name = try name(number, "SELECT name FROM event_sources WHERE id = ?")
        sources[number] = .some(name)
        return name
    }

    private func name(_ number: Int64, _ sql: String) throws(SQLiteError) -> Name? {
        guard let text = try connection.first(sql, number, as: String.self) else { return nil }
        do {
            return try Name(text)
        } catch {
            return nil
        }
    }

    private static func members(of text: String) throws -> [DataKey: DataValue] {
        guard case .object(let members) = try JSONValue(parsing: text.utf8) else { return [:] }
        return try DataValue.members(of: members)
    }
}
