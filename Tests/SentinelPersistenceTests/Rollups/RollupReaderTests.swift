// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A reader of rollups")
struct RollupReaderTests {
    let fixture: RollupFixture
    let day = RollupFixture.day
    let hour = RollupFixture.hour
    let second = RollupFixture.second

    init() throws {
        fixture = try RollupFixture()
    }

    @Test("takes a window apart into the coarsest units that fit")
    func pieces() {
        let window = RollupWindow(from: day - hour / 4 - 1, to: day + 25 * hour + 7)
        #expect(
            window.pieces(coarsest: .day) == [
                .events(from: day - hour / 4 - 1, to: day - hour / 4), .units(.quarter, from: day - hour / 4, to: day),
                .units(.day, from: day, to: day + 24 * hour), .units(.hour, from: day + 24 * hour, to: day + 25 * hour),
                .events(from: day + 25 * hour, to: day + 25 * hour + 7),
            ])
        #expect(
            RollupWindow(from: day + 1, to: day + 5).pieces(coarsest: .day) == [.events(from: day + 1, to: day + 5)])
        #expect(RollupWindow(from: day, to: day).pieces(coarsest: .day).isEmpty)
        #expect(RollupWindow(from: day, to: .min).pieces(coarsest: .day).isEmpty)
    }

    @Test("answers windows that reach beyond all time, are empty, or end before they start")
    func extremes() throws {
        try fixture.add([fixture.span(day, 90 * second)])
        let reader = RollupReader(fixture.connection)
        #expect(try reader.total(from: .min, to: .max) == .init(count: 1, duration: Int128(90 * second)))
        #expect(try reader.sessionCounts(from: .min, to: .max) == [1: 1])
        #expect(try reader.sessions(from: .min, to: .max, gap: .max, limit: 9).count == 1)
        for (start, end) in [(day, day), (day + hour, day), (.max, .min)] {
            #expect(try reader.total(from: start, to: end) == .init())
            #expect(try reader.tallies(byTypeFrom: start, to: end) == [:])
            #expect(try reader.sessionCounts(from: start, to: end) == [:])
            #expect(try reader.sessions(from: start, to: end, gap: 1, limit: 9) == [])
        }
    }

    @Test("counts an event that fills units exactly once, wherever a window cuts it", arguments: RollupTier.allCases)
    func exactUnits(tier: RollupTier) throws {
        for number in 1...3 as ClosedRange<Int64> {
            let fixture = try RollupFixture()
            let span = fixture.span(day + tier.length, number * tier.length)
            try fixture.add([span])
            let reader = RollupReader(fixture.connection)
            let times = [span.start, span.end, span.start + tier.length].flatMap { [$0 - 1, $0, $0 + 1] }
            for start in times {
                for end in times where start < end {
                    #expect(
                        try reader.tallies(byTypeFrom: start, to: end)
                            == fixture.model.tallies(start, end, by: \.typeID), "from \(start - day) to \(end - day)")
                }
            }
        }
    }

    @Test("gives series with a window for each two boundaries, also an empty one")
    func series() throws {
        try fixture.add([fixture.span(day + hour / 2, hour, type: 3, source: 4), fixture.span(day, nil, type: 2)])
        let reader = RollupReader(fixture.connection)
        let boundaries = [day, day + hour, day + hour, day + 2 * hour, day + 3 * hour]
        let half = Int128(hour / 2)
        #expect(
            try reader.series(boundaries, by: .none) == [
                [0: .init(count: 2, duration: half)], [:], [0: .init(count: 0, duration: half)], [:],
            ])
        #expect(
            try reader.series(boundaries, by: .type) == [
                [2: .init(count: 1), 3: .init(count: 1, duration: half)], [:], [3: .init(duration: half)], [:],
            ])
        #expect(
            try reader.series(boundaries, by: .source, filter: .init(types: [3])) == [
                [4: .init(count: 1, duration: half)], [:], [4: .init(duration: half)], [:],
            ])
        #expect(try reader.series([day], by: .none) == [])
    }

    @Test("gives sessions page by page, whole where they reach out of the window")
    func pages() throws {
        let spans = (0..<10).flatMap { number in
            let start = day + Int64(number) * hour
            return [fixture.span(start, 60 * second), fixture.span(start + 30 * second, 60 * second, source: 2)]
        }
        // One that goes on from a month before the window until after it.
        let long = stride(from: -30, to: 40, by: 1).map {
            fixture.span(day + Int64($0) * 24 * hour, 24 * hour, source: 3)
        }
        try fixture.add(spans + long)
        let reader = RollupReader(fixture.connection)
        var pages: [[RollupReader.Session]] = []
        repeat {
            pages.append(
                try reader.sessions(
                    from: day, to: day + 10 * hour, gap: 300 * second, limit: 4, after: pages.last?.last?.position))
        } while pages.last != []
        #expect(pages.map(\.count) == [4, 4, 4, 4, 4, 1, 0])
        #expect(Array(pages.joined()) == fixture.model.sessions(day, day + 10 * hour))
        #expect(
            pages.joined().last
                == .init(source: 3, start: day - 720 * hour, end: day + 960 * hour, events: 70, busy: 1680 * hour))
    }

    @Test("sees what many sources and types hold that a filter names")
    func manyPairs() throws {
        try fixture.add(
            (0..<200).map { fixture.span(day + $0 * second, second, type: $0 % 20, source: $0 / 10) })
        let reader = RollupReader(fixture.connection)
        let filter = RollupReader.Filter(types: Set(0...14), sources: Set(3...18))
        #expect(
            try reader.tallies(bySourceFrom: day, to: day + hour, filter: filter)
                == fixture.model.tallies(day, day + hour, filter, by: \.sourceID))
    }

    @Test("finds the open events by their index")
    func open() throws {
        let spans = (0..<5).map { fixture.span(day + $0 * hour, nil) }
        try fixture.add(spans)
        try fixture.connection.run("UPDATE events SET marks = 1 WHERE key = ?", spans[3].key)
        let walk = try EventWalk(openIn: fixture.connection, newest: 10)
        #expect(try walk.next() == spans[3])
        #expect(try walk.next() == nil)
        let plan = try fixture.connection.prepare("EXPLAIN QUERY PLAN SELECT key FROM events WHERE marks & 1")
        #expect(try plan.step())
        #expect(try plan.column(3, as: String.self).hasSuffix("INDEX events_open"))
    }
}
