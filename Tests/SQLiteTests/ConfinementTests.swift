// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("A confined connection", .timeLimit(.minutes(5)))
struct ConfinementTests {
    let connection: Connection

    init() throws {
        connection = try Connection(.memory, options: .init(statementCacheCapacity: 0))
    }

    @Test("does what its authorizer allows and nothing else")
    func authorizer() throws {
        try connection.execute("CREATE TABLE t (a, b)")
        var asked: Set<Connection.Action> = []
        try connection.setAuthorizer { action in
            asked.insert(action)
            return [.select, .read(table: "t", column: "a"), .function("abs")].contains(action)
        }
        _ = try connection.prepare("SELECT abs(a) FROM t")
        for sql in ["SELECT b FROM t", "SELECT count(*) FROM t", "SELECT hex(a) FROM t", "DROP TABLE t", "BEGIN"] {
            let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
            #expect(error?.code == .authorization || error?.message.hasPrefix("not authorized") == true, "\(sql)")
        }
        #expect(asked.isSuperset(of: [.read(table: "t", column: "b"), .function("hex")]))
        try connection.setAuthorizer(nil)
        _ = try connection.prepare("SELECT b FROM t")
    }

    @Test("ends statements when its progress handler says so")
    func progress() throws {
        var count = 0
        try connection.setProgressHandler(every: 100) {
            count += 1
            return count == 10
        }
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = #expect(throws: SQLiteError.self) { try connection.first(endless, as: Int64.self) }
        #expect(error?.code == .interrupt)
        #expect(count == 10)
        connection.removeProgressHandler()
        #expect(try connection.first("SELECT 1") == 1)
    }

    @Test("keeps to each limit")
    func limits() throws {
        for limit in Connection.Limit.allCases where limit != .valueLength {
            let before = try connection.setLimit(limit, to: 7)
            #expect(try connection.setLimit(limit, to: before) == 7)
        }
        try connection.setLimit(.valueLength, to: 1000)
        let error = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT hex(zeroblob(600))", as: String.self)
        }
        #expect(error?.code == .tooBig)
    }

    @Test("calls functions that were added, with values of all kinds")
    func functions() throws {
        try connection.addFunction("kinds", argumentCount: -1) { call in
            let kinds = (0..<call.argumentCount).map { "\(call.storageClass(at: $0))" }.joined(separator: " ")
            var text = kinds
            text.withUTF8 { call.give(text: UnsafeRawBufferPointer($0)) }
        }
        #expect(try connection.first("SELECT kinds(1, 2.5, 'a', x'00', NULL)") == "integer real text blob null")
        try connection.addFunction("same", argumentCount: 1) { $0.give(argument: 0) }
        #expect(try connection.first("SELECT same(?)", [UInt8]([0, 1])) == [UInt8]([0, 1]))
        try connection.addFunction("length", argumentCount: 1) { $0.withBytes(at: 0) { _ in } }
        #expect(try connection.first("SELECT length('a') IS NULL") == 1)
        try connection.addFunction("broken", argumentCount: 0) { $0.fail("it is broken") }
        let error = #expect(throws: SQLiteError.self) { try connection.first("SELECT broken()", as: Int64.self) }
        #expect(error?.message == "it is broken")
    }

    @Test("fails where it needs more memory than it may, and goes on afterwards")
    func memory() throws {
        let error = #expect(throws: SQLiteError.self) {
            try Connection.withMemory(ofAtMost: 1 << 20) {
                try connection.first("SELECT length(hex(zeroblob(1000000)))", as: Int64.self)
            }
        }
        #expect(error?.code == .noMemory)
        #expect(try connection.first("SELECT length(hex(zeroblob(1000000)))") == 2_000_000)
    }

    @Test("tells a statement's parameters, and takes comments behind it")
    func statements() throws {
        let statement = try connection.prepare("SELECT ?, :name, @other; -- that is all\n /* all */ ;")
        #expect(statement.parameterNames == [nil, ":name", "@other"])
        for sql in ["SELECT 1; SELECT 2", "SELECT 1; nonsense", "-- nothing", "SELECT 1; /* */ SELECT 2"] {
            let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
            #expect(error?.code == .misuse)
        }
    }

    @Test("puts temporary files into its directory, where they have no name")
    func temporaryFiles() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(.memory, options: .init(temporaryDirectory: directory.path))
        try connection.setPragma("temp_store", to: "file")
        try connection.setPragma("cache_size", to: 10)
        try connection.execute(
            """
            CREATE TEMP TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
                SELECT hex(zeroblob(200)) || i FROM n
            """)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(links.contains { $0.hasPrefix(directory.path) && $0.hasSuffix("(deleted)") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("gives its temporary files no more room than they may have, all together")
    func temporaryLimit() throws {
        let directory = try TemporaryDirectory()
        let limit: Int64 = 4 << 20
        let connection = try Connection(
            .memory, options: .init(temporaryDirectory: directory.path, temporaryByteLimit: limit))
        try connection.setPragma("temp_store", to: "file")
        try connection.setPragma("cache_size", to: 10)
        let rows =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) SELECT zeroblob(1000) AS b FROM n"
        try connection.run("CREATE TEMP TABLE small AS \(rows)", 2000)
        #expect(try connection.first("SELECT count(*) FROM small", as: Int.self) == 2000)
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("CREATE TEMP TABLE large AS \(rows)", 5000)
        }
        #expect(error?.code == .full)
        let sorted = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT b FROM (\(rows)) ORDER BY random()", 100_000, as: [UInt8].self)
        }
        #expect(sorted?.code == .full)
    }

    @Test("reads a table that another connection gives, narrowed to what is asked for")
    func tables() throws {
        let other = try Connection(.memory)
        try other.execute("CREATE TABLE n (i INTEGER PRIMARY KEY, t TEXT)")
        for number in 0..<100 { try other.run("INSERT INTO n VALUES (?, ?)", number, "t\(number % 3)") }
        var requests: [VirtualTable.Request] = []
        let table = VirtualTable(
            columns: [("i", "INTEGER"), ("t", "TEXT")], rangeColumn: 0, equalColumns: [1]
        ) { request throws(SQLiteError) in
            requests.append(request)
            let rows = try other.prepare(
                "SELECT i, t FROM n WHERE i BETWEEN ? AND ? ORDER BY i \(request.order == .descending ? "DESC" : "")")
            try rows.bind(all: request.lower ?? .min, request.upper ?? .max)
            return rows
        }
        var failures: [SQLiteError] = []
        try connection.addTable("numbers", table) { failures.append($0) }
        #expect(try connection.first("SELECT group_concat(i) FROM numbers WHERE i > 96 AND t = 't1'") == "97")
        #expect(requests.last?.lower == 96 && requests.last?.upper == nil && requests.last?.equal == [1: "t1"])
        #expect(try connection.first("SELECT i FROM numbers ORDER BY i DESC LIMIT 1") == 99)
        #expect(requests.last?.order == .descending && requests.last?.isUsed == [true, false])
        #expect(try connection.first("SELECT count(*) FROM numbers AS a JOIN numbers AS b ON a.i = b.i") == 100)
        other.close()
        #expect(throws: SQLiteError.self) { try connection.first("SELECT count(*) FROM numbers", as: Int64.self) }
        #expect(failures.map(\.code) == [.misuse])
    }
}
