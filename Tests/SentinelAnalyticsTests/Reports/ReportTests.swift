// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelAnalytics

@Suite("Reports", .timeLimit(.minutes(5)))
struct ReportTests {
    /// Fails where tags are not balanced, and prints what there is of each element and all text.
    private static let reader = """
        import re, sys, xml.etree.ElementTree as tree
        from html.parser import HTMLParser
        page = open(sys.argv[1], encoding="utf-8").read()
        root = tree.fromstring(page.encode("utf-8"))
        class Reader(HTMLParser):
            names = []
            def handle_starttag(self, name, attributes): self.names.append(name)
        reader = Reader(convert_charrefs=True)
        reader.feed(page)
        # What a browser's parser finds is what stands there.
        assert sorted(reader.names) == sorted(element.tag for element in root.iter()), "other elements"
        print(" ".join(reader.names))
        print("\\n".join(element.text or "" for element in root.iter("h2")))
        for element in root.iter():
            for name in element.attrib:
                assert not name.startswith("on") and name not in ("src", "href", "style"), name
        print("\\n".join("".join(element.itertext()) for element in root.iter("bdi")))
        """

    private static func read(_ page: String) async throws -> [String] {
        let directory = try TemporaryDirectory()
        try Data(page.utf8).write(to: URL(fileURLWithPath: directory.path(of: "report.html")))
        let result = try await Command.run(["python3", "-c", reader, directory.path(of: "report.html")])
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    private static func filled() async throws -> ReportFixture {
        let fixture = try ReportFixture()
        let zone = try fixture.analytics.zones.zone(ReportFixture.zone)
        try await fixture.record(try ReportFixture.work(in: try fixture.window(days: 40), of: zone))
        return fixture
    }

    private static let names = [
        "<script>alert(\"1\")</script>", "a & b 'c' \"d\"", String(repeating: "&", count: 255), "]]>-->", "שלום.עולם",
        "👩‍👩‍👧‍👦 日本語", "e\u{301}\u{301}", "\u{FFFE}x",
    ]

    // MARK: HTML

    @Test("are a well-formed page with each section that refers to nothing", arguments: [1, 2, 30] as [Int64])
    func page(days: Int64) async throws {
        let fixture = try await Self.filled()
        let page = try await fixture.report(try fixture.window(days: days), as: .html)
        let lines = try await Self.read(page)
        let elements = lines[0].split(separator: " ")
        #expect(elements.count { $0 == "main" } == 1 && elements.count { $0 == "details" } == 6)
        #expect(elements.count { $0 == "table" } == 6 && elements.contains("svg") && !elements.contains("script"))
        let step = days == 30 ? "day" : "hour"
        #expect(
            Array(lines[1...7]) == [
                "At a glance", "Activity by \(step)", "By type", "By application", "Hours of the week", "Sessions",
                "Monday, 9 Mar and the week before",
            ])
        for reference in ["http", "src=", "href=", "url(", "@import"] {
            #expect(page.count(of: reference) == 0, "\(reference)")
        }
        #expect(page.utf8.count < 300_000)
    }

    @Test("show names as they are, however hostile")
    func hostileNames() async throws {
        let fixture = try ReportFixture()
        let (zone, window) = (try fixture.analytics.zones.zone(ReportFixture.zone), try fixture.window(days: 5))
        try await fixture.record(
            try ReportFixture.work(in: window, of: zone, types: Self.names, sources: Self.names))
        let lines = try await Self.read(try await fixture.report(window, as: .html))
        for name in Self.names.dropLast() {
            #expect(lines.contains(name))
        }
        // XML has no such character.
        #expect(lines.contains("\u{FFFD}x") && !lines[0].split(separator: " ").contains("script"))
    }

    @Test("stay small with many long names")
    func size() async throws {
        let fixture = try ReportFixture()
        let (zone, window) = (try fixture.analytics.zones.zone(ReportFixture.zone), try fixture.window(days: 100))
        let names = (0..<60).map { String(repeating: "&", count: 250) + String(10_000 + $0) }
        try await fixture.record(try ReportFixture.work(in: window, of: zone, types: names, sources: names))
        #expect(try await fixture.report(window, as: .html).utf8.count < 300_000)
    }

    // MARK: Text and JSON

