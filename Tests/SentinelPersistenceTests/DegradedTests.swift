// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Locking
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A store that cannot have its database", .timeLimit(.minutes(5)))
struct DegradedTests {
    enum Obstacle: CaseIterable {
        case linkedDatabase, danglingDatabase, linkedDirectory, fileAsDirectory, fileAsParent
    }

    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Puts an obstacle in the way of the store.
    ///
    /// - Returns: what is to be removed for the store to work.
    private func build(_ obstacle: Obstacle) throws -> String {
        let files = FileManager.default
        let elsewhere = fixture.root + "/elsewhere"
        try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        try fixture.write(Data("precious".utf8), to: elsewhere + "/file")
        switch obstacle {
        case .linkedDatabase, .danglingDatabase:
            try files.createDirectory(atPath: fixture.directory, withIntermediateDirectories: false)
            let target = obstacle == .linkedDatabase ? "file" : "missing"
            try files.createSymbolicLink(
                atPath: fixture.database, withDestinationPath: "\(elsewhere)/\(target)")
            return fixture.database
        case .linkedDirectory:
            try files.createSymbolicLink(atPath: fixture.directory, withDestinationPath: elsewhere)
            return fixture.directory
        case .fileAsDirectory, .fileAsParent:
            try fixture.write(Data(), to: fixture.directory)
            return fixture.directory
        }
    }

    @Test(
        "keeps things in memory, follows no link, and moves them to the disk once it can", arguments: Obstacle.allCases)
    func obstacle(obstacle: Obstacle) async throws {
        let path = try build(obstacle)
        let store = fixture.open(fixture.directory + (obstacle == .fileAsParent ? "/data/" : "/"))
        #expect(store.health.state == .degraded)
        #expect(store.health["storage"] == "memory")
        try await store.save(StoreFixture.record(1))
        #expect(try store.applications() == [StoreFixture.record(1)])
        let error = await #expect(throws: SentinelError.self) { try await store.submit { _ in } }
        #expect(error?.code == .unavailable)
        #expect(try fixture.contents(fixture.root + "/elsewhere/file") == Data("precious".utf8))
        #expect(try fixture.names(in: fixture.root + "/elsewhere") == ["file"])

        try FileManager.default.removeItem(atPath: path)
        try await store.save(StoreFixture.record(2))
        #expect(store.health == StoreHealth(state: .ok))
        store.close()
        let next = fixture.open(fixture.directory + (obstacle == .fileAsParent ? "/data" : ""))
        #expect(try next.applications() == [StoreFixture.record(1), StoreFixture.record(2)])
    }

    @Test("carries over what was taken away meanwhile as well, and tells when it has the database")
    func removals() async throws {
        let first = fixture.open()
        try await first.save(StoreFixture.record(1))
        try await first.save(StoreFixture.record(2))
        try await first.setSettings(["gone": "1", "changed": "1", "kept": "1"])
        first.close()
        let files = FileManager.default
        let elsewhere = fixture.root + "/elsewhere"
        try files.moveItem(atPath: fixture.directory, toPath: elsewhere)
        try fixture.write(Data(), to: fixture.directory)
        let store = fixture.open()
        let changes = Guarded(0)
        store.onDatabaseChange { changes.withLock { $0 += 1 } }
        #expect(store.health["storage"] == "memory")
        try await store.setSettings(["gone": nil, "changed": "2", "new": "1", "brief": "1"])
        try await store.setSettings(["brief": nil])
        try await store.forget(StoreFixture.record(1).id)
        #expect(changes.withLock { $0 } == 0)
        try files.removeItem(atPath: fixture.directory)
        try files.moveItem(atPath: elsewhere, toPath: fixture.directory)
        try await store.save(StoreFixture.record(3))
        #expect(changes.withLock { $0 } == 1)
        #expect(try store.applications() == [StoreFixture.record(2), StoreFixture.record(3)])
        let names = ["gone", "changed", "kept", "new", "brief"]
        #expect(try names.map { try store.setting($0) } == [nil, "2", "1", "1", nil])
    }

