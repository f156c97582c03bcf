// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport

@testable import SentinelPersistence

/// A directory for a store that goes with its last reference, and a clock that stands still.
final class StoreFixture: Sendable {
    static let now = Timestamp(clamping: 1_796_015_400_000_000)
    static let date = "2026-11-30T05-10-00Z"

    private let temporary: TemporaryDirectory

    init() throws {
        temporary = try TemporaryDirectory()
    }

    /// Holds `directory`.
    var root: String { temporary.path }

    var directory: String { "\(root)/data" }
    var database: String { "\(directory)/sentinel.db" }
    var damagedDatabase: String { "\(database).damaged-\(Self.date)" }

    func open(_ directory: String? = nil, limits: Writer.Limits = .patient) -> Store {
        Store(
            Writer(location: .directory(directory ?? self.directory), clock: WallClock { Self.now }, limits: limits))
    }

    /// Makes a database of many pages and closes it.
    func makeDatabase(applications: Int = 1000) async throws -> [ApplicationRecord] {
        let store = open()
        let records = (0..<applications).map { Self.record($0) }
        try await store.submit { connection in
            for record in records {
                try ApplicationTable.save(record, in: connection)
            }
        }
        store.close()
        return records
    }

    static func record(_ number: Int) -> ApplicationRecord {
        let digits = String(number)
        do {
            return ApplicationRecord(
                id: try ApplicationID("com.example.App" + String(repeating: "0", count: 5 - digits.count) + digits),
                name: "Application \(number)", icon: "application-x-executable", version: "1.\(number)",
                build: String(repeating: "b", count: 100), firstSeen: now, lastSeen: now)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    func names(in directory: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory ?? self.directory).sorted()
    }

    func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Overwrites a page in place.
    func overwrite(page: Int, of path: String, count: Int = 1) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(page) * 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096 * count))
        try file.close()
    }

    /// The first of so many pages in a row, from one on, that hold rows and no way to other pages.
    func leaves(from page: Int, count: Int) throws -> Int {
        let bytes = try contents(database)
        // The type of a page comes first: 10 is a leaf of an index, which a table without row ids is.
        func isLeaf(_ page: Int) -> Bool { page * 4096 < bytes.count && bytes[page * 4096] == 10 }
        guard let first = (page...bytes.count / 4096).first(where: { ($0..<$0 + count).allSatisfy(isLeaf) }) else {
            throw TestSupportError("no \(count) leaves in a row")
        }
        return first
    }

    func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

extension Writer.Limits {
    /// The usual ones, but that deletion waits for as long as a busy machine holds up the maintenance.
    static var patient: Self {
        var limits = Self()
        limits.erasure = .seconds(60)
        return limits
    }
}

extension Store {
    @discardableResult
    func submit<Value: Sendable>(
        _ durability: Durability = .disk, _ work: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedContinuation { continuation in
            writer.submit(durability, work) { continuation.resume(returning: $0) }
        }.get()
    }

    func save(_ record: ApplicationRecord) async throws {
        try await withCheckedContinuation { continuation in
            save(record) { continuation.resume(returning: $0) }
        }.get()
    }

    func touch(_ ids: [ApplicationID], lastSeen: Timestamp) async throws {
        try await withCheckedContinuation { continuation in
            touch(ids: ids, lastSeen: lastSeen) { continuation.resume(returning: $0) }
        }.get()
    }

    func forget(_ id: ApplicationID) async throws {
        try await withCheckedContinuation { continuation in
            forget(id) { continuation.resume(returning: $0) }
        }.get()
    }
}
