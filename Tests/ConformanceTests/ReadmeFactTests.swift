// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import SentinelService

extension ConformanceTests {
    /// What the README says of the project, beside its commands.
    @Suite("Facts of the README")
    struct ReadmeFactTests {
        private let readme: String

        init() throws {
            readme = try ConformanceTests.text(of: "README.md")
        }

        /// The cells of the rows of all tables, without those of heads and rules.
        private var rows: [[String]] {
            let lines = readme.components(separatedBy: "\n")
            return zip(lines, lines.dropFirst() + [""]).filter { line, next in
                line.hasPrefix("| ") && !next.hasPrefix("|---")
            }.map { line, _ in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }

        @Test("the table of interfaces has each of them, with the state that it is in")
        func interfaces() throws {
            let documented = try IntrospectionDocument.documented()
            let links = rows.filter { $0[0].contains("](Introspection/") }
            #expect(Set(links.map { Self.code(in: $0[0]) }) == Set(documented.keys))
            #expect(links.count == documented.count)
            for row in links {
                let interface = try #require(documented[Self.code(in: row[0])])
                #expect(row[0] == "[`\(interface.name)`](Introspection/\(interface.name).xml)")
                let state = row[3].split(separator: ":")[0]
                #expect(state == ImplementedMembers.extent(of: interface).rawValue, "\(interface.name)")
            }
        }

        @Test("the table of triggers has each kind, with the options that it has")
        func triggers() throws {
            let start = try #require(readme.components(separatedBy: "\n### Triggers\n").dropFirst().first)
            let section = try #require(start.components(separatedBy: "\n### ").first)
            let table = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map {
                $0.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            #expect(table.map { Self.code(in: $0[1]) } == TriggerCause.Kind.allCases.map(\.rawValue))
            for (row, kind) in zip(table, TriggerCause.Kind.allCases) {
                for option in TriggerCause.Kind.allCases.flatMap(\.optionNames) {
                    #expect(row[2].contains("`\(option)`") == kind.optionNames.contains(option), "\(kind) \(option)")
                }
            }
        }

        @Test("its links lead to files of the project")
        func links() {
            let links = readme.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }.filter { !$0.hasPrefix("https://") }
            #expect(links.count > 10)
            for link in links {
                #expect(
                    FileManager.default.fileExists(
                        atPath: ConformanceTests.package.appendingPathComponent(link).path), "\(link)")
            }
        }

        @Test("the layout has every directory of the sources")
        func layout() throws {
            let sources = try FileManager.default.contentsOfDirectory(
                atPath: ConformanceTests.package.appendingPathComponent("Sources").path)
            let named = rows.flatMap { $0[0].matches(of: /`Sources\/([A-Za-z]+)`/).map { String($0.1) } }
            #expect(named.sorted() == sources.sorted())
        }

        @Test("each variable that it names is read by what it says")
        func variables() throws {
            let readers = ["`sentineld`": "Sources", "`dbus/run`": "dbus/run", "`Package.swift`": "Package.swift"]
            let variables = rows.filter { readers.keys.contains($0[1]) }
            #expect(variables.count == 12)
            for row in variables {
                let reader = try #require(readers[row[1]])
                let path = ConformanceTests.package.appendingPathComponent(reader)
                let files =
                    reader == "Sources"
                    ? FileManager.default.enumerator(at: path, includingPropertiesForKeys: nil)?
                        .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? [] : [path]
                let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
                for name in row[0].matches(of: /`([^`]+)`/).map({ String($0.1) }) {
                    let reading = reader == "Sources" ? "\"\(name)\"" : name
                    #expect(texts.contains { $0.contains(reading) }, "\(name)")
                }
            }
        }

        @Test("the table of limits has each of them, with its standard and its range")
        func limits() throws {
            func text(_ number: Int) -> String {
                let digits = Array(String(number))
                return String(
                    digits.indices.flatMap { index in
                        index > 0 && (digits.count - index).isMultiple(of: 3) ? [" ", digits[index]] : [digits[index]]
                    })
            }
            let start = try #require(readme.components(separatedBy: "\n### Limits\n").dropFirst().first)
            let section = try #require(start.components(separatedBy: "\n## ").first)
            let lines = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            let wanted = ServiceLimits.all.map { limit in
                "| `\(limit.name)` | \(limit.meaning) | \(text(limit.standard)) | "
                    + "\(text(limit.range.lowerBound))–\(text(limit.range.upperBound)) |"
            }
            #expect(lines == wanted)
        }

        @Test("the newest change is that of the version of the service")
        func version() async throws {
            let result = try await Command.run([BuiltProducts.path(of: "sentineld"), "--version"])
            let heading = readme.firstMatch(of: /## Changes\n\n### ([0-9.]+)\n/).map { String($0.1) }
            #expect("sentineld \(heading ?? "")\n" == result.output)
        }

        @Test("it is readable as it is: no line of text is longer than 120 characters")
        func lines() throws {
            let transcripts = try ReadmeBlocks(readme).all.filter { $0.kind == "console" }
            let shown = Set(transcripts.flatMap { $0.text.components(separatedBy: "\n") })
            let long = readme.components(separatedBy: "\n").filter { $0.count > 120 && !$0.hasPrefix("|") }
            #expect(Set(long).subtracting(shown) == [])
        }

        /// The first text between backquotes.
        private static func code(in text: String) -> String {
            text.firstMatch(of: /`([^`]+)`/).map { String($0.1) } ?? ""
        }
    }
}
