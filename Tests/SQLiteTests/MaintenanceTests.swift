// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("Maintenance")
struct MaintenanceTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(.file(directory.file()))
        try connection.setPragma("journal_mode", to: "wal")
        try connection.stopAutomaticCheckpoints()
        try connection.execute("CREATE TABLE t (x)")
    }

    private func fill(_ rows: Int = 2000) throws {
        try connection.transaction {
            for number in 0..<rows {
                try connection.run("INSERT INTO t VALUES (?)", "\(number) \(String(repeating: "x", count: 200))")
            }
        }
    }

    private func size(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int
    }

    @Test("counts the log's frames and cuts the log")
    func checkpoint() throws {
        for _ in 0..<30 { try fill(200) }
        #expect(connection.logFrameCount > 300)
        let passive = try connection.checkpoint(.passive)
        #expect(passive.copiedFrameCount == connection.logFrameCount)
        #expect(!passive.wasBusy)
        try connection.checkpoint(.truncate)
        #expect(connection.logFrameCount == 0)
        #expect(try size("test.db-wal") == 0)
    }

    @Test("copies the log on a connection that has read nothing yet")
    func checkpointFirst() throws {
        try fill()
        let beside = try Connection(.file(directory.file()), options: .init(checkpointsOnClose: false))
        #expect(try beside.checkpoint(.passive).copiedFrameCount == connection.logFrameCount)
    }

    @Test("leaves the log to a reader that needs it, and says so")
    func busyCheckpoint() throws {
        let reader = try Connection(.file(directory.file()), options: .init(access: .readOnly))
        try reader.begin(.deferred)
        _ = try reader.first("SELECT count(*) FROM t", as: Int.self)
        try fill()
        try connection.setBusyTimeout(.zero)
        #expect(try connection.checkpoint(.truncate).wasBusy)
        try reader.commit()
        #expect(try !connection.checkpoint(.truncate).wasBusy)
    }

    @Test("finds a page that was overwritten")
    func quickCheck() throws {
        try fill()
        #expect(try connection.quickCheck().isEmpty)
        connection.close()
        let file = try #require(FileHandle(forUpdatingAtPath: directory.file()))
        try file.seek(toOffset: 20 * 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
        let damaged = try Connection(.file(directory.file()))
        #expect(try !damaged.quickCheck().isEmpty)
        try Data(repeating: 0x42, count: 8192).write(to: URL(fileURLWithPath: directory.file("garbage.db")))
        #expect(try !Connection(.file(directory.file("garbage.db"))).quickCheck().isEmpty)
    }

    @Test("backs up what is committed, log included, for its owner alone")
    func backup() throws {
        try fill()
        try connection.backUp(to: directory.file("copy.db"))
        #expect(try directory.permissions(of: "copy.db") == 0o600)
        let copy = try Connection(.file(directory.file("copy.db")))
        #expect(try copy.first("SELECT count(*) FROM t") == 2000)
        #expect(try copy.quickCheck().isEmpty)
    }

    @Test("backs up over nothing")
    func backupInPlace() throws {
        let path = directory.file("precious")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SQLiteError.self) { try connection.backUp(to: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
    }

    @Test("notices that the file was removed or replaced")
    func moved() throws {
        #expect(try !connection.hasMoved())
        try FileManager.default.moveItem(atPath: directory.file(), toPath: directory.file("elsewhere.db"))
        #expect(try connection.hasMoved())
        try Data().write(to: URL(fileURLWithPath: directory.file()))
        #expect(try connection.hasMoved())
        try connection.abandon()
        #expect(FileManager.default.fileExists(atPath: directory.file("test.db-wal")))
    }
}
