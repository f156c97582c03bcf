// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The tables that ad-hoc queries see, which another connection reads.
enum QueryTables {
    /// Adds the functions that the tables' own queries use.
    static func addFunctions(to connection: Connection) throws(SQLiteError) {
        try connection.addFunction("event_time", argumentCount: 1) { call in
            if let key = key(call) { call.give(key.microseconds) }
        }
        try connection.addFunction("event_id", argumentCount: 1) { call in
            guard let key = key(call) else { return }
            var text = key.id.description
            text.withUTF8 { call.give(text: UnsafeRawBufferPointer($0)) }
        }
    }

    private static func key(_ call: FunctionCall) -> EventKey? {
        call.withBytes(at: 0) { bytes in
            guard bytes.count == 16 else { return nil }
            return EventKey(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    private static func name(_ table: NameTable, _ number: String) -> String {
        // As summaries call a name that a damaged database has lost.
        "ifnull((SELECT name FROM \(table.table) WHERE id = \(number)), 'lost.' || \(number))"
    }

    private static func columns(_ expressions: [String], _ request: VirtualTable.Request) -> String {
        zip(expressions, request.isUsed).map { $1 ? $0 : "NULL" }.joined(separator: ", ")
    }

    private static func order(_ request: VirtualTable.Request, by columns: String...) -> String {
        guard let order = request.order else { return "" }
        return " ORDER BY " + columns.map { "\($0) \(order == .ascending ? "ASC" : "DESC")" }.joined(separator: ", ")
    }

    /// `events`, one row for each event. A range of `timestamp` is a range of keys; an `id` is looked up.
    static func events(_ connection: @escaping () throws(SQLiteError) -> Connection) -> VirtualTable {
        VirtualTable(
            columns: [
                ("id", "TEXT"), ("timestamp", "INTEGER"), ("type", "TEXT"), ("source", "TEXT"), ("duration", "REAL"),
                ("data", "TEXT"),
            ],
            rangeColumn: 1, equalColumns: [0, 2, 3]
        ) { request throws(SQLiteError) in
            let expressions = [
                "event_id(ifnull(given_id, key))", "event_time(key)", name(.types, "type"), name(.sources, "source"),
                "duration / 1000000.0", "data",
            ]
            var conditions = ["key >= ?1", "key < ?2"]
            if request.equal[0] != nil {
                conditions.append("key IN (SELECT ?3 UNION ALL SELECT key FROM given_ids WHERE id = ?3)")
            }
            if request.equal[2] != nil {
                conditions.append("type = (SELECT id FROM event_types WHERE name = ?4)")
            }
            if request.equal[3] != nil {
                conditions.append("source = (SELECT id FROM event_sources WHERE name = ?5)")
            }
            let rows = try connection().prepare(
                """
                SELECT \(columns(expressions, request)) FROM events
                WHERE \(conditions.joined(separator: " AND "))\(order(request, by: "key"))
                """)
            try rows.bind(EventKey(lowerBound: request.lower ?? 0), at: 1)
            let end = request.upper.map { $0 == .max ? $0 : $0 + 1 } ?? .max
            // No key is above it: an id of a client is another thing.
            try rows.bind(
                end > latest ? EventKey(high: .max, low: .max) : EventKey(lowerBound: end), at: 2)
            if let text = request.equal[0] {
                try rows.bind(identity(text), at: 3)
            }
            for column in [2, 3] {
                if let text = request.equal[column] { try rows.bind(text, at: column + 2) }
            }
            return rows
        }
    }

    private static let latest = EventKey(high: .max, low: 0).microseconds

    private static func identity(_ text: String) -> EventKey? {
        do throws(SentinelError) {
            return EventKey(try EventID(text))
        } catch {
            // No event has it.
            return nil
        }
    }

    /// `buckets`, one row for each quarter of an hour, type and source of which it holds something.
    static func buckets(_ connection: @escaping () throws(SQLiteError) -> Connection) -> VirtualTable {
        VirtualTable(
            columns: [
                ("start", "INTEGER"), ("type", "TEXT"), ("source", "TEXT"), ("count", "INTEGER"), ("duration", "REAL"),
            ],
            rangeColumn: 0, equalColumns: []
        ) { request throws(SQLiteError) in
            let length = RollupTier.quarterLength
            let whole = { (tier: RollupTier) in
                """
                ifnull((SELECT whole FROM pair_rollups AS around WHERE around.tier = \(tier.rawValue)
                    AND around.start = row.start - row.start % \(tier.quarters) AND around.type = row.type
                    AND around.source = row.source), 0)
                """
            }
            // Rows of quarters with all that covers them; then the quarters that only something longer covers.
            let expressions = { (count: String, sum: String, wholes: [String]) in
                [
                    "row.start * \(length)", name(.types, "row.type"), name(.sources, "row.source"), count,
                    "(\(sum) + \(length) * (\(wholes.joined(separator: " + ")))) / 1000000.0",
                ]
            }
            let covered = { (tier: RollupTier) in
                """
                (SELECT unit.start + step.i AS start, unit.type AS type, unit.source AS source, unit.whole AS whole
                    FROM pair_rollups AS unit CROSS JOIN (WITH RECURSIVE n(i) AS
                        (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(tier.quarters - 1)) SELECT i FROM n) AS step
                    WHERE unit.tier = \(tier.rawValue) AND unit.whole <> 0
                        AND unit.start > ?1 - \(tier.quarters) AND unit.start <= ?2
                        AND unit.start + step.i BETWEEN ?1 AND ?2) AS row
                """
            }
            let missing = { (tier: RollupTier) in
                """
                NOT EXISTS (SELECT 1 FROM pair_rollups AS finer WHERE finer.tier = \(tier.rawValue)
                    AND finer.start = row.start - row.start % \(tier.quarters) AND finer.type = row.type
                    AND finer.source = row.source\(tier == .quarter ? "" : " AND finer.whole <> 0"))
                """
            }
            let sql = """
                SELECT \(columns(expressions("row.count", "row.sum", ["row.whole", whole(.hour), whole(.day)]), request))
                    \(request.order == nil ? "" : ", row.start AS place")
                FROM pair_rollups AS row WHERE row.tier = 0 AND row.start BETWEEN ?1 AND ?2
                UNION ALL
                SELECT \(columns(expressions("0", "0", ["row.whole", whole(.day)]), request))
                    \(request.order == nil ? "" : ", row.start")
                FROM \(covered(.hour)) WHERE \(missing(.quarter))
                UNION ALL
                SELECT \(columns(expressions("0", "0", ["row.whole"]), request))
                    \(request.order == nil ? "" : ", row.start")
                FROM \(covered(.day)) WHERE \(missing(.quarter)) AND \(missing(.hour))\(order(request, by: "place"))
                """
            let rows = try connection().prepare(sql)
            let last = RollupWindow.latest / length
            // Rounded down: that may be a quarter too many.
            try rows.bind(min(max((request.lower ?? 0) / length, 0), last), at: 1)
            try rows.bind(min(max((request.upper ?? .max) / length, -1), last), at: 2)
            return rows
        }
    }
}