    @Test("puts what is declared meanwhile behind what was declared before, and leaves open names as they were")
    func declarations() async throws {
        func declaration(
            _ key: String, _ position: Int64, _ document: String, _ source: String = "application"
        ) throws -> PreferenceWrite {
            .declare(
                .init(
                    key: try Name(key), position: position, document: document, source: source, origin: "",
                    time: StoreFixture.now))
        }
        func write(_ writes: [PreferenceWrite], to store: Store) async throws {
            try await withCheckedContinuation { continuation in
                store.writePreferences(
                    of: StoreFixture.record(1).id, writes, historyLimit: 10, historyBytes: 1 << 20
                ) {
                    continuation.resume(returning: $0)
                }
            }.get()
        }
        let first = fixture.open()
        try await first.save(StoreFixture.record(1))
        try await write([declaration("b", 1, "1"), declaration("a", 2, "1")], to: first)
        first.close()
        let files = FileManager.default
        let elsewhere = fixture.root + "/elsewhere"
        try files.moveItem(atPath: fixture.directory, toPath: elsewhere)
        try fixture.write(Data(), to: fixture.directory)
        let store = fixture.open()
        var record = StoreFixture.record(1)
        record.name = ""
        try await store.save(record)
        try await write([declaration("z", 1, "2"), declaration("a", 2, "2"), declaration("c", 3, "2")], to: store)
        try await write([declaration("b", 4, "2", "manifest")], to: store)
        try files.removeItem(atPath: fixture.directory)
        try files.moveItem(atPath: elsewhere, toPath: fixture.directory)
        try await store.save(StoreFixture.record(2))
        #expect(try store.applications() == [StoreFixture.record(1), StoreFixture.record(2)])
        let declarations = try #require(try store.preferences()[record.id]).declarations
        #expect(declarations.map(\.key.text) == ["b", "a", "z", "c"])
        #expect(declarations.map(\.document) == ["1", "2", "2", "2"])
    }

    @Test("since its schema is newer reads it, changes nothing in it and says so")
    func newerSchema() async throws {
        let records = try await fixture.makeDatabase(applications: 10)
        try Connection(.file(fixture.database)).execute("PRAGMA user_version = 99; CREATE TABLE newer (x)")
        let before = try fixture.contents(fixture.database)
        let store = fixture.open()
        #expect(store.health.state == .degraded)
        #expect(store.health["storage"] == "read-only")
        #expect(store.health["storage_error"]?.contains("99") == true)
        #expect(try store.applications() == records)
        let error = await #expect(throws: SentinelError.self) { try await store.save(StoreFixture.record(11)) }
        #expect(error?.code == .unavailable)
        store.close()
        #expect(try fixture.contents(fixture.database) == before)
        #expect(try fixture.names().filter { $0.contains("damaged") || $0.contains("schema") } == [])
    }

    @Test("anymore, since it was removed in use, writes to a new one instead of into the void")
    func removed() async throws {
        let store = fixture.open()
        try await store.save(StoreFixture.record(1))
        try FileManager.default.removeItem(atPath: fixture.directory)
        try await store.save(StoreFixture.record(2))
        store.close()
        #expect(try fixture.open().applications() == [StoreFixture.record(2)])
    }

    @Test("whose log was removed in use keeps what was acknowledged before and after")
    func logRemoved() async throws {
        let store = fixture.open()
        try await store.save(StoreFixture.record(1))
        try FileManager.default.removeItem(atPath: fixture.database + "-wal")
        try await store.save(StoreFixture.record(2))
        // What is on the disk is all that is left of a process that is killed.
        let copy = try StoreFixture()
        try FileManager.default.copyItem(atPath: fixture.directory, toPath: copy.directory)
        #expect(try copy.open().applications() == [StoreFixture.record(1), StoreFixture.record(2)])
        #expect(store.health.state == .ok)
    }
}

