// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

extension StoreFixture {
    /// A time some seconds after the fixture's.
    static func time(_ seconds: Double) -> Timestamp {
        Timestamp(clamping: now.microseconds + Int64(seconds * 1_000_000))
    }

    /// An event some seconds after the fixture's time, with an id made for it.
    static func event(
        at seconds: Double, _ type: String = "test.event", from source: String = "com.example.App",
        lasting duration: Double? = nil, marks: Event.Marks = [], text: String? = nil, id: EventID? = nil
    ) throws -> Event {
        let timestamp = time(seconds)
        return Event(
            id: id ?? .make(at: timestamp), timestamp: timestamp, type: try Name(type), source: try Name(source),
            duration: duration.map { Int64($0 * 1_000_000) }, marks: marks,
            data: text.map { ["text": .text($0)] } ?? [:])
    }

    /// An id that holds no time.
    static func givenID(_ number: UInt64) -> EventID {
        EventID(high: 0x1234_5678_9abc_4def, low: 0x8000_0000_0000_0000 | number)
    }

    /// All bytes of all files in the directory of the store.
    func allBytes() throws -> Data {
        try names().reduce(into: Data()) { $0 += try contents("\(directory)/\($1)") }
    }
}

extension Store {
    func record(_ events: Event...) async throws {
        try await record(events)
    }

    @discardableResult
    func record(
        _ events: [Event], replacingOnly source: Name? = nil, keepingStartsOf ids: Set<EventID> = []
    ) async throws -> [Event] {
        try await withCheckedContinuation { continuation in
            record(events, replacingOnly: source, keepingStartsOf: ids) { continuation.resume(returning: $0) }
        }.get()
    }

    func importEvents(_ events: [Event]) async throws -> (recorded: Int, skipped: Int) {
        try await withCheckedContinuation { continuation in
            importEvents(events) { continuation.resume(returning: $0) }
        }.get()
    }

    func closeEvent(
        _ id: EventID, at end: Timestamp, with closing: Event?, replacingOnly source: Name? = nil
    ) async throws {
        try await withCheckedContinuation { continuation in
            closeEvent(id, at: end, with: closing, replacingOnly: source) { continuation.resume(returning: $0) }
        }.get()
    }

    func closeOpenEvents(except ids: Set<EventID> = []) async throws -> Int {
        try await withCheckedContinuation { continuation in
            closeOpenEvents(except: ids) { continuation.resume(returning: $0) }
        }.get()
    }

    func deleteEvents(
        _ filter: EventFilter = EventFilter(), changed: @escaping @Sendable () -> Void = {}
    ) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            deleteEvents(filter, changed: changed) { continuation.resume(returning: $0) }
        }.get()
    }

    func forgetEvents(since start: Timestamp) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            forgetEvents(since: start) { continuation.resume(returning: $0) }
        }.get()
    }

    func applyRules(_ rules: EventRules) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            applyRules(rules) { continuation.resume(returning: $0) }
        }.get()
    }

    func expireEvents(before start: Timestamp? = nil, maxBytes: UInt64? = nil) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            expireEvents(before: start, maxBytes: maxBytes) { continuation.resume(returning: $0) }
        }.get()
    }

    func page(
        _ filter: EventFilter = EventFilter(), limit: Int = 10_000, byteLimit: Int = 4 << 20,
        cursor: EventCursor? = nil, isBulk: Bool = false, cancellation: ReadCancellation? = nil
    ) async throws -> EventPage {
        try await withCheckedContinuation { continuation in
            events(
                filter, limit: limit, byteLimit: byteLimit, cursor: cursor, isBulk: isBulk, cancellation: cancellation
            ) { continuation.resume(returning: $0) }
        }.get()
    }

    /// All events that fit, newest first, by pages.
    func allEvents(_ filter: EventFilter = EventFilter(), limit: Int = 10_000) async throws -> [Event] {
        var page = try await page(filter, limit: limit)
        var events = page.events
        while let cursor = page.next {
            page = try await self.page(filter, limit: limit, cursor: try EventCursor(cursor.text))
            events += page.events
        }
        return events
    }

    func countEvents(_ filter: EventFilter = EventFilter()) async throws -> UInt64 {
        try await withCheckedContinuation { continuation in
            countEvents(filter) { continuation.resume(returning: $0) }
        }.get()
    }

    func oldestEvent() async throws -> Timestamp? {
        try await withCheckedContinuation { continuation in
            oldestEvent { continuation.resume(returning: $0) }
        }.get()
    }

    func setSettings(_ values: [String: String?]) async throws {
        try await withCheckedContinuation { continuation in
            setSettings(values) { continuation.resume(returning: $0) }
        }.get()
    }

    /// What is not right in the rollups and the tables beside the events.
    func findings() async throws -> [String] {
        try await submit { connection in
            try StoreAudit.findings(in: connection)
        }
    }
}

extension EventFilter {
    static func with(_ change: (inout EventFilter) throws -> Void) rethrows -> EventFilter {
        var filter = EventFilter()
        try change(&filter)
        return filter
    }
}
