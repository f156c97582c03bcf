// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// A filter as the numbers and keys that a database has for it at the moment. It must not outlive the transaction in
/// which it is made.
struct EventSelection {
    let filter: EventFilter
    /// Events before it start too early.
    let lowerBound: EventKey
    /// This one and later ones start too late.
    let upperBound: EventKey
    /// Which types and sources are meant.
    let numbers: RollupReader.Filter

    init(_ filter: EventFilter, in connection: Connection) throws(SQLiteError) {
        self.filter = filter
        lowerBound = EventKey(lowerBound: (filter.start ?? .earliest).microseconds)
        upperBound = EventKey(lowerBound: filter.end?.microseconds ?? Timestamp.latest.microseconds + 1)
        var numbers = RollupReader.Filter()
        if let type = filter.type {
            numbers.types = try Self.numbers(of: type, .types, in: connection)
        }
        if let prefix = filter.typePrefix {
            // By bytes, as names are compared.
            let fitting = try Self.numbers(
                "SELECT id FROM event_types WHERE substr(CAST(name AS BLOB), 1, length(?1)) = ?1", Array(prefix.utf8),
                in: connection)
            numbers.types = numbers.types?.intersection(fitting) ?? fitting
        }
        if let source = filter.source {
            numbers.sources = try Self.numbers(of: source, .sources, in: connection)
        }
        self.numbers = numbers
    }

    /// Whether nothing can fit.
    var isEmpty: Bool {
        lowerBound >= upperBound || numbers.types?.isEmpty == true || numbers.sources?.isEmpty == true
            || filter.ids?.isEmpty == true
    }

    /// Whether only some types or sources are meant.
    var isByNumber: Bool {
        numbers.types != nil || numbers.sources != nil
    }

    /// Whether an event of these numbers may fit.
    func allows(type: Int64, source: Int64) -> Bool {
        numbers.allows(.init(type: type, source: source))
    }

    private static func numbers(
        of name: Name, _ table: NameTable, in connection: Connection
    ) throws(SQLiteError) -> Set<Int64> {
        Set(try table.number(of: name, in: connection).map { [$0] } ?? [])
    }

    private static func numbers(
        _ sql: String, _ parameter: some StatementValue, in connection: Connection
    ) throws(SQLiteError) -> Set<Int64> {
        let rows = try connection.prepare(sql)
        try rows.bind(parameter, at: 1)
        var numbers: Set<Int64> = []
        while try rows.step() {
            numbers.insert(try rows.column(0))
        }
        return numbers
    }
}
