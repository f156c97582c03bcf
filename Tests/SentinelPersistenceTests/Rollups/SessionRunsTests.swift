// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SentinelPersistence

@Suite("Runs of a session")
struct SessionRunsTests {
    let unit = RollupUnit(.quarter, start: RollupFixture.day)
    let second = RollupFixture.second

    @Test("join at the gap and part one microsecond later")
    func gap() {
        var runs = SessionRuns()
        runs.insert(.init(start: unit.start, end: unit.start + second))
        runs.insert(.init(start: unit.start + 301 * second, end: unit.start + 301 * second))
        #expect(runs.runs.count == 1)
        runs.insert(.init(start: unit.start + 601 * second + 1, end: unit.start + 602 * second))
        #expect(runs.runs.count == 2)
    }

    @Test("are at most three in a quarter")
    func three() {
        var runs = SessionRuns()
        for time in stride(from: Int64(0), to: 900 * second, by: Int64.Stride(second)) where time % 300_000_001 == 0 {
            runs.insert(.init(start: unit.start + time, end: unit.start + time))
        }
        for time in [Int64(0), 300_000_001, 600_000_002] {
            runs.insert(.init(start: unit.start + time, end: unit.start + time))
        }
        #expect(runs.runs.count == 3)
    }

    @Test("do not depend on the order in which they are folded", arguments: 1...50 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let events = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let start = unit.start + Int64.random(in: 0..<(12 * 900), using: &random) * second
            return SessionRuns.Run(start: start, end: start + Int64.random(in: 0...900, using: &random) * second)
        }
        func folded(_ events: [SessionRuns.Run]) -> SessionRuns {
            var runs = SessionRuns()
            for event in events { runs.insert(event) }
            return runs
        }
        let inOrder = folded(events.sorted { $0.start < $1.start })
        #expect(folded(events.shuffled(using: &random)) == inOrder)
        let (some, others) = (
            folded(Array(events.prefix(events.count / 2))), folded(Array(events.dropFirst(events.count / 2)))
        )
        var both = others
        both.insert(some)
        #expect(both == inOrder)
    }

    @Test("are read as they were stored")
    func stored() {
        var runs = SessionRuns()
        #expect(runs.encoded(in: unit).isEmpty)
        runs.insert(.init(start: unit.start, end: unit.start + 127))
        runs.insert(.init(start: unit.start + 400 * second, end: unit.start + 400 * second + 128))
        runs.insert(.init(start: unit.end - 1, end: unit.end + 30 * 24 * RollupFixture.hour))
        #expect(runs.runs.count == 3)
        #expect(SessionRuns(encoded: runs.encoded(in: unit), in: unit) == runs)
    }

    @Test(
        "are not read from what they cannot be",
        arguments: [
            [0x80], [0], [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0],
            [0, 0, 0, 0],  // a gap of nothing between two
            [0x80, 0xD2, 0x93, 0xAD, 0x03, 0],  // the start of the next quarter
        ] as [[UInt8]])
    func unreadable(bytes: [UInt8]) {
        #expect(SessionRuns(encoded: bytes, in: unit) == nil)
    }
}
