// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelAnalytics

@Suite("A query", .timeLimit(.minutes(5)))
struct QueryTests {
    let fixture: QueryFixture
    let day = QueryFixture.day
    static let quarter: Int64 = 900_000_000

    init() throws {
        fixture = try QueryFixture()
    }

    @Test("sees events as they were stored")
    func events() async throws {
        let first = try await fixture.record("a.first", from: "s.one", at: day, lasting: 1.5, text: "hello")
        let given = EventID(high: 0x1234_5678_9abc_4def, low: 0x8000_0000_0000_0001)
        try await fixture.record("a.second", from: "s.two", at: day + 7, id: given)
        let rows = try await fixture.query("SELECT * FROM events ORDER BY timestamp")
        #expect(rows.columns == ["id", "timestamp", "type", "source", "duration", "data"])
        #expect(
            rows.rows == [
                [
                    .text(first.id.description), .integer(day), .text("a.first"), .text("s.one"), .double(1.5),
                    .text(#"{"text":"hello"}"#),
                ],
                [.text(given.description), .integer(day + 7), .text("a.second"), .text("s.two"), nil, nil],
            ])
        for id in [first.id, given] {
            let found = try await fixture.query("SELECT id FROM events WHERE id = ?", [.text(id.description)])
            #expect(found.rows == [[.text(id.description)]])
        }
        #expect(try await fixture.query("SELECT id FROM events WHERE id = 'none'").rows.isEmpty)
    }

    @Test("finds a range of time, in either order, whatever its bounds are")
    func ranges() async throws {
        for index in 0..<10 {
            try await fixture.record("t.\(index % 2)", at: day + Int64(index))
        }
        func offsets(_ condition: String) async throws -> [QueryValue?] {
            try await fixture.query("SELECT timestamp - \(day) AS x FROM events WHERE \(condition)").rows.map { $0[0] }
        }
        #expect(try await offsets("timestamp >= \(day + 8)") == [.integer(8), .integer(9)])
        #expect(try await offsets("timestamp > \(day + 8)") == [.integer(9)])
        #expect(try await offsets("timestamp < \(day + 2) ORDER BY timestamp DESC") == [.integer(1), .integer(0)])
        #expect(try await offsets("timestamp <= \(day + 1)") == [.integer(0), .integer(1)])
        #expect(try await offsets("timestamp = \(day + 4)") == [.integer(4)])
        #expect(try await offsets("timestamp BETWEEN \(day + 8).5 AND 1e300") == [.integer(9)])
        #expect(try await offsets("timestamp > 9223372036854775806").isEmpty)
        #expect(try await offsets("timestamp < -9223372036854775807").isEmpty)
        #expect(try await offsets("timestamp < 'text'").count == 10)
        #expect(try await offsets("timestamp > NULL").isEmpty)
        #expect(try await offsets("timestamp IN (\(day), \(day + 3))") == [.integer(0), .integer(3)])
        #expect(try await offsets("type = 't.1' AND timestamp > \(day + 4)").count == 3)
        #expect(try await offsets("type = 'T.1' COLLATE NOCASE").count == 5)
        #expect(try await offsets("type IN ('t.0', 't.1', 'none')").count == 10)
        #expect(try await offsets("source = 'none'").isEmpty)
    }

    @Test("sees in each quarter of an hour all that lasts there")
    func buckets() async throws {
        // From a minute before the day over two days and an hour and a half.
        let start = day - 60_000_000
        let length = 2 * 86_400 + 5400 + 60
        try await fixture.record("long.one", at: start, lasting: Double(length))
        try await fixture.record("long.one", at: day + Self.quarter, lasting: 1)
        let rows = try await fixture.query("SELECT start, count, duration FROM buckets ORDER BY start")
        #expect(rows.rows.count == 199)
        var expected: [[QueryValue?]] = []
        for index in -1..<(2 * 96 + 6) {
            let count: Int64 = index == -1 || index == 1 ? 1 : 0
            let seconds = index == -1 ? 60.0 : index == 1 ? 901 : 900
            expected.append([.integer(day + Int64(index) * Self.quarter), .integer(count), .double(seconds)])
        }
        #expect(rows.rows == expected)
        let part = try await fixture.query(
            "SELECT sum(duration) AS d, count(*) AS n FROM buckets WHERE start >= ? AND start < ?",
            [.integer(day + 1), .integer(day + 3 * Self.quarter)])
        #expect(part.rows == [[.double(901 + 900), .integer(2)]])
    }

