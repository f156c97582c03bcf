// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence
import TestSupport

@testable import SentinelAnalytics

/// A store with made-up events, on whose days reports are made.
final class ReportFixture: Sendable {
    private let directory: TemporaryDirectory
    let store: Store
    let analytics: Analytics

    static let zone = "Europe/Berlin"
    /// Monday.
    static let day = "2026-03-09"
    /// On the morning after.
    static let now = Timestamp(clamping: 1_773_126_120_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        let clock = WallClock { Self.now }
        store = Store.open(location: .directory(directory.path(of: "data")), clock: clock)
        analytics = Analytics(store: store, zones: ZoneDatabase { "UTC" }, clock: clock)
    }

    static func wait<Answer: Sendable>(
        _ ask: (@escaping Analytics.Completion<Answer>) -> Void
    ) async throws -> Answer {
        try await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }.get()
    }

    func record(_ events: [Event]) async throws {
        var rest = events[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(500))
            _ = try await Self.wait { store.record(batch, completion: $0) }
            rest = rest.dropFirst(500)
        }
    }

    func report(_ window: Range<Int64>, as format: ReportFormat, in zone: String = zone) async throws -> String {
        try await Self.wait { analytics.report(of: window, as: format, in: zone, completion: $0) }
    }

    /// The window of so many days that end with a day.
    func window(to day: String = day, days: Int64 = 1) throws -> Range<Int64> {
        let (zone, day) = (try analytics.zones.zone(Self.zone), try CalendarDay(parsing: day))
        return zone.start(of: day.adding(days: 1 - days))..<zone.start(of: day.adding(days: 1))
    }

    // MARK: Events

    static let types = [
        "window.focus", "browser.page", "editor.file", "meeting", "mail.read", "build", "terminal.command",
        "notification",
    ]

    static let sources = [
        "org.mozilla.firefox", "org.gnome.TextEditor", "org.gnome.Evolution", "com.example.Meetings",
        "org.gnome.Terminal", "org.gnome.Builder", "org.libreoffice.LibreOffice.Writer", "org.gnome.Nautilus",
        "org.gnome.Calendar", "com.example.Music", "org.inkscape.Inkscape", "org.kde.krita",
    ]

    /// What somebody does at work on the days of a window.
    static func work(
        in window: Range<Int64>, of zone: Zone, types: [String] = types, sources: [String] = sources
    ) throws -> [Event] {
        var random = SeededGenerator(seed: 7)
        var events: [Event] = []
        var day = zone.day(at: window.lowerBound)
        while zone.start(of: day) < window.upperBound {
            defer { day = day.adding(days: 1) }
            let isWorking = day.weekday < 5
            let hours = isWorking ? [8, 9, 9, 10, 10, 11, 11, 13, 14, 14, 15, 16, 17, 20] : [11, 19]
            for hour in hours {
                for _ in 0..<Int.random(in: 3...9, using: &random) {
                    let second = hour * 3600 + Int.random(in: 0..<3600, using: &random)
                    let time = Timestamp(clamping: zone.start(of: day) + Int64(second) * 1_000_000)
                    // The first ones are the most common.
                    let type = Int.random(in: 0..<types.count, using: &random) * Int.random(in: 0...2, using: &random)
                    let source =
                        Int.random(in: 0..<sources.count, using: &random) * Int.random(in: 0...2, using: &random)
                    events.append(
                        Event(
                            id: .make(at: time, using: &random), timestamp: time,
                            type: try Name(types[type / 2 % types.count]),
                            source: try Name(sources[source / 2 % sources.count]),
                            duration: type % 8 == 7 ? nil : Int64.random(in: 20...1500, using: &random) * 1_000_000))
                }
            }
        }
        return events
    }
}
