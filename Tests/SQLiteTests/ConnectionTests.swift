// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("A connection")
struct ConnectionTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("waits for locks as before once it has waited otherwise, also where that failed")
    func busyTimeout() throws {
        let connection = try Connection(.memory)
        let before = try connection.pragma("busy_timeout", as: Int.self)
        let during = try connection.withBusyTimeout(.milliseconds(7)) { () throws(SQLiteError) in
            try connection.pragma("busy_timeout", as: Int.self)
        }
        #expect(during == 7)
        #expect(try connection.pragma("busy_timeout", as: Int.self) == before)
        #expect(throws: SQLiteError.self) {
            try connection.withBusyTimeout(.zero) { () throws(SQLiteError) in try connection.execute("nonsense") }
        }
        #expect(try connection.pragma("busy_timeout", as: Int.self) == before)
        #expect(before != 7 && before != 0)
    }

    @Test("creates its file and journals for their owner alone")
    func permissions() throws {
        let connection = try Connection(.file(directory.file()))
        try connection.setPragma("journal_mode", to: "wal")
        try connection.execute("CREATE TABLE t (x)")
        for name in ["test.db", "test.db-wal", "test.db-shm"] {
            #expect(try directory.permissions(of: name) == 0o600, "\(name)")
        }
    }

    @Test("refuses a symbolic link in the file's place, to a file and to nothing")
    func linkedFile() throws {
        try Connection(.file(directory.file("real.db"))).execute("CREATE TABLE t (x)")
        for target in ["real.db", "missing.db"] {
            let link = directory.file("link-to-\(target)")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let error = #expect(throws: SQLiteError.self) { try Connection(.file(link)) }
            #expect(error?.extendedCode == .cannotOpenSymbolicLink)
            #expect(error?.code == .cannotOpen)
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("missing.db")))
    }

    @Test("opens a file whose directory lies behind a link, as /home may")
    func linkedDirectory() throws {
        try FileManager.default.createDirectory(atPath: directory.file("real"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: directory.file("home"), withDestinationPath: "real")
        let connection = try Connection(.file(directory.file("home/test.db")))
        try connection.execute("CREATE TABLE t (x)")
        #expect(FileManager.default.fileExists(atPath: directory.file("real/test.db")))
    }

    @Test("creates nothing unless it may", arguments: [Connection.Access.readOnly, .readWrite])
    func missingFile(access: Connection.Access) throws {
        let error = #expect(throws: SQLiteError.self) {
            try Connection(.file(directory.file()), options: .init(access: access))
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.path == directory.file())
        #expect(!FileManager.default.fileExists(atPath: directory.file()))
    }

    @Test("that is read-only does not write")
    func readOnly() throws {
        try Connection(.file(directory.file())).execute("CREATE TABLE t (x)")
        let connection = try Connection(.file(directory.file()), options: .init(access: .readOnly))
        let error = #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
        #expect(error?.code == .readOnly)
    }

    @Test("that is immutable reads a database in WAL mode and makes no files, whatever its name")
    func immutable() throws {
        let name = "100% ?#&ä.db"
        let writer = try Connection(.file(directory.file(name)))
        try writer.setPragma("journal_mode", to: "wal")
        try writer.execute("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
        writer.close()
        let reader = try Connection(
            .file(directory.file(name)), options: .init(access: .readOnly, isImmutable: true))
        #expect(try reader.first("SELECT x FROM t") == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    }

    @Test("refuses a path with NUL and one without a file name", arguments: ["a\0b", "", "/", ".."])
    func badPath(path: String) {
        let error = #expect(throws: SQLiteError.self) { try Connection(.file(path)) }
        #expect(error?.code == .cannotOpen)
    }

    @Test("says that a file is no database once it is used")
    func garbage() throws {
        try Data(repeating: 0x42, count: 8192).write(to: URL(fileURLWithPath: directory.file()))
        let connection = try Connection(.file(directory.file()))
        let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM sqlite_schema") }
        #expect(error?.code == .notADatabase)
    }

    @Test("fails with misuse once it is closed, held statements included")
    func closed() throws {
        let connection = try Connection(.memory)
        let statement = try connection.prepare("SELECT 1")
        connection.close()
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        let error = #expect(throws: SQLiteError.self) { try statement.step() }
        #expect(error?.code == .misuse)
        connection.interrupter.interrupt()
    }

    @Test("waits for a lock no longer than its busy timeout")
    func busy() throws {
        let first = try Connection(.file(directory.file()))
        try first.begin(.exclusive)
        let second = try Connection(.file(directory.file()), options: .init(busyTimeout: .zero))
        let error = #expect(throws: SQLiteError.self) { try second.begin() }
        #expect(error?.code == .busy)
        first.rollBack()
        try second.begin()
    }

    @Test("is interrupted from another thread", .timeLimit(.minutes(5)))
    func interrupt() throws {
        let connection = try Connection(.memory)
        let interrupter = connection.interrupter
        let thread = Thread {
            while !Thread.current.isCancelled {
                interrupter.interrupt()
            }
        }
        thread.start()
        defer { thread.cancel() }
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
        #expect(error?.code == .interrupt)
    }

    @Test("counts changes of the statement that ran, not of one before it")
    func changes() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (x)")
        #expect(try connection.run("INSERT INTO t VALUES (?), (?)", 1, "two") == 2)
        #expect(try connection.run("DELETE FROM t WHERE x = ?", 99) == 0)
        #expect(try connection.run("CREATE TABLE u (x)") == 0)
        #expect(connection.lastInsertedRow == 2)
        #expect(connection.totalChangeCount == 2)
    }

    @Test("tells the failure of its last call, and none after a success")
    func lastError() throws {
        let connection = try Connection(.memory)
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM missing") }
        #expect(connection.lastError?.message == "no such table: missing")
        try connection.execute("SELECT 1")
        #expect(connection.lastError == nil)
    }
}
