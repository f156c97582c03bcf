// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// What processes and files tell of applications.
    @Suite("Facts of applications", .serialized, .timeLimit(.minutes(5)))
    struct ApplicationFactTests {
        private static let entry = """
            [Desktop Entry]
            Type=Application
            Name=Editor
            Name[de]=Schreiber
            Name[pt_BR]=Editor de texto
            Icon=com.example.Editor
            Exec=editor %U
            Categories=Utility;TextEditor;
            """

        @Test("a process's facts are those that /proc and ps tell")
        func process() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess(
                "com.example.App", on: fixture.bus, arguments: ["--flag", "", "two words", "é"],
                environment: ["LANG": "fr_FR.UTF-8", "LC_MESSAGES": "de_AT.UTF-8"], removing: ["LC_ALL"])
            let application = fixture.client.application(at: child.path)
            try await waitUntil("the process has been read") { try await application.startTime() != 0 }
            #expect(try await application.processID() == UInt32(child.identifier))
            let root = "/proc/\(child.identifier)"
            #expect(
                try await application.executable()
                    == (try FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/exe")))
            let raw = try Data(contentsOf: URL(fileURLWithPath: "\(root)/cmdline"))
            let arguments = raw.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            #expect(try await application.commandLine() == arguments.map { String(decoding: $0, as: UTF8.self) })
            #expect(try await application.commandLine().suffix(4) == ["--flag", "", "two words", "é"])
            #expect(try await application.locale() == "de_AT.UTF-8")
            #expect(try await application.sandbox() == "none")

            let listed = try await Command.run(
                ["ps", "-o", "lstart=", "-p", "\(child.identifier)"], environment: ["TZ": "UTC", "LC_ALL": "C"])
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "UTC")
            formatter.dateFormat = "EEE MMM d HH:mm:ss yyyy"
            let words = listed.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let start = try #require(formatter.date(from: words))
            let told = try await application.startTime()
            #expect(abs(Double(told) / 1e6 - start.timeIntervalSince1970) < 2)

            let group = try String(contentsOfFile: "\(root)/cgroup", encoding: .utf8)
            let unit = try await application.unit()
            #expect(unit.isEmpty || group.contains(unit))
            #expect([".service", ".scope", ".slice"].contains { unit.hasSuffix($0) } || unit.isEmpty)
            try fixture.stop()
        }

        @Test("an application that does not run has no process, and its texts are in the session's locale")
        func stopped() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess(
                "com.example.App", on: fixture.bus, environment: ["LC_ALL": "fr_FR.UTF-8"])
            let application = fixture.client.application(at: child.path)
            try await waitUntil("the process has been read") { try await application.locale() == "fr_FR.UTF-8" }
            try child.end()
            try await waitUntil("the instance has ended") { try await !application.running() }
            #expect(try await application.processID() == 0)
            // Never another moment's process, whatever is being read.
            #expect(try await application.executable() == "")
            #expect(try await application.commandLine() == [])
            #expect(try await application.startTime() == 0)
            try await waitUntil("the session's locale") { try await application.locale() == "de_DE.UTF-8" }
            #expect(try await application.sandbox() == "")
            #expect(try await application.unit() == "")
            let screen = try await application.content()
            expectSound(screen)
            #expect(screen.map(\.id) == ["application", "found"])
            #expect(screen.value("running") == .boolean(false))
            try fixture.stop()
        }

        @Test("the desktop entry and translations are found by the id, and made known from the application's own path")
        func desktopEntry() async throws {
            let fixture = try await FactsFixture { tree, _ in
                try tree.write("home/applications/com.example.Editor.desktop", Self.entry)
                try tree.write("system/locale/nl/LC_MESSAGES/editor.mo", "")
                try tree.write("system/metainfo/com.example.Editor.metainfo.xml", Self.metainfo)
            }
            let changes = try await fixture.client.recordChanges(includesReadFacts: true)
            let path = try await fixture.client.register("com.example.Editor", ["name": .string("Mine")])
            try await waitUntil("the facts are made known") {
                try changes.signals.elements.contains { try PropertyChange($0).changed["DesktopEntry"] != nil }
            }
            let told = try changes.signals.elements.map { try PropertyChange($0) }
            #expect(try #require(told.first { $0.changed["DesktopEntry"] != nil }).path == path)
            for change in told {
                #expect(change.interface == "org.sentinel.Application1")
                #expect(change.changed["Executable"] == nil && change.changed["CommandLine"] == nil)
                #expect(change.changed["StartTime"] == nil && change.changed["ProcessId"] == nil)
            }
            let application = fixture.client.application(at: path)
            #expect(try await application.desktopEntry() == "com.example.Editor")
            #expect(try await application.localizations() == ["de", "nl", "pt_BR"])
            // What an instance says of itself stays what it says.
            #expect(try await application.name() == "Mine")

            let screen = try await application.content()
            expectSound(screen)
            #expect(screen.map(\.id) == ["application", "process", "found"])
            #expect(
                screen[0].items.map(\.id) == ["id", "name", "version", "build", "icon", "running", "instances"])
            #expect(screen.value("name") == .string("Mine"))
            #expect(screen.error("version") != nil)
            #expect(screen.value("desktop_entry.name") == .string("Schreiber"))
            #expect(screen.value("appstream.summary") == .string("Edit texts"))
            #expect(screen.value("localizations") == .string("de, nl, pt_BR"))
            #expect(
                screen["desktop_entry.name"]?.attributes["description"]
                    == .string(
                        "source: desktop entry \(fixture.tree.path("home/applications/com.example.Editor.desktop"))"))
            let found = screen[2].items.map(\.id)
            #expect(found == found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })

            let document = try JSON(try await fixture.client.sentinel.describe(options: [:]))
            let described = document["applications"]?.elements?.first { $0["id"] == "com.example.Editor" }
            #expect(described?["desktop_entry"] == "com.example.Editor")
            #expect(described?["localizations"] == ["de", "nl", "pt_BR"])
            #expect(described?["executable"]?.text == (try await application.executable()))
            #expect(described?["start_time"] == .number(Double(try await application.startTime())))
            #expect(described?["command_line"]?.elements?.isEmpty == false)
            #expect(document["device"]?["kernel"]?.text?.isEmpty == false)
            try fixture.stop()
        }

        private static let metainfo = """
            <component type="desktop-application"><id>com.example.Editor</id><name>Editor</name>
            <summary>Edit texts</summary></component>
            """

        @Test("an application of an earlier run has its entry as before, though nobody runs it")
        func restart() async throws {
            let data = try TemporaryDirectory()
            let first = try await FactsFixture(data: data.path) { tree, _ in
                try tree.write("home/applications/com.example.Editor.desktop", Self.entry)
            }
            let path = try await first.client.register("com.example.Editor")
            try first.stop()
            let second = try await FactsFixture(
                environment: ["XDG_DATA_HOME": first.tree.path("home")], data: data.path)
            let changes = try await second.client.recordChanges(includesReadFacts: true)
            let application = second.client.application(at: path)
            // Nobody waits: the first answer may be that nothing is known yet, and what is read is then made known.
            if try await application.desktopEntry() == "" {
                try await waitUntil("the entry is made known") {
                    try changes.signals.elements.contains { signal in
                        let change = try PropertyChange(signal)
                        return change.path == path && change.changed["DesktopEntry"] == .string("com.example.Editor")
                    }
                }
            }
            #expect(try await application.desktopEntry() == "com.example.Editor")
            #expect(try await application.localizations() == ["de", "pt_BR"])
            try second.stop()
        }

        @Test("of several instances the newest's process counts, and after its end the one before")
        func several() async throws {
            let fixture = try await FactsFixture()
            let older = try RegisteredProcess("com.example.App", on: fixture.bus, arguments: ["older"])
            let newer = try RegisteredProcess("com.example.App", on: fixture.bus, arguments: ["newer"])
            let application = fixture.client.application(at: older.path)
            try await waitUntil("the newer") { try await application.commandLine().last == "newer" }
            #expect(try await application.processID() == UInt32(newer.identifier))
            let screen = try await application.content()
            #expect(screen.value("process_id") == .int64(Int64(newer.identifier)))
            #expect(screen.value("instances") == .int64(2))
            try newer.end()
            try await waitUntil("the older") { try await application.commandLine().last == "older" }
            #expect(try await application.processID() == UInt32(older.identifier))
            try fixture.stop()
        }

        @Test("the service is an application too")
        func service() async throws {
            let fixture = try await FactsFixture()
            let own = fixture.client.application(at: "/org/sentinel")
            try await waitUntil("it has been read") { try await own.startTime() != 0 }
            #expect(try await own.processID() == UInt32(fixture.service.process.identifier))
            #expect(try await own.executable().hasSuffix("/sentineld"))
            #expect(try await own.commandLine().contains("--data-dir"))
            #expect(try await own.sandbox() == "none")
            #expect(try await own.locale() == "de_DE.UTF-8")
            let screen = try await own.content()
            expectSound(screen)
            #expect(screen.value("process_id") == .int64(Int64(fixture.service.process.identifier)))
            try fixture.stop()
        }
    }
}
