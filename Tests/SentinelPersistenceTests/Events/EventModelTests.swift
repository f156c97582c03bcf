// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import SentinelModels
import TestSupport
import Testing

@testable import SentinelPersistence

/// Random changes of events, held against a plain model.
@Suite("Events under random changes", .timeLimit(.minutes(20)))
struct EventModelTests {
    /// What the store is to hold.
    private struct Model {
        var events: [EventID: Event] = [:]

        var list: [Event] { events.values.sorted { $0.timestamp > $1.timestamp } }

        mutating func remove(where isMeant: (Event) -> Bool) -> UInt64 {
            let before = events.count
            events = events.filter { !isMeant($0.value) }
            return UInt64(before - events.count)
        }
    }

    private static let isLong = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] == "1"

    @Test("are those of a model, with rollups, names and ids that fit them", arguments: 1...(isLong ? 100 : 4))
    func model(seed: Int) async throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: UInt64(seed))
        var store = fixture.open()
        var model = Model()
        for step in 0..<60 {
            try await change(store, &model, &random)
            if step % 20 == 19 {
                store.close()
                store = fixture.open()
            }
            #expect(store.eventCount == UInt64(model.events.count))
            if step % 5 == 4 {
                try await compare(store, model, &random)
            }
        }
        #expect(try await store.submit { try $0.quickCheck() } == [])
    }

    private func compare(_ store: Store, _ model: Model, _ random: inout SeededGenerator) async throws {
        let stored = try await store.allEvents(limit: Int.random(in: 1...500, using: &random))
        #expect(stored.map(\.timestamp) == model.list.map(\.timestamp))
        #expect(stored.reduce(into: [:]) { $0[$1.id] = $1 } == model.events)
        #expect(try await store.findings() == [])
        let filter = try filter(&random)
        let fitting = model.events.values.filter(EventMatcher(filter).matches)
        #expect(try await store.countEvents(filter) == UInt64(fitting.count))
        #expect(Set(try await store.allEvents(filter)) == Set(fitting))
    }

    private func change(_ store: Store, _ model: inout Model, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5:
            let events = try events(&random, known: model)
            try await store.record(events)
            for event in events { model.events[event.id] = event }
        case 5:
            let events = try events(&random, known: model)
            let (recorded, skipped) = try await store.importEvents(events)
            let before = model.events.count
            for event in events where model.events[event.id] == nil { model.events[event.id] = event }
            #expect((recorded, skipped) == (model.events.count - before, events.count - recorded))
        case 6:
            guard let open = model.events.values.filter({ $0.marks.contains(.open) }).randomElement(using: &random)
            else { return }
            let end = StoreFixture.time(Double.random(in: -200_000..<200_000, using: &random))
            let closing = try event(&random)
            try await store.closeEvent(open.id, at: end, with: closing)
            model.events[open.id]?.marks.remove(.open)
            model.events[open.id]?.duration = min(
                max(end.microseconds - open.timestamp.microseconds, 0), Event.longestDuration)
            model.events[closing.id] = closing
        case 7:
            let filter = try filter(&random)
            #expect(try await store.deleteEvents(filter) == model.remove(where: EventMatcher(filter).matches))
        case 8:
            let since = StoreFixture.time(Double.random(in: 50_000..<200_000, using: &random))
            let count = try await store.forgetEvents(since: since)
            #expect(
                count
                    == model.remove { event in
                        event.timestamp >= since || event.marks.contains(.open)
                            || event.timestamp.microseconds + (event.duration ?? 0) > since.microseconds
                    })
        case 9:
            let before = StoreFixture.time(Double.random(in: -200_000..<(-50_000), using: &random))
            #expect(try await store.expireEvents(before: before) == model.remove { $0.timestamp < before })
        case 10:
            let rules = EventRules([
                EventRule(.deny, .source, try GlobPattern("source.\(Int.random(in: 0..<8, using: &random))")),
                EventRule(.redact, .type, try GlobPattern("type.\(Int.random(in: 0..<5, using: &random))")),
            ])
            let old = model.events
            model.events = old.compactMapValues { rules.apply(to: $0) }
            let changed = old.count { model.events[$0.key] != $0.value }
            #expect(try await store.applyRules(rules) == UInt64(changed))
        default:
            let open = model.events.values.filter { $0.marks.contains(.open) }
            #expect(try await store.closeOpenEvents() == open.count)
            for event in open {
                // All was written at the time at which the fixture's clock stands.
                let end = StoreFixture.now.microseconds
                model.events[event.id]?.duration = min(
                    max(end - event.timestamp.microseconds, 0), Event.longestDuration)
                model.events[event.id]?.marks = event.marks.subtracting(.open).union(.interrupted)
            }
        }
    }

    private func events(_ random: inout SeededGenerator, known: Model) throws -> [Event] {
        try (0..<Int.random(in: 1...80, using: &random)).map { _ in
            var event = try event(&random)
            if Int.random(in: 0..<4, using: &random) == 0, let id = known.events.keys.randomElement(using: &random) {
                event = Event(
                    id: id,
                    timestamp: Bool.random(using: &random)
                        ? known.events[id]?.timestamp ?? event.timestamp
                        : event.timestamp, type: event.type, source: event.source, duration: event.duration,
                    marks: event.marks, data: event.data)
            }
            return event
        }
    }

    private func event(_ random: inout SeededGenerator) throws -> Event {
        let isOpen = Int.random(in: 0..<10, using: &random) == 0
        let durations: [Double?] = [
            nil, 0, .random(in: 0..<100, using: &random), 900, .random(in: 0..<200_000, using: &random),
            .random(in: 0...2_592_000, using: &random),
        ]
        let id: EventID? =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: StoreFixture.givenID(.random(in: 0..<100, using: &random))
            case 1: .make(at: StoreFixture.time(.random(in: -200_000..<200_000, using: &random)))
            default: nil
            }
        // Microseconds apart, so that the order of events of one time does not matter.
        return try StoreFixture.event(
            at: .random(in: -200_000..<200_000, using: &random), "type.\(Int.random(in: 0..<5, using: &random))",
            from: "source.\(Int.random(in: 0..<8, using: &random))",
            lasting: isOpen ? nil : durations.randomElement(using: &random) ?? nil, marks: isOpen ? [.open] : [],
            text: Bool.random(using: &random) ? "text \(Int.random(in: 0..<100, using: &random))" : nil, id: id)
    }

    private func filter(_ random: inout SeededGenerator) throws -> EventFilter {
        var filter = EventFilter()
        if Bool.random(using: &random) {
            filter.start = StoreFixture.time(.random(in: -200_000..<200_000, using: &random))
        }
        if Bool.random(using: &random) {
            filter.end = StoreFixture.time(.random(in: -200_000..<200_000, using: &random))
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: filter.type = try Name("type.\(Int.random(in: 0..<6, using: &random))")
        case 1: filter.source = try Name("source.\(Int.random(in: 0..<9, using: &random))")
        case 2:
            filter.typePrefix = "type."
            filter.source = try Name("source.1")
        case 3: filter.text = "TEXT 1"
        default: break
        }
        return filter
    }
}
