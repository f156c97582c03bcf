// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Events on a file system", .timeLimit(.minutes(5)), .enabled(if: TemporaryFileSystem.isPossible))
struct EventFileSystemTests {
    let system: TemporaryFileSystem

    init() throws {
        system = try TemporaryFileSystem(options: "size=1m")
    }

    @Test("that is full are refused, and those that were acknowledged stay")
    func full() async throws {
        let store = system.open("data")
        var stored: [Event] = []
        var failure: SentinelError?
        for number in 0..<1000 {
            let event = try StoreFixture.event(at: Double(number), text: String(repeating: "x", count: 3000))
            do {
                try await store.record(event)
                stored.append(event)
            } catch let error as SentinelError {
                failure = error
                break
            }
        }
        #expect(failure?.code == .storageFull)
        #expect(store.health.state == .degraded)
        #expect(!stored.isEmpty)
        #expect(store.eventCount == UInt64(stored.count))
        #expect(try await store.allEvents() == stored.reversed())
        store.close()
        let next = system.open("data")
        #expect(try await next.allEvents() == stored.reversed())
        #expect(try await next.findings() == [])
    }

    @Test("that is full at the start are refused until there is room")
    func fullAtStart() async throws {
        let ballast = "\(system.path)/ballast"
        let descriptor = Glibc.open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        close(descriptor)
        let store = system.open("data")
        let event = try StoreFixture.event(at: 0)
        let error = await #expect(throws: SentinelError.self) { try await store.record(event) }
        #expect(error?.code == .storageFull)
        #expect(try await store.allEvents().isEmpty)
        unlink(ballast)
        try await store.record(event)
        #expect(store.health.state == .ok)
        #expect(try await store.allEvents() == [event])
    }

    @Test("that is read-only can be read")
    func readOnly() async throws {
        let first = system.open("data")
        let events = try (0..<100).map { try StoreFixture.event(at: Double($0)) }
        try await first.record(events)
        first.close()
        try system.remount(MS_RDONLY)
        let store = system.open("data")
        #expect(store.eventCount == 100)
        #expect(try await store.allEvents(limit: 30) == events.reversed())
        let error = await #expect(throws: SentinelError.self) { try await store.deleteEvents() }
        #expect(error?.code == .unavailable)
        try system.remount(0)
        #expect(try await store.deleteEvents() == 100)
    }
}
