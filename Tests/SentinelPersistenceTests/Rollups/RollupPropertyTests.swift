// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("Rollups of random events")
struct RollupPropertyTests {
    @Test(
        "answer every window as the events do, after every change", arguments: 1...12 as ClosedRange<UInt64>,
        [1, 3, 40] as [Int64])
    func windows(seed: UInt64, days: Int64) throws {
        let fixture = try RollupFixture()
        var generator = RollupGenerator(seed: seed, days: days)
        for _ in 0..<8 {
            for _ in 0..<generator.number(1...4) {
                try change(fixture, &generator)
            }
            #expect(try RollupAudit.findings(in: fixture.connection) == [])
            let model = fixture.model
            for _ in 0..<40 {
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
        #expect(
            try reader.sessionCounts(from: start, to: end, sources: [2])
                == model.sessionCounts(start, end).filter { $0.key == 2 }, context)
    }
}
