// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Rollups of random events")
struct RollupPropertyTests {
    @Test(
        "answer every window as the events do, after every change", arguments: 1...3 as ClosedRange<UInt64>,
        [1, 3, 40] as [Int64])
    func windows(seed: UInt64, days: Int64) throws {
        let fixture = try RollupFixture()
        var generator = RollupGenerator(seed: seed, days: days)
        for _ in 0..<5 {
            for _ in 0..<generator.number(1...4) {
                try change(fixture, &generator)
            }
            #expect(try RollupAudit.findings(in: fixture.connection) == [])
            let model = fixture.model
            for _ in 0..<20 {
                let (start, end) = generator.window(model.spans)
                try compare(fixture, model, start, end, filter(&generator))
            }
        }
        // Nothing stays of events that went.
        let all = fixture.model.spans
        try fixture.change { change in
            for span in all {
                try change.remove(span)
            }
        }
        for projection in RollupProjection.allCases {
            #expect(try fixture.rowCount(projection) == 0)
        }
    }

    @Test("make series of any boundaries as the events do", arguments: 1...6 as ClosedRange<UInt64>)
    func series(seed: UInt64) throws {
        let fixture = try RollupFixture()
        var generator = RollupGenerator(seed: seed, days: 6)
        try fixture.add((0..<150).map { _ in generator.span(fixture) })
        let model = fixture.model
        let reader = RollupReader(fixture.connection)
        for _ in 0..<30 {
            let step = generator.pick(from: [RollupTier.quarter, .hour, .day])?.length ?? 1
            let start = generator.time() / step * step + (generator.isOne(in: 4) ? generator.number(0...step) : 0)
            var boundaries = [start]
            for _ in 0..<generator.number(0...30) {
                boundaries.append((boundaries.last ?? start) + step * generator.number(0...2))
            }
            let filter = filter(&generator)
            let context: Comment = "\(boundaries.map { $0 - RollupFixture.day }), filter \(filter)"
            let windows = Array(zip(boundaries, boundaries.dropFirst()))
            #expect(
                try reader.series(boundaries, by: .none, filter: filter)
                    == windows.map { model.tallies($0, $1, filter) { _ in 0 } }, context)
            #expect(
                try reader.series(boundaries, by: .type, filter: filter)
                    == windows.map { model.tallies($0, $1, filter, by: \.typeID) }, context)
            #expect(
                try reader.series(boundaries, by: .source, filter: filter)
                    == windows.map { model.tallies($0, $1, filter, by: \.sourceID) }, context)
        }
    }

    /// Adds, removes and replaces events in one savepoint.
    private func change(_ fixture: RollupFixture, _ generator: inout RollupGenerator) throws {
        try fixture.change { change in
            for _ in 0..<generator.number(1...30) {
                let present = generator.isOne(in: 3) ? generator.pick(from: fixture.model.spans) : nil
                guard let present else {
                    try change.add(generator.span(fixture))
                    continue
                }
                switch generator.number(0...3) {
                case 0:
                    try change.remove(present)
                case 1:
                    // As an open event is closed, and as a duration is corrected.
                    var new = present
                    new.duration = generator.duration(from: present.start)
                    try change.replace(present, with: new)
                case 2:
                    var new = present
                    new.typeID = generator.number(1...3)
                    try change.replace(present, with: new)
                default:
                    try change.replace(present, with: generator.span(fixture))
                }
            }
        }
    }

    private func filter(_ generator: inout RollupGenerator) -> RollupReader.Filter {
        RollupReader.Filter(
            types: generator.isOne(in: 2) ? nil : [generator.number(1...3), generator.number(1...3)],
            sources: generator.isOne(in: 2) ? nil : [generator.number(1...4)])
    }

    private func compare(
        _ fixture: RollupFixture, _ model: RollupModel, _ start: Int64, _ end: Int64, _ filter: RollupReader.Filter
    ) throws {
        let reader = RollupReader(fixture.connection)
        let context: Comment = "from \(start - RollupFixture.day) to \(end - RollupFixture.day), filter \(filter)"
        #expect(
            try reader.tallies(byTypeFrom: start, to: end, filter: filter)
                == model.tallies(start, end, filter, by: \.typeID), context)
        #expect(
            try reader.tallies(bySourceFrom: start, to: end, filter: filter)
                == model.tallies(start, end, filter, by: \.sourceID), context)
        #expect(
            try reader.tallies(byPairFrom: start, to: end, filter: filter)
                == model.tallies(start, end, filter) { .init(type: $0.typeID, source: $0.sourceID) }, context)
        #expect(
            try reader.total(from: start, to: end, filter: filter)
                == model.tallies(start, end, filter) { _ in 0 }[0] ?? .init(), context)
        #expect(try reader.sessionCounts(from: start, to: end) == model.sessionCounts(start, end), context)
        let gaps: [(Int64, Set<Int64>?)] = [
            (300 * RollupFixture.second, nil), (2 * RollupFixture.hour, nil), (1, [1, 3]),
        ]
        for (gap, sources) in gaps {
            let sessions = try reader.sessions(from: start, to: end, gap: gap, sources: sources, limit: .max)
            #expect(sessions == model.sessions(start, end, gap: gap, sources: sources), context)
        }
        #expect(
            try reader.sessionCounts(from: start, to: end, sources: [2])
                == model.sessionCounts(start, end).filter { $0.key == 2 }, context)
    }
}
