// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SQLite

@Suite("Migrations")
struct MigrationsTests {
    let first = Migrations.Step("a table", sql: "CREATE TABLE a (x)")
    let second = Migrations.Step("another table", sql: "CREATE TABLE b (x); INSERT INTO b VALUES (1)")

    @Test("bring a new database to the latest version without a backup")
    func fresh() throws {
        let connection = try Connection(.memory)
        try Migrations([first, second]).apply(to: connection) { _, _ in
            Issue.record("a new database needs no backup")
        }
        #expect(try connection.userVersion() == 2)
        #expect(try connection.first("SELECT x FROM b") == 1)
    }

    @Test("run only what is new, after a backup of what was")
    func later() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(.file(directory.file()))
        try Migrations([first]).apply(to: connection)
        try Migrations([first, second]).apply(to: connection) { connection, version throws(SQLiteError) in
            #expect(version == 1)
            try connection.backUp(to: directory.file("backup.db"))
        }
        try Migrations([first, second]).apply(to: connection) { _, _ in
            Issue.record("nothing was to be done")
        }
        #expect(try connection.userVersion() == 2)
        #expect(try Connection(.file(directory.file("backup.db"))).userVersion() == 1)
    }

    @Test("that fail leave the database at the step before")
    func failure() throws {
        let connection = try Connection(.memory)
        let broken = Migrations.Step("a broken step", sql: "CREATE TABLE c (x); INSERT INTO missing VALUES (1)")
        #expect(throws: SQLiteError.self) { try Migrations([first, broken]).apply(to: connection) }
        #expect(try connection.userVersion() == 1)
        #expect(try connection.first("SELECT count(*) FROM sqlite_schema WHERE name = 'c'") == 0)
        #expect(!connection.isInTransaction)
        try Migrations([first, second]).apply(to: connection)
    }

    @Test("do not begin without their backup")
    func failedBackup() throws {
        let connection = try Connection(.memory)
        try Migrations([first]).apply(to: connection)
        let error = #expect(throws: SQLiteError.self) {
            try Migrations([first, second]).apply(to: connection) { _, _ throws(SQLiteError) in
                throw SQLiteError(code: .full, message: "full")
            }
        }
        #expect(error?.code == .full)
        #expect(try connection.userVersion() == 1)
    }

    @Test("leave a newer schema alone, which can still be read")
    func newer() throws {
        let directory = try TemporaryDirectory()
        try Migrations([first, second]).apply(to: Connection(.file(directory.file())))
        let error = #expect(throws: SQLiteError.self) {
            try Migrations([first]).apply(to: Connection(.file(directory.file())))
        }
        #expect(error?.code == .newerSchema)
        let reader = try Connection(.file(directory.file()), options: .init(access: .readOnly))
        #expect(try reader.userVersion() == 2)
        #expect(try reader.first("SELECT x FROM b") == 1)
    }
}
