// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("The audit of rollups")
struct RollupAuditTests {
    let fixture: RollupFixture

    init() throws {
        fixture = try RollupFixture()
        var generator = RollupGenerator(seed: 7, days: 3)
        var spans = (0..<200).map { _ in generator.span(fixture) }
        // Days later, so that the walk crosses days without an event.
        spans.append(fixture.span(RollupFixture.day + 60 * 24 * RollupFixture.hour, 2000 * RollupFixture.second))
        try fixture.add(spans)
    }

    @Test("finds nothing where all is right, nor in an empty store")
    func sound() throws {
        #expect(try RollupAudit.findings(in: fixture.connection) == [])
        #expect(try RollupAudit.findings(in: RollupFixture().connection) == [])
    }

    @Test(
        "finds each fault, and a rebuild mends it",
        arguments: [
            "UPDATE type_rollups SET count = count + 1 WHERE tier = 2 AND count > 0",
            "UPDATE type_rollups SET sum = sum - 1 WHERE (tier, start, type) = (SELECT tier, start, type FROM type_rollups)",
            "UPDATE source_rollups SET whole = 1 - whole WHERE tier = 1",
            "UPDATE source_rollups SET runs = x'' WHERE tier = 0",
            "UPDATE source_rollups SET runs = x'FF' WHERE tier = 2",
            "UPDATE pair_rollups SET count = 0 WHERE tier = 0",
            "DELETE FROM type_rollups WHERE (tier, start) = (SELECT tier, max(start) FROM type_rollups WHERE tier = 0)",
            "DELETE FROM source_rollups WHERE tier = 2",
            "DELETE FROM pair_rollups WHERE whole > 0",
            "INSERT INTO type_rollups VALUES (0, 1, 1, 1, 0, 0)",
            "INSERT INTO type_rollups VALUES (2, 9223372036854775806, 1, 1, 0, 0)",
            "INSERT INTO type_rollups VALUES (1, -4, 1, 1, 0, 0)",
            "INSERT INTO source_rollups SELECT tier, max(start) + 400, 1, 0, 1, 0, x'' FROM source_rollups WHERE tier = 1",
            "INSERT INTO pair_rollups SELECT tier, start, 99, source, 1, 0, 0 FROM pair_rollups WHERE tier = 0 LIMIT 1",
            "INSERT INTO source_rollups SELECT 2, start + 1, 1, 1, 0, 0, x'' FROM source_rollups WHERE tier = 2 LIMIT 1",
            "INSERT INTO pair_rollups VALUES (3, 0, 1, 1, 1, 0, 0)",
            "INSERT INTO source_rollups VALUES (-1, 0, 1, 1, 0, 0, x'')",
            "UPDATE events SET crossing_end = NULL WHERE crossing_end IS NOT NULL",
            "UPDATE events SET crossing_end = 5 WHERE crossing_end IS NULL",
        ])
    func faults(sql: String) throws {
        let before = try dump()
        #expect(try fixture.connection.run(sql) > 0)
        #expect(try RollupAudit.findings(in: fixture.connection) != [])
        try RollupAudit.rebuild(in: fixture.connection)
        #expect(try RollupAudit.findings(in: fixture.connection) == [])
        #expect(try dump() == before)
    }

    @Test("finds events that were written beside the rollups")
    func unrolled() throws {
        let last = fixture.model.spans.last
        try fixture.connection.run("DELETE FROM events WHERE key = ?", last?.key)
        let findings = try RollupAudit.findings(in: fixture.connection)
        #expect(findings.count == 13, "rows of three quarters, an hour and a day; pairs of quarters alone")
        try RollupAudit.rebuild(in: fixture.connection)
        #expect(try RollupAudit.findings(in: fixture.connection) == [])
    }

    @Test("says no more than was asked for, and that there is more")
    func limit() throws {
        try fixture.connection.run("DELETE FROM source_rollups")
        let findings = try RollupAudit.findings(in: fixture.connection, limit: 5)
        #expect(findings.count == 6)
        #expect(findings.last == "there is more that is wrong")
    }

    @Test("A rebuild goes through more events than one chunk")
    func chunks() throws {
        let spans = (0..<25_000).map { number in
            fixture.span(RollupFixture.day + Int64(number) * RollupFixture.second, 5, source: Int64(number % 3))
        }
        try fixture.add(spans)
        let before = try dump()
        try fixture.connection.run("DELETE FROM type_rollups")
        try RollupAudit.rebuild(in: fixture.connection)
        #expect(try dump() == before)
    }

    @Test("A rebuild that fails changes nothing")
    func failure() throws {
        try fixture.connection.run("UPDATE events SET duration = -1 WHERE key = (SELECT max(key) FROM events)")
        let before = try dump()
        #expect(throws: SQLiteError.self) { try RollupAudit.rebuild(in: fixture.connection) }
        #expect(try dump() == before)
    }

    /// All rows of all rollups and the marks of events that cross borders.
    private func dump() throws -> [[Value]] {
        var lines: [[Value]] = []
        for table in RollupProjection.allCases.map(\.table) + ["events"] {
            let rows = try fixture.connection.prepare("SELECT * FROM \(table)")
            while try rows.step() {
                lines.append(try (0..<rows.columnCount).map { try rows.column($0) })
            }
        }
        return lines
    }
}
