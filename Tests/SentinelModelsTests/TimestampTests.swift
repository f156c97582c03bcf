// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SentinelModels

@Suite("A timestamp")
struct TimestampTests {
    @Test("lies between 1972-02-01 and 2200-01-01, both included")
    func range() throws {
        let format = Date.ISO8601FormatStyle()
        let first = try Int64(format.parse("1972-02-01T00:00:00Z").timeIntervalSince1970) * 1_000_000
        let last = try Int64(format.parse("2200-01-01T00:00:00Z").timeIntervalSince1970) * 1_000_000
        #expect(try Timestamp(microseconds: first) == .earliest)
        #expect(try Timestamp(microseconds: last) == .latest)
        for outside in [first - 1, last + 1, 0, -1, .min, .max] {
            let error = #expect(throws: SentinelError.self) { try Timestamp(microseconds: outside) }
            #expect(error?.code == .invalidArgs)
        }
        #expect(Timestamp(clamping: .min) == .earliest)
        #expect(Timestamp(clamping: .max) == .latest)
    }

    @Test("is written in UTC with microseconds, and for files to the second")
    func text() throws {
        let time = try Timestamp(microseconds: 1_796_015_400_000_042)
        #expect(time.description == "2026-11-30T05:10:00.000042Z")
        #expect(time.fileNameComponent == "2026-11-30T05-10-00Z")
        #expect(Timestamp.earliest.description == "1972-02-01T00:00:00.000000Z")
    }

    @Test("of the system's clock is now")
    func system() {
        let difference = Double(WallClock.system.now().microseconds) / 1e6 - Date().timeIntervalSince1970
        #expect(abs(difference) < 5)
    }

    @Test("comes from the clock that was given")
    func injected() {
        let clock = WallClock { .earliest }
        #expect(clock.now() == .earliest)
    }
}
