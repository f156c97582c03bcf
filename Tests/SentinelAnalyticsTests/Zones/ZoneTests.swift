// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SentinelAnalytics

@Suite("Time zones", .timeLimit(.minutes(5)))
struct ZoneTests {
    static let names = [
        "Africa/Cairo", "Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Apia", "Asia/Kathmandu", "America/New_York",
        "UTC", "Europe/Berlin", "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Chatham", "Asia/Tehran",
        "Europe/Dublin", "Etc/GMT+12", "Pacific/Kiritimati",
    ]

    private static let database = ZoneDatabase { nil }

    /// Prints for each time the offset and the local date, then for each day when the dates from it on begin.
    private static let reference = """
        import sys
        from datetime import datetime, timedelta, timezone, date
        from zoneinfo import ZoneInfo
        zone = ZoneInfo(sys.argv[1])
        for text in sys.argv[2].split():
            local = datetime.fromtimestamp(int(text), zone)
            print(int(local.utcoffset().total_seconds()), local.date())
        for text in sys.argv[3].split():
            day = date.fromisoformat(text)
            # The first five minutes at which clocks show that day or a later one.
            second = int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()) - 86400
            while datetime.fromtimestamp(second, zone).date() < day:
                second += 300
            print(second)
        """

    @Test("show what another implementation shows", arguments: names)
    func reference(name: String) async throws {
        let zone = try Self.database.zone(name)
        var random = SeededGenerator(seed: 5)
        let range = Timestamp.earliest.microseconds / 1_000_000...Timestamp.latest.microseconds / 1_000_000
        var times = (0..<600).map { _ in Int64.random(in: range, using: &random) }
        // Around each change of two decades, and in years that only the rule of the file's end tells.
        for year: Int64 in [1995, 2008, 2011, 2023, 2026, 2040, 2150] {
            let start = try #require(CalendarDay(year: year, month: 1, day: 1)).daysSinceEpoch * 86_400
            for stretch in zone.stretches(from: start * 1_000_000, to: (start + 366 * 86_400) * 1_000_000) {
                let second = stretch.start / 1_000_000
                times += [second - 1, second, second + 1]
            }
        }
        let days = times.map { zone.day(at: $0 * 1_000_000) }.filter(CalendarDay.range.contains)
        let sample = Array(Set(days.flatMap { [$0, $0.adding(days: 1)] }).sorted().prefix(2000))
        let result = try await Command.run([
            "/usr/bin/python3", "-I", "-c", Self.reference, name, times.map(String.init).joined(separator: " "),
            sample.map(\.description).joined(separator: " "),
        ])
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == times.count + sample.count)
        for (time, line) in zip(times, lines) {
            #expect("\(zone.offset(at: time * 1_000_000)) \(zone.day(at: time * 1_000_000))" == line, "at \(time)")
        }
        for (day, line) in zip(sample, lines.dropFirst(times.count)) {
            #expect(String(zone.start(of: day) / 1_000_000) == line, "\(day)")
        }
    }

    static let oddDays: [(zone: String, day: String, minutes: Int64)] = [
        ("Africa/Cairo", "2024-04-26", 1380), ("Africa/Cairo", "2024-10-31", 1500),
        ("Australia/Lord_Howe", "2026-04-05", 1470), ("Antarctica/Troll", "2026-03-29", 1320),
        ("Pacific/Apia", "2011-12-30", 0), ("America/New_York", "2026-03-08", 1380), ("UTC", "2026-03-29", 1440),
        ("Asia/Kathmandu", "1986-01-01", 1425),
    ]

    @Test("have days as long as their clocks say", arguments: oddDays)
    func length(odd: (zone: String, day: String, minutes: Int64)) throws {
        let zone = try Self.database.zone(odd.zone)
        let day = try CalendarDay(parsing: odd.day)
        #expect((zone.start(of: day.adding(days: 1)) - zone.start(of: day)) / 60_000_000 == odd.minutes)
    }

    @Test(
        "are found by names of the database alone",
        arguments: [
            "Nowhere/Land", "../passwd", "Europe/../UTC", "/etc/localtime", "Europe", "a\u{0}b", "x y",
        ])
    func unknown(name: String) {
        let error = #expect(throws: SentinelError.self) { try Self.database.zone(name) }
        #expect(error?.code == .invalidArgs)
    }

    @Test("are UTC and the machine's where there is no database")
    func withoutDatabase() throws {
        let database = ZoneDatabase(directory: "/nowhere", localFile: "/nowhere/localtime") { "Europe/Berlin" }
        #expect(try database.zone("UTC").name == "UTC")
        #expect(try database.zone("").name == "UTC")
        let error = #expect(throws: SentinelError.self) { try database.zone("Europe/Berlin") }
        #expect(error?.code == .invalidArgs)
    }

    @Test("say that a file is damaged")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let source = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        let database = ZoneDatabase(directory: directory.path) { nil }
        for cut in stride(from: 0, to: source.count - 1, by: 7) {
            try Data(source[..<cut]).write(to: URL(fileURLWithPath: directory.path(of: "Cut")))
            let error = #expect(throws: SentinelError.self, "\(cut)") { try database.zone("Cut") }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("end reading whatever stands in a file")
    func nonsense() throws {
        let source = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        var random = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            var bytes = source
            for _ in 0..<4 {
                bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let rules: ZoneRules
            do throws(SentinelError) {
                rules = try ZoneFile.rules(in: bytes)
            } catch {
                #expect(error.code == .unavailable)
                continue
            }
            let zone = Zone(name: "Damaged", rules: rules)
            for time: Int64 in [0, 1_700_000_000_000_000, 7_000_000_000_000_000] {
                let day = zone.day(at: time)
                #expect(zone.start(of: day) <= zone.start(of: day.adding(days: 1)))
                #expect(zone.nextChange(after: time).map { $0 > time } ?? true)
            }
        }
    }
}