    @Test("have lines of at most 80 columns without control characters as text", arguments: [false, true])
    func text(isHostile: Bool) async throws {
        let fixture = try ReportFixture()
        let (zone, window) = (try fixture.analytics.zones.zone(ReportFixture.zone), try fixture.window(days: 3))
        try await fixture.record(
            try ReportFixture.work(
                in: window, of: zone, types: isHostile ? Self.names : ReportFixture.types,
                sources: isHostile ? Self.names : ReportFixture.sources))
        let text = try await fixture.report(window, as: .text)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 && !$0.hasSuffix(" ") })
        #expect(lines.count > 60)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        let name = isHostile ? Self.names[0] : ReportFixture.types[0]
        #expect(lines.contains { $0.hasSuffix("  \(name)") })
    }

    @Test("measure wide characters, marks and cuts", arguments: [("日本", 4), ("e\u{301}", 1), ("a…", 2), ("🎉", 2)])
    func widths(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
        #expect(DisplayWidth.of(DisplayWidth.fit(text + text + text, 3)) == 3)
    }

    @Test("have the figures that the questions have")
    func figures() async throws {
        let fixture = try await Self.filled()
        let (analytics, window) = (fixture.analytics, try fixture.window(days: 30))
        let report = try JSON(try await fixture.report(window, as: .json))
        let summary = try await ReportFixture.wait { analytics.summary(of: window, completion: $0) }
        #expect(report["summary"]?["event_count"] == .number(Double(summary.total.count)))
        #expect(report["summary"]?["total_duration"] == .number(summary.total.seconds))
        #expect(report["summary"]?["session_count"] == .number(Double(summary.sessionCount ?? 0)))
        #expect(report["summary"]?["application_count"] == 12)
        for (name, amount) in summary.types {
            #expect(report["summary"]?["counts_by_type"]?[name.text] == .number(Double(amount.count)))
            #expect(report["summary"]?["durations_by_type"]?[name.text] == .number(amount.seconds))
        }
        let points = try await ReportFixture.wait {
            analytics.series(of: window, by: .day, in: ReportFixture.zone, groupedBy: nil, completion: $0)
        }
        #expect(
            report["series"]?["points"]?.elements?.map { $0["duration"] }
                == points.map { .number($0.amount.seconds) })
        let top = try await ReportFixture.wait {
            analytics.top(.source, of: window, limit: 100, completion: $0)
        }
        #expect(report["top"]?["source"]?.elements?.map { $0["name"]?.text } == top.map { $0.name.text })
        let heatmap = try await ReportFixture.wait {
            analytics.heatmap(of: window, in: ReportFixture.zone, completion: $0)
        }
        #expect(report["heatmap"] == .array(heatmap.map { .number(Double($0)) }))
        let sessions = try await ReportFixture.wait {
            analytics.sessions(of: window, gap: 300_000_000, limit: 50, completion: $0)
        }
        #expect(
            report["sessions"]?.elements?.map { $0["start"] }
                == sessions.sessions.map { .number(Double($0.start)) })
        let trend = try await ReportFixture.wait {
            analytics.trend(of: ReportFixture.day, in: ReportFixture.zone, days: 7, completion: $0)
        }
        #expect(report["trend"]?["day"]?.text == ReportFixture.day)
        #expect(report["trend"]?["mean_total_duration"] == .number(trend.meanSeconds))
        let page = try await fixture.report(window, as: .html)
        #expect(page.count(of: ">\(ReportFigures.count(summary.total.count))<") > 0)
        #expect(page.count(of: ">\(ReportFigures.duration(summary.total.seconds))<") > 0)
    }

    // MARK: Windows

    @Test("say that nothing was recorded", arguments: ReportFormat.allCases)
    func nothing(format: ReportFormat) async throws {
        let fixture = try ReportFixture()
        for window in [try fixture.window(), ReportFixture.now.microseconds..<ReportFixture.now.microseconds] {
            let report = try await fixture.report(window, as: format)
            switch format {
            case .html: #expect(try await Self.read(report)[1] == "Nothing was recorded")
            case .text: #expect(report.count(of: "\n\nNothing was recorded") == 1)
            case .json: #expect(try JSON(report)["summary"]?["event_count"] == 0)
            }
        }
    }

    @Test(
        "divide a long window by its events", arguments: [(40, "day"), (300, "week"), (1200, "month"), (9000, "year")])
    func steps(days: Int64, step: String) async throws {
        let fixture = try ReportFixture()
        let end = try fixture.window().upperBound
        try await fixture.record(
            try [end - days * 86_400_000_000, end - 1_000_000].map { time in
                Event(
                    id: .make(at: Timestamp(clamping: time)), timestamp: Timestamp(clamping: time),
                    type: try Name("a"), source: try Name("b"))
            })
        let all = Timestamp.earliest.microseconds..<Timestamp.latest.microseconds
        let report = try JSON(try await fixture.report(all, as: .json))
        #expect(report["series"]?["step"]?.text == step)
        let points = report["series"]?["points"]?.elements ?? []
        #expect((2...125).contains(points.count))
        #expect(points.first?["count"] == 1 && points.map { $0["count"] }.count { $0 == 1 } == 2)
    }

    @Test("refuse what is no zone")
    func zones() async throws {
        let fixture = try ReportFixture()
        let window = try fixture.window()
        let error = await #expect(throws: SentinelError.self) {
            try await fixture.report(window, as: .html, in: "Nowhere/At_All")
        }
        #expect(error?.code == .invalidArgs)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int {
        components(separatedBy: part).count - 1
    }
}
