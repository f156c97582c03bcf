// SPDX-License-Identifier: MIT

import Testing

@testable import SQLite

@Suite("A statement")
struct StatementTests {
    let connection: Connection

    init() throws {
        connection = try Connection(.memory)
    }

    @Test(
        "gives text back byte by byte",
        arguments: ["", "a", "a\0b", "\0", "é", "e\u{301}", "a\r\nb", "👩‍👩‍👧", String(repeating: "x", count: 100_000)])
    func text(text: String) throws {
        let result: String? = try connection.first("SELECT ?", text)
        #expect(result.map { Array($0.utf8) } == Array(text.utf8))
        #expect(try connection.first("SELECT typeof(?)", text) == "text")
    }

    @Test("gives bytes back", arguments: [[], [0], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)])
    func bytes(bytes: [UInt8]) throws {
        #expect(try connection.first("SELECT ?", bytes) == bytes)
        #expect(try connection.first("SELECT typeof(?)", bytes) == "blob")
    }

    @Test("gives integers back over their whole range", arguments: [0, 1, -1, Int64.max, .min])
    func integers(value: Int64) throws {
        #expect(try connection.first("SELECT ?", value) == value)
    }

    @Test("gives doubles back", arguments: [0.1, -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func doubles(value: Double) throws {
        let result: Double? = try connection.first("SELECT ?", value)
        #expect(result?.bitPattern == value.bitPattern)
    }

    @Test("refuses NaN, which SQLite would store as NULL")
    func nan() {
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", Double.nan) }
        #expect(error?.code == .mismatch)
    }

    @Test("tells NULL from a value, and an empty text from NULL")
    func null() throws {
        let none: String? = nil
        let statement = try connection.prepare("SELECT ?, ''")
        try statement.bind(all: none)
        #expect(try statement.step())
        #expect(try statement.column(0, as: String?.self) == nil)
        #expect(try statement.column(1, as: String?.self) == "")
        let error = #expect(throws: SQLiteError.self) { try statement.column(0, as: String.self) }
        #expect(error?.code == .mismatch)
    }

    @Test("throws for a column of another type instead of converting")
    func mismatch() throws {
        let statement = try connection.prepare("SELECT 1, '1', 1.0, x'31'")
        #expect(try statement.step())
        #expect(throws: SQLiteError.self) { try statement.column(0, as: String.self) }
        #expect(throws: SQLiteError.self) { try statement.column(1, as: Int64.self) }
        #expect(throws: SQLiteError.self) { try statement.column(2, as: Int64.self) }
        #expect(throws: SQLiteError.self) { try statement.column(3, as: String.self) }
        let values = try (0..<4).map { try statement.column($0, as: Value.self) }
        #expect(values == [.integer(1), .text("1"), .real(1), .blob([0x31])])
    }

    @Test("throws for text that is not UTF-8 instead of repairing it")
    func invalidText() throws {
        let error = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT CAST(x'ff41' AS TEXT)", as: String.self)
        }
        #expect(error?.code == .mismatch)
    }

    @Test("throws for a column that does not exist, and without a row", arguments: [-1, 1, 99, Int.max, Int.min])
    func missingColumn(index: Int) throws {
        let statement = try connection.prepare("SELECT 1")
        #expect(throws: SQLiteError.self) { try statement.column(0, as: Int64.self) }
        #expect(try statement.step())
        let error = #expect(throws: SQLiteError.self) { try statement.column(index, as: Int64.self) }
        #expect(error?.code == .range)
        #expect(try !statement.step())
        #expect(throws: SQLiteError.self) { try statement.column(0, as: Int64.self) }
    }

    @Test("throws for a parameter that does not exist, and for too few or too many")
    func missingParameter() throws {
        let statement = try connection.prepare("SELECT :one, :two")
        try statement.bind(1, to: ":one")
        for index in [0, 3, -1, Int.max] {
            let error = #expect(throws: SQLiteError.self) { try statement.bind(1, at: index) }
            #expect(error?.code == .range)
        }
        #expect(throws: SQLiteError.self) { try statement.bind(1, to: ":three") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?, ?", 1) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", 1, 2) }
    }

    @Test(
        "is one statement, neither none nor two nor one with NUL",
        arguments: ["", " ", "-- x", "SELECT 1; SELECT 2", "SELECT 1\0"])
    func count(sql: String) {
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.code == .misuse)
    }

    @Test("names its text in an error, and no values")
    func errorText() throws {
        try connection.execute("CREATE TABLE t (x TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
        try connection.run("INSERT INTO t VALUES (?)", "secret")
        let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (?)", "secret") }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == .constraintPrimaryKey)
        #expect(error?.sql == "INSERT INTO t VALUES (?)")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("comes from the cache without its bindings, and only while nobody uses it")
    func cache() throws {
        let sql = "SELECT ?"
        var first: Statement? = try connection.prepare(sql)
        try first?.bind(all: 1)
        let second = try connection.prepare(sql)
        #expect(first?.handle != second.handle)
        let handle = first?.handle
        #expect(try first?.step() == true)
        first = nil
        let third = try connection.prepare(sql)
        #expect(third.handle == handle)
        #expect(try third.step())
        #expect(try third.column(0, as: Int64?.self) == nil)
    }

    @Test("is not taken for one whose literal is composed differently")
    func cacheKey() throws {
        let composed: String? = try connection.first("SELECT hex('\u{E9}')")
        let decomposed: String? = try connection.first("SELECT hex('e\u{301}')")
        #expect(composed == "C3A9")
        #expect(decomposed == "65CC81")
    }

    @Test("leaves no lock behind when it is dropped in the middle of its rows")
    func dropped() throws {
        try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
        #expect(try connection.first("SELECT x FROM t") == 1)
        // Fails with "database table is locked" while a statement reads from it.
        try connection.execute("DROP TABLE t")
    }

    @Test("is dropped from the cache when more are idle than it holds")
    func cacheCapacity() throws {
        let connection = try Connection(.memory, options: .init(statementCacheCapacity: 2))
        for number in 0..<10 {
            #expect(try connection.first("SELECT \(number)") == number)
        }
        for number in 0..<10 {
            #expect(try connection.first("SELECT \(number)") == number)
        }
    }

    @Test("tells its shape")
    func shape() throws {
        try connection.execute("CREATE TABLE t (x)")
        let query = try connection.prepare("SELECT 1 AS one, ? AS two")
        #expect(query.columnNames == ["one", "two"])
        #expect(query.columnCount == 2)
        #expect(query.parameterCount == 1)
        #expect(query.isReadOnly)
        #expect(try !connection.prepare("DELETE FROM t").isReadOnly)
    }
}
