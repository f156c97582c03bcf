// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Locking
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A group of writes", .timeLimit(.minutes(5)))
struct GroupCommitTests {
    struct Refusal: Error {}

    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Keeps the queue busy until it is signalled, so that what is handed in meanwhile makes one group.
    private func hold(_ store: Store) -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        store.writer.queue.async { gate.wait() }
        return gate
    }

    private func ids(in fixture: StoreFixture) throws -> [Int] {
        let reader = try Connection(.file(fixture.database), options: .init(access: .readOnly))
        return try ApplicationTable.all(in: reader).compactMap { Int($0.id.text.suffix(5)) }
    }

    @Test("is committed as one, before the first reply, and replied to in order")
    func order() async throws {
        let store = fixture.open()
        let gate = hold(store)
        let replies = Guarded<[Int]>([])
        let seenAtFirstReply = Guarded<[Int]>([])
        let fixture = fixture
        await withCheckedContinuation { continuation in
            for number in 0..<50 {
                store.save(StoreFixture.record(number)) { result in
                    guard case .success = result else { return }
                    if replies.withLock({ $0.isEmpty }) {
                        do {
                            let ids = try ids(in: fixture)
                            seenAtFirstReply.withLock { $0 = ids }
                        } catch {
                            Issue.record(error)
                        }
                    }
                    replies.withLock { $0.append(number) }
                    if number == 49 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(replies.withLock { $0 } == Array(0..<50))
        #expect(seenAtFirstReply.withLock { $0 } == Array(0..<50))
    }

    @Test("goes on without a call that fails, and without what that call wrote")
    func isolation() async throws {
        let store = fixture.open()
        let gate = hold(store)
        let outcomes = Guarded<[String]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<10 {
                store.writer.submit { connection in
                    try ApplicationTable.save(StoreFixture.record(number), in: connection)
                    switch number {
                    case 3: throw Refusal()
                    case 5: throw SentinelError(.conflict, "no")
                    case 7: try connection.run("INSERT INTO missing VALUES (1)")
                    default: break
                    }
                } completion: { (result: Result<Void, SentinelError>) in
                    outcomes.withLock {
                        switch result {
                        case .success: $0.append("ok")
                        case .failure(let error): $0.append(String(error.code.busName.split(separator: ".").last ?? ""))
                        }
                    }
                    if number == 9 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(
            outcomes.withLock { $0 } == ["ok", "ok", "ok", "Failed", "ok", "Conflict", "ok", "Failed", "ok", "ok"])
        #expect(try ids(in: fixture) == [0, 1, 2, 4, 6, 8, 9])
        #expect(store.health.state == .ok)
    }

    @Test("whose one call does not fit on the disk keeps the others, and the store recovers")
    func fullDisk() async throws {
        let store = fixture.open()
        let pages = try await store.submit { connection -> Int64 in
            let pages = try connection.pragma("page_count", as: Int64.self) ?? 0
            try connection.setPragma("max_page_count", to: pages + 4)
            return pages
        }
        let changes = Guarded<[StoreHealth.State]>([])
        store.onHealthChange { health in changes.withLock { $0.append(health.state) } }
        let gate = hold(store)
        let codes = Guarded<[SentinelError.Code?]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<5 {
                var record = StoreFixture.record(number)
                if number == 2 { record.name = String(repeating: "x", count: 100_000) }
                store.save(record) { result in
                    codes.withLock {
                        if case .failure(let error) = result { $0.append(error.code) } else { $0.append(nil) }
                    }
                    if number == 4 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(codes.withLock { $0 } == [nil, nil, .storageFull, nil, nil])
        #expect(try ids(in: fixture) == [0, 1, 3, 4])

        var large = StoreFixture.record(2)
        large.name = String(repeating: "x", count: 100_000)
        let sent = large
        let error = await #expect(throws: SentinelError.self) { try await store.save(sent) }
        #expect(error?.code == .storageFull)
        #expect(store.health.state == .degraded)
        #expect(store.health["storage_error"] != nil)
        try await store.submit { try $0.setPragma("max_page_count", to: pages + 4000) }
        try await store.save(sent)
        #expect(store.health == StoreHealth(state: .ok))
        #expect(changes.withLock { $0 } == [.degraded, .ok])
    }

    @Test("whose commit fails for one call's fault keeps the others")
    func deferredConstraint() async throws {
        let store = fixture.open()
        try await store.submit {
            try $0.execute(
                "CREATE TABLE child (parent TEXT REFERENCES applications (id) DEFERRABLE INITIALLY DEFERRED)")
        }
        let gate = hold(store)
        let outcomes = Guarded<[Bool]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<4 {
                store.writer.submit { connection in
                    try ApplicationTable.save(StoreFixture.record(number), in: connection)
                    if number == 1 { try connection.run("INSERT INTO child VALUES (?)", "nobody") }
                } completion: { (result: Result<Void, SentinelError>) in
                    outcomes.withLock {
                        if case .success = result { $0.append(true) } else { $0.append(false) }
                    }
                    if number == 3 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(outcomes.withLock { $0 } == [true, false, true, true])
        #expect(try ids(in: fixture) == [0, 2, 3])
    }

    @Test("is bounded: calls past the limit fail at once, and there is room again after the replies")
    func limit() async throws {
        let store = fixture.open(limits: .init(calls: 3))
        let gate = hold(store)
        let codes = Guarded<[SentinelError.Code?]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<5 {
                store.save(StoreFixture.record(number)) { result in
                    let count = codes.withLock { codes in
                        if case .failure(let error) = result { codes.append(error.code) } else { codes.append(nil) }
                        return codes.count
                    }
                    if count == 5 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(codes.withLock { $0 }.filter { $0 == .limitsExceeded }.count == 2)
        #expect(try ids(in: fixture) == [0, 1, 2])
        try await store.save(StoreFixture.record(3))
    }

    @Test("that was acknowledged survives the end of the process in the middle of others")
    func killed() async throws {
        let acknowledgements = fixture.root + "/acknowledged"
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = fixture.directory as String, acknowledgements = acknowledgements as String] in
            let store = Store.open(location: .directory(directory))
            let descriptor = open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for number in 0..<2000 {
                store.save(StoreFixture.record(number)) { result in
                    guard case .success = result else { return }
                    var line = Array("\(number)\n".utf8)
                    write(descriptor, &line, line.count)
                    if number == 1000 { kill(getpid(), SIGKILL) }
                }
                // So that there are several groups.
                if number % 50 == 0 { store.writer.queue.sync {} }
            }
            sleep(60)
        }
        let acknowledged = try String(contentsOfFile: acknowledgements, encoding: .utf8).split(separator: "\n")
        #expect(acknowledged.count >= 1001)
        let store = fixture.open()
        let found = try Set(store.applications().compactMap { Int($0.id.text.suffix(5)) })
        #expect(found.isSuperset(of: acknowledged.compactMap { Int($0) }))
        #expect(store.health.state == .ok)
    }

    @Test("that was acknowledged is in the files as they are at that moment")
    func durability() async throws {
        let store = fixture.open()
        let copies = try StoreFixture()
        let fixture = fixture
        let expected = Guarded<[Int]>([])
        let failures = Guarded<[String]>([])
        await withTaskGroup(of: Void.self) { tasks in
            for number in 0..<64 {
                tasks.addTask {
                    await withCheckedContinuation { continuation in
                        store.save(StoreFixture.record(number)) { result in
                            expected.withLock { if case .success = result { $0.append(number) } }
                            // As a process that dies here would leave them: without the log's index.
                            let target = "\(copies.root)/\(number)"
                            do {
                                try FileManager.default.createDirectory(
                                    atPath: target, withIntermediateDirectories: false)
                                for name in ["sentinel.db", "sentinel.db-wal"] {
                                    try FileManager.default.copyItem(
                                        atPath: "\(fixture.directory)/\(name)", toPath: "\(target)/\(name)")
                                }
                                let acknowledged = expected.withLock { Set($0) }
                                let found = Set(
                                    try fixture.open(target).applications().compactMap { Int($0.id.text.suffix(5)) })
                                if !found.isSuperset(of: acknowledged) {
                                    failures.withLock { $0.append("\(acknowledged.subtracting(found)) lost") }
                                }
                            } catch {
                                failures.withLock { $0.append("\(error)") }
                            }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(expected.withLock { $0.count } == 64)
        #expect(failures.withLock { $0 } == [])
    }
}
