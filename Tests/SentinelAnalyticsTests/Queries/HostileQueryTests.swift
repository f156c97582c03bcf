// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence
import Testing

@testable import SentinelAnalytics

@Suite("A hostile query", .timeLimit(.minutes(5)), .serialized)
struct HostileQueryTests {
    let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture()
    }

    private func code(_ sql: String, _ parameters: [QueryValue] = []) async throws -> SentinelError.Code? {
        do {
            let rows = try await fixture.query(sql, parameters)
            Issue.record("it has answered with \(rows.rows.count) rows")
            return nil
        } catch let error as SentinelError {
            return error.code
        }
    }

    @Test(
        "is refused",
        arguments: [
            "", " ; ", "-- nothing", "/* nothing */", "SELECT", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE x",
            "SELECT 1\0", "INSERT INTO events (type) VALUES ('x')", "DELETE FROM events",
            "UPDATE events SET type = 'x'",
            "REPLACE INTO buckets VALUES (1, 2, 3, 4, 5)", "CREATE TABLE t (x)", "CREATE TEMP TABLE t (x)",
            "CREATE TEMP VIEW v AS SELECT 1", "CREATE TABLE t AS SELECT * FROM events", "DROP TABLE events",
            "CREATE VIRTUAL TABLE t USING fts5(x)", "CREATE TEMP TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END",
            "ATTACH '/tmp/sentinel-hostile.db' AS x", "ATTACH ':memory:' AS x", "DETACH main", "VACUUM",
            "VACUUM INTO '/tmp/sentinel-hostile.db'", "PRAGMA user_version", "PRAGMA query_only = 0",
            "PRAGMA temp_store_directory = '/tmp'", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "ANALYZE", "REINDEX",
            "SELECT * FROM pragma_table_list", "SELECT count(*) FROM pragma_database_list",
            "SELECT * FROM pragma_function_list()", "SELECT load_extension('x.so')", "SELECT readfile('/etc/passwd')",
            "SELECT writefile('/tmp/sentinel-hostile', 'x')", "SELECT sqlite_version()", "SELECT randomblob(9)",
            "SELECT * FROM sqlite_master", "SELECT count(*) FROM sqlite_schema", "SELECT * FROM sqlite_temp_master",
            "SELECT * FROM settings", "SELECT count(*) FROM preference_values", "SELECT * FROM main.applications",
            "SELECT * FROM audit", "SELECT name FROM event_types", "SELECT key FROM events", "SELECT * FROM given_ids",
            "SELECT * FROM pair_rollups", "SELECT count(*) FROM tool_values", "SELECT * FROM main.settings",
            "WITH events AS (SELECT * FROM settings) SELECT * FROM events",
            "WITH events AS (SELECT name, value FROM main.settings) SELECT count(*) FROM events",
            "WITH settings AS (SELECT * FROM event_types) SELECT * FROM settings",
            "SELECT (SELECT value FROM settings LIMIT 1) FROM events", "SELECT * FROM events, settings",
            "SELECT * FROM dbstat", "SELECT * FROM bytecode('SELECT 1')", "SELECT * FROM sqlite_dbpage",
            "SELECT type, type FROM events", "SELECT 1 AS a, 2 AS a", "SELECT * FROM events, buckets", "SELECT ?",
            "SELECT printf('%.*c', 2000000000, 'x')", "SELECT format('%.*c', 2000000000, 'x')",
            "SELECT zeroblob(1000000000)", "SELECT hex(zeroblob(1000000))",
            "SELECT replace(hex(zeroblob(500000)), '0', 'ab')", "SELECT json_patch('{}', '{}')",
            "SELECT * FROM nothing", "SELECT abs(-9223372036854775808)",
            "SELECT 'a' LIKE replace(hex(zeroblob(1000)), '00', '%a')",
        ])
    func refused(sql: String) async throws {
        #expect(try await code(sql) == .invalidArgs)
    }

    @Test("is refused for its size")
    func size() async throws {
        let long = "SELECT " + String(repeating: "/* */", count: 14_000) + "1"
        let deep = "SELECT " + String(repeating: "(", count: 2000) + "1" + String(repeating: ")", count: 2000)
        let nested = "SELECT 1" + String(repeating: " + 1", count: 2000)
        let wide = "SELECT " + (0..<200).map { "1 AS c\($0)" }.joined(separator: ", ")
        let compound = (0..<200).map { "SELECT \($0)" }.joined(separator: " UNION ALL ")
        let parameters = "SELECT ?100000"
        for sql in [long, deep, nested, wide, compound, parameters] {
            #expect(try await code(sql) == .invalidArgs, "\(sql.prefix(60))")
        }
        let many = [QueryValue](repeating: .integer(1), count: 100_000)
        #expect(try await code("SELECT 1", many) == .invalidArgs)
        #expect(try await code("SELECT ? AS x", [.double(.nan)]) == .invalidArgs)
    }

    @Test("cannot take the memory of the process")
    func memory() async throws {
        // Each level means the one before it twice.
        let levels = (1..<40).map { ", a\($0)(x) AS (SELECT 1 FROM a\($0 - 1) AS p, a\($0 - 1) AS q)" }
        let bomb = "WITH a0(x) AS (SELECT 1)\(levels.joined()) SELECT count(*) FROM a39"
        #expect(try await code(bomb) == .limitsExceeded)
        let values = (0..<500).map { "length(hex(zeroblob(\(500_000 + $0))))" }
        let large =
            "SELECT max("
            + stride(from: 0, to: 480, by: 30).map { start in
                "max(" + values[start..<start + 30].joined(separator: ", ") + ")"
            }.joined(separator: ", ") + ")"
        do {
            let rows = try await fixture.query(large)
            #expect(rows.rows == [[.integer(1_000_958)]])
        } catch let error as SentinelError {
            #expect(error.code == .limitsExceeded)
        }
        #expect(try await fixture.query("SELECT 1 AS one").rows == [[.integer(1)]])
    }

    @Test(
        "ends in time",
        arguments: [
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT group_concat('xxxxxxxxxxxxxxxx') FROM n",
            """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
            SELECT count(*) FROM n AS a, n AS b, n AS c, n AS d
            """,
        ])
    func deadline(sql: String) async throws {
        #expect(try await code(sql) == .timeout)
    }

    @Test("finds what it looks for in long texts, whatever it is")
    func functions() async throws {
        let long = "replace(hex(zeroblob(200000)), '0', 'a')"
        let rows = try await fixture.query(
            """
            SELECT instr(\(long), substr(\(long), 1, 200000) || 'b') AS place,
                \(long) LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%b' AS is_like,
                \(long) GLOB '*a*a*a*a*a*a*a*a*a*a*a*a*[b]' AS is_glob,
                length(replace(\(long), substr(\(long), 1, 200000) || 'b', '')) AS left,
                length(trim(\(long), substr(\(long), 1, 200000) || 'b')) AS trimmed
            """)
        #expect(rows.rows == [[.integer(0), .integer(0), .integer(0), .integer(400_000), .integer(0)]])
    }

    @Test("holds up no summary, and ends when it is cancelled")
    func beside() async throws {
        let cancellation = ReadCancellation()
        try await fixture.record("a.b", at: QueryFixture.day)
        let fixture = fixture
        let endless = Task {
            try await fixture.query(
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                cancellation: cancellation)
        }
        let summary = try await fixture.summary(QueryFixture.day..<QueryFixture.day + 1_000_000)
        #expect(summary.total.count == 1)
        cancellation.cancel()
        let error = await #expect(throws: SentinelError.self) { _ = try await endless.value }
        #expect(error?.code == .unavailable)
    }
}
