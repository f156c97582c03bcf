// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels
import Testing

@testable import SentinelPersistence

@Suite("A ledger of rollups")
struct RollupLedgerTests {
    let fixture: RollupFixture
    let day = RollupFixture.day
    let hour = RollupFixture.hour
    let quarter = RollupFixture.quarter
    let second = RollupFixture.second

    init() throws {
        fixture = try RollupFixture()
    }

    @Test("writes fewer than 100 rows a projection for the longest event, wherever it starts")
    func longest() throws {
        for start in [day, day + 1, day + hour - 1, day + quarter, day + hour + quarter + 1, day + 2 * quarter - 1] {
            let span = fixture.span(start, Event.longestDuration)
            try fixture.add([span])
            for projection in RollupProjection.allCases {
                let count = try fixture.rowCount(projection)
                #expect(count > 30 && count < 100, "\(projection) from \(start - day)")
            }
            let reader = RollupReader(fixture.connection)
            let total = try reader.total(from: start, to: start + Event.longestDuration)
            #expect(total == .init(count: 1, duration: Int128(Event.longestDuration)))
            try fixture.change { try $0.remove(span) }
        }
    }

    @Test("writes nothing where an event is replaced by one that counts the same")
    func same() throws {
        let span = fixture.span(day, 5 * second)
        try fixture.add([span])
        let changes = fixture.connection.totalChangeCount
        var ledger = RollupLedger()
        ledger.replace(span, with: span)
        #expect(ledger.isEmpty)
        ledger.remove(span)
        ledger.add(span)
        try ledger.flush(in: fixture.connection)
        #expect(fixture.connection.totalChangeCount == changes)
    }

    @Test("closes an open event without a look at the other events of its quarter")
    func closing() throws {
        let open = fixture.span(day + second, nil)
        try fixture.add([open, fixture.span(day + 2 * second, nil)])
        var closed = open
        closed.duration = 3 * hour
        var ledger = RollupLedger()
        ledger.remove(open)
        ledger.add(closed)
        #expect(ledger.takeAll().sources.values.allSatisfy { !$0.isStale })
        try fixture.change { try $0.replace(open, with: closed) }
        #expect(try RollupAudit.findings(in: fixture.connection) == [])
    }

    @Test("follows an event that goes and comes several times before it is written")
    func severalTimes() throws {
        let span = fixture.span(day + second, 2 * hour)
        var (longer, shorter, other) = (span, span, span)
        longer.duration = 5 * hour
        shorter.duration = second
        other.sourceID = 2
        for change in [
            [span, longer, span], [span, shorter, longer], [span, longer, shorter], [span, other, span],
            [span, shorter],
        ] {
            try fixture.change { ledger in
                for (old, new) in zip(change, change.dropFirst()) {
                    if fixture.spans[old.key] == nil { try ledger.add(old) }
                    try ledger.replace(old, with: new)
                }
            }
            #expect(try RollupAudit.findings(in: fixture.connection) == [], "\(change.map(\.duration))")
            try fixture.change { ledger in
                for span in fixture.model.spans { try ledger.remove(span) }
            }
        }
        for projection in RollupProjection.allCases {
            #expect(try fixture.rowCount(projection) == 0)
        }
    }

    @Test("is empty after it was written, and can be used again")
    func reuse() throws {
        var ledger = RollupLedger()
        ledger.add(fixture.span(day, 1))
        #expect(!ledger.isEmpty)
        try ledger.flush(in: fixture.connection)
        #expect(ledger.isEmpty)
        try ledger.flush(in: fixture.connection)
        #expect(
            try RollupReader(fixture.connection).total(from: day, to: day + quarter) == .init(count: 1, duration: 1))
    }

    @Test("makes runs that cannot be read anew from the events")
    func unreadable() throws {
        try fixture.add([fixture.span(day, 1), fixture.span(day + 400 * second, 1)])
        try fixture.connection.run("UPDATE source_rollups SET runs = x'8080'")
        #expect(throws: SQLiteError.self) {
            try RollupReader(fixture.connection).sessionCounts(from: day, to: day + hour)
        }
        try fixture.add([fixture.span(day + 401 * second, 1)])
        #expect(try RollupAudit.findings(in: fixture.connection) == [])
        #expect(try RollupReader(fixture.connection).sessionCounts(from: day, to: day + hour) == [1: 2])
    }

    @Test("adds up more time than 64 bits hold")
    func wide() throws {
        let days = Int64(30)
        for number in 0..<days {
            try fixture.connection.run(
                "INSERT INTO type_rollups VALUES (2, ?, 1, ?2, ?2, 0)", (day / quarter) + number * 96, Int64.max)
        }
        let total = try RollupReader(fixture.connection).total(from: day, to: day + days * 24 * hour)
        #expect(total.duration == Int128(Int64.max) * 30)
        #expect(total.count == .max, "which no count is, but what a damaged table adds up to")
    }
}