    @Test("takes and gives values of all kinds")
    func values() async throws {
        let given: [QueryValue] = [
            .integer(.min), .double(-0.5), .text("é\r\n"), .bytes([0, 255]), .boolean(true), .text("a\0b"),
        ]
        let rows = try await fixture.query("SELECT ? a, ? b, ? c, ? d, ? e, ? f, NULL g", given)
        #expect(
            rows.rows == [
                [
                    .integer(.min), .double(-0.5), .text("é\r\n"), .bytes([0, 255]), .integer(1),
                    .bytes([0x61, 0, 0x62]), nil,
                ]
            ])
        #expect(try await fixture.query("SELECT CAST(x'ff' AS TEXT) t").rows == [[.bytes([255])]])
        #expect(try await fixture.query("SELECT 1 AS x; -- that is all\n").rows == [[.integer(1)]])
    }

    @Test("has functions that give what SQLite's own do")
    func functions() async throws {
        let rows = try await fixture.query(
            """
            SELECT 'ÄbC' LIKE 'Ä_c' a, 'a%c' LIKE 'a!%c' ESCAPE '!' b, 'abc' LIKE 'a!%c' ESCAPE '!' c,
                'abc' GLOB 'a[a-c]?' d, 'abc' GLOB 'A*' e, 'x]y' GLOB 'x[]]y' f, instr('äöü', 'ü') g,
                instr(x'0102', x'02') h, replace('aXbX', 'X', 'yy') i, trim('  a ') j, rtrim('äxä', 'ä') k,
                ltrim('xxa', 'x') l, NULL LIKE 'a' m, '' LIKE '%' n, 'abab' LIKE '%ab' o, 'abc' NOT GLOB '[^a]*' p
            """)
        #expect(
            rows.rows == [
                [
                    .integer(1), .integer(1), .integer(0), .integer(1), .integer(0), .integer(1), .integer(3),
                    .integer(2), .text("ayybyy"), .text("a"), .text("äx"), .text("a"), nil, .integer(1), .integer(1),
                    .integer(1),
                ]
            ])
    }

    @Test("ends at its limit and at 4 MiB, and says so of a row that is larger")
    func limits() async throws {
        let numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100)"
        #expect(try await fixture.query("\(numbers) SELECT i FROM n", limit: 7).rows.count == 7)
        #expect(try await fixture.query("\(numbers) SELECT zeroblob(1000000 + i) AS z FROM n").rows.count == 4)
        let error = await #expect(throws: SentinelError.self) {
            let columns = (0..<5).map { "zeroblob(1000000) AS c\($0)" }.joined(separator: ", ")
            _ = try await fixture.query("SELECT \(columns)")
        }
        #expect(error?.code == .limitsExceeded)
    }

    @Test("leaves nothing in the directory of what it has put aside")
    func temporaryFiles() async throws {
        let before = try names()
        let rows = try await fixture.query(
            """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000)
            SELECT count(*) AS c FROM (SELECT DISTINCT hex(zeroblob(300)) || i AS x FROM n ORDER BY x)
            """)
        #expect(rows.rows == [[.integer(60_000)]])
        #expect(try names().subtracting(before).filter { $0.hasPrefix(".query") }.isEmpty)
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: "\(fixture.temporary.path)/data"))
    }

    @Test("is not there for a store in memory")
    func memory() async throws {
        let store = Store.open(location: .memory)
        defer { store.close() }
        let analytics = Analytics(store: store, zones: ZoneDatabase { nil })
        let result = await withCheckedContinuation { continuation in
            analytics.query("SELECT 1", parameters: [], limit: 1) { continuation.resume(returning: $0) }
        }
        let error = #expect(throws: SentinelError.self) { try result.get() }
        #expect(error?.code == .unavailable)
    }
}