/// File systems of their own, which need the right to mount.
@Suite("A store on a file system", .timeLimit(.minutes(5)), .enabled(if: TemporaryFileSystem.isPossible))
struct FileSystemTests {
    let system: TemporaryFileSystem

    init() throws {
        system = try TemporaryFileSystem(options: "size=1m")
    }

    private func fill() throws {
        let descriptor = Glibc.open("\(system.path)/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        #expect(errno == ENOSPC)
        close(descriptor)
    }

    private func record(_ number: Int, size: Int = 20_000) -> ApplicationRecord {
        var record = StoreFixture.record(number)
        record.build = String(repeating: "b", count: size)
        return record
    }

    @Test("that is full tells each caller, loses nothing acknowledged and recovers")
    func full() async throws {
        let store = system.open("data")
        var acknowledged: [ApplicationRecord] = []
        var failure: SentinelError?
        for number in 0..<1000 {
            do {
                try await store.save(record(number))
                acknowledged.append(record(number))
            } catch let error as SentinelError {
                failure = error
                break
            }
        }
        #expect(failure?.code == .storageFull)
        #expect(!acknowledged.isEmpty)
        #expect(store.health.state == .degraded)
        #expect(try store.applications() == acknowledged)
        for record in acknowledged.dropFirst(2) {
            do { try await store.forget(record.id) } catch let error as SentinelError {
                #expect(error.code == .storageFull)
            }
        }
        store.close()
        let next = system.open("data")
        let left = try next.applications()
        #expect(left.starts(with: acknowledged.prefix(2)))
        #expect(next.health.state == .ok)
    }

    @Test("that is full at the start opens, says so, and uses the disk once there is room")
    func fullAtStart() async throws {
        try fill()
        let store = system.open("data")
        #expect(store.health.state == .degraded)
        try await store.save(record(1, size: 10))
        let error = await #expect(throws: SentinelError.self) { try await store.submit { _ in } }
        #expect(error?.code == .storageFull)
        unlink("\(system.path)/ballast")
        try await store.save(record(2, size: 10))
        #expect(store.health == StoreHealth(state: .ok))
        store.close()
        #expect(try system.open("data").applications() == [record(1, size: 10), record(2, size: 10)])
    }

    @Test("that is full at the start reads what is there and writes once there is room")
    func fullWithDatabase() async throws {
        let first = system.open("data")
        try await first.save(record(1))
        first.close()
        try fill()
        let store = system.open("data")
        #expect(store.health["storage"] == "read-only")
        #expect(try store.applications() == [record(1)])
        let error = await #expect(throws: SentinelError.self) { try await store.save(record(2)) }
        #expect(error?.code == .storageFull)
        unlink("\(system.path)/ballast")
        try await store.save(record(2))
        #expect(store.health == StoreHealth(state: .ok))
        #expect(try store.applications() == [record(1), record(2)])
    }

    @Test("that is read-only reads what is there and writes once it may")
    func readOnly() async throws {
        let first = system.open("data")
        try await first.save(record(1))
        first.close()
        try system.remount(MS_RDONLY)
        let store = system.open("data")
        #expect(store.health["storage"] == "read-only")
        #expect(try store.applications() == [record(1)])
        let error = await #expect(throws: SentinelError.self) { try await store.save(record(2)) }
        #expect(error?.code == .unavailable)
        try system.remount(0)
        try await store.save(record(2))
        #expect(store.health == StoreHealth(state: .ok))
        #expect(try store.applications() == [record(1), record(2)])
        store.close()
    }

    @Test("that is read-only and has no database keeps things in memory")
    func readOnlyAndEmpty() async throws {
        try system.remount(MS_RDONLY)
        let store = system.open("data")
        #expect(store.health["storage"] == "memory")
        try await store.save(record(1))
        #expect(try store.applications() == [record(1)])
        store.close()
    }
}
