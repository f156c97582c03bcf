// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SentinelPersistence
import Testing

@testable import SentinelAnalytics

@Suite("A metric", .timeLimit(.minutes(5)))
struct MetricTests {
    private static let sql = """
        -- description: Counts events of a type
        -- parameter: type s
        -- parameter: factor d
        SELECT count(*) * :factor AS number FROM events WHERE type = :type -- that is all
        """

    private func file(_ path: String, _ sql: String) -> MetricCatalog.File {
        let name = path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? ""
        return MetricCatalog.File(path: path, name: name, contents: .success(Array(sql.utf8)))
    }

    @Test("is read from its file and runs")
    func good() async throws {
        let fixture = try QueryFixture()
        try await fixture.record("a.b", at: QueryFixture.day)
        let metric = try Metric(name: "count-events", parsing: Array(Self.sql.utf8))
        #expect(metric.description == "Counts events of a type")
        #expect(metric.parameters == [.init(name: "type", type: .text), .init(name: "factor", type: .double)])
        let rows = try await fixture.run(metric, ["type": .text("a.b"), "factor": .double(2.5)])
        #expect(rows == QueryRows(columns: ["number"], rows: [[.double(2.5)]]))
        let wrong: [[String: QueryValue]] = [
            [:], ["type": .text("a.b")], ["type": .integer(1), "factor": .double(1)],
            ["type": .text("a"), "factor": .integer(1)], ["type": .text("a"), "factor": .double(1), "x": .integer(1)],
        ]
        for parameters in wrong {
            let error = await #expect(throws: SentinelError.self) { try await fixture.run(metric, parameters) }
            #expect(error?.code == .invalidArgs)
        }
    }

    @Test(
        "is refused where it could not be run",
        arguments: [
            "", "-- description: nothing", "SELECT 1; SELECT 2", "DELETE FROM events", "SELECT * FROM settings",
            "SELECT :undeclared", "SELECT ?", "-- parameter: unused s\nSELECT 1", "-- parameter: a z\nSELECT :a",
            "-- parameter: a\nSELECT :a", "-- parameter: a s\n-- parameter: a s\nSELECT :a",
            "-- parameter: 1a s\nSELECT 1", "SELECT '\0'", "SELECT $a", "SELECT @a",
        ])
    func bad(sql: String) {
        let error = #expect(throws: SentinelError.self) { try Metric(name: "bad", parsing: Array(sql.utf8)) }
        #expect(error?.code == .invalidArgs)
    }

    @Test("is replaced, shadowed and removed with its files; a bad one changes nothing")
    func catalog() throws {
        let (strong, weak) = ("/strong/m.sql", "/weak/m.sql")
        var catalog = MetricCatalog([file(weak, "-- description: weak\nSELECT 1")], since: MetricCatalog())
        #expect(try catalog.metric("m").description == "weak")
        let both = { first in
            [self.file(strong, first), self.file(weak, "-- description: weak\nSELECT 1")]
        }
        catalog = MetricCatalog(both("-- description: bad\nSELECT"), since: catalog)
        #expect(try catalog.metric("m").description == "weak")
        #expect(catalog.problems.map(\.path) == [strong])
        catalog = MetricCatalog(both("-- description: strong\nSELECT 2"), since: catalog)
        #expect(try catalog.metric("m").description == "strong")
        #expect(catalog.problems.isEmpty)
        for _ in 0..<2 {
            catalog = MetricCatalog(both("nonsense"), since: catalog)
            #expect(try catalog.metric("m").description == "strong")
            #expect(catalog.problems.map(\.path) == [strong])
        }
        let unreadable = MetricCatalog.File(
            path: strong, name: "m", contents: .failure(SentinelError(.unavailable, "it cannot be read")))
        catalog = MetricCatalog([unreadable], since: catalog)
        #expect(try catalog.metric("m").description == "strong")
        catalog = MetricCatalog([file("/weak/other name.sql", "SELECT 1")], since: catalog)
        #expect(catalog.metrics.isEmpty)
        #expect(catalog.problems.count == 1)
        let error = #expect(throws: SentinelError.self) { try catalog.metric("m") }
        #expect(error?.code == .unknownMetric)
    }

    @Test("that comes with Sentinel is right and runs")
    func shipped() async throws {
        let fixture = try QueryFixture()
        try await fixture.record("a.b", at: QueryFixture.day, lasting: 4)
        try await fixture.record("a.c", at: QueryFixture.day + 5, lasting: 2)
        let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../dbus/share/sentinel/metrics").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        #expect(files.count >= 3)
        for file in files {
            let metric = try Metric(
                name: file.deletingPathExtension().lastPathComponent, parsing: Array(Data(contentsOf: file)))
            #expect(!metric.description.isEmpty)
            var values: [String: QueryValue] = [:]
            for parameter in metric.parameters {
                switch (parameter.name, parameter.type) {
                case ("start", _): values["start"] = .integer(QueryFixture.day)
                case ("end", _): values["end"] = .integer(QueryFixture.day + 86_400_000_000)
                case (let name, .integer): values[name] = .integer(1)
                case (let name, _): values[name] = .text("a.b")
                }
            }
            #expect(try await !fixture.run(metric, values).rows.isEmpty, "\(metric.name)")
        }
    }
}
