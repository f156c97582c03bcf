// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport

@testable import SentinelPersistence

/// Random events and windows that meet borders of quarters, hours and days more often than chance would.
struct RollupGenerator {
    private var random: SeededGenerator

    /// Over how long events start.
    let days: Int64

    init(seed: UInt64, days: Int64) {
        random = SeededGenerator(seed: seed)
        self.days = days
    }

    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &random)
    }

    mutating func isOne(in count: Int64) -> Bool {
        number(1...count) == 1
    }

    mutating func pick<Element>(from elements: some Collection<Element>) -> Element? {
        elements.randomElement(using: &random)
    }

    /// A time: on a border, beside one, or anywhere.
    mutating func time(before: Int64 = 0, after: Int64 = 0) -> Int64 {
        let day = RollupFixture.day
        let range = (day - before * 24 * RollupFixture.hour)...(day + (days + after) * 24 * RollupFixture.hour)
        let time = number(range)
        let border = [RollupTier.quarter, .hour, .day][Int(number(0...2))].start(of: time)
        return switch number(0...4) {
        case 0: border
        case 1: border + (isOne(in: 2) ? 1 : -1)
        default: time
        }
    }

    /// A duration from `start` on: none, zero, to a border, short, or up to the longest.
    mutating func duration(from start: Int64) -> Int64? {
        switch number(0...9) {
        case 0: return nil
        case 1: return 0
        case 2:
            let length = pick(from: RollupTier.allCases)?.length ?? 1
            return isOne(in: 2) ? number(1...3) : number(1...3) * length
        case 3...5: return number(0...600) * RollupFixture.second
        case 6:
            let tier = pick(from: RollupTier.allCases) ?? .quarter
            let border = tier.firstStart(from: start + number(0...8) * tier.length)
            return min(max(0, border - start + number(-1...1)), Event.longestDuration)
        case 7: return number(0...(6 * RollupFixture.hour))
        case 8: return isOne(in: 2) ? number(0...(3 * 24 * RollupFixture.hour)) : number(0...RollupFixture.hour)
        default: return isOne(in: 4) ? Event.longestDuration - number(0...1) : number(0...RollupFixture.quarter)
        }
    }

    mutating func span(_ fixture: RollupFixture) -> EventSpan {
        let start = time()
        return fixture.span(start, duration(from: start), type: number(1...3), source: number(1...4))
    }

    /// A window of any kind: between two times, between what events do, or of a usual length.
    mutating func window(_ spans: [EventSpan]) -> (start: Int64, end: Int64) {
        var start = time(before: 2, after: 31)
        if isOne(in: 2), let span = pick(from: spans) {
            start = isOne(in: 2) ? span.start : span.end
            start += isOne(in: 2) ? number(-1...1) : number(-RollupFixture.quarter...RollupFixture.quarter)
        }
        switch number(0...5) {
        case 0: return (start, start + number(0...3))
        case 1:
            return (RollupTier.quarter.start(of: start), RollupTier.quarter.start(of: start) + 24 * RollupFixture.hour)
        case 2: return (start, start + number(0...RollupFixture.hour))
        case 3:
            guard let span = pick(from: spans) else { return (start, start) }
            let end = (isOne(in: 2) ? span.start : span.end) + number(-1...1)
            return (min(start, end), max(start, end))
        default:
            let end = time(before: 2, after: 31)
            return (min(start, end), max(start, end))
        }
    }
}
