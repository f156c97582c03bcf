// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ConformanceTests {
    /// `dbus/run`, the first thing that people try. It builds the release form, which takes its time at first.
    @Suite("dbus/run", .timeLimit(.minutes(15)))
    struct RunScriptTests {
        private let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
        }

        /// Runs the script as somebody without a session bus does, or on the bus at an address.
        private func run(
            _ arguments: String..., bus: String? = nil
        ) async throws -> Command.Result {
            let scratch =
                ProcessInfo.processInfo.environment["SENTINEL_RUN_SCRATCH"]
                ?? BuiltProducts.path(of: "run-script-scratch")
            let own = [
                "SENTINEL_RUN_SCRATCH": scratch, "TMPDIR": directory.path, "XDG_DATA_HOME": directory.path(of: "home"),
                "LC_ALL": "C.UTF-8",
            ]
            return try await Command.run(
                [ConformanceTests.package.appendingPathComponent("dbus/run").path] + arguments,
                environment: own.merging(bus.map { ["DBUS_SESSION_BUS_ADDRESS": $0] } ?? [:]) { $1 },
                removing: ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "SENTINEL_WARNINGS_AS_ERRORS"],
                directory: "/", timeout: .seconds(840))
        }

        /// The tour from the line that tells that it starts, without what the build prints.
        private static func tour(_ output: String, from start: String) throws -> String {
            guard let range = output.range(of: start) else { throw TestSupportError("no \(start) in: \(output)") }
            return String(output[range.lowerBound...])
        }

        /// The processes that have the directory of the test in their command line.
        private func leftovers() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
                guard Int(entry) != nil, let line = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline")
                else { return false }
                return String(decoding: line, as: UTF8.self).contains(directory.path)
            }
        }

        /// What the script has left; the build leaves temporary files of its own.
        private func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .filter { $0.hasPrefix("sentinel") }
        }

        private static let steps = """
            # Which version answers, and is it well?
            $ busctl --user get-property org.sentinel /org/sentinel org.sentinel.Sentinel1 Version Health
            s "…"
            s "ok"

            # An application makes itself known: its id, and what it says of itself.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 \\
                  Register 'sa{sv}' com.example.Demo 2 name s Demo version s 1.0
            o "/org/sentinel/apps/com_2eexample_2eDemo"

            # Every application has an object of its own …
            $ busctl --user tree org.sentinel
            └─/org
              ├─/org/freedesktop
              │ └─/org/freedesktop/LogControl1
              └─/org/sentinel
                └─/org/sentinel/apps
                  └─/org/sentinel/apps/com_2eexample_2eDemo

            # … whose facts are properties. (busctl has left the bus: Demo runs no more, but is remembered.)
            $ busctl --user get-property org.sentinel /org/sentinel/apps/com_2eexample_2eDemo \\
                  org.sentinel.Application1 Name Version Running
            s "Demo"
            s "1.0"
            b false

            # Facts of the machine are properties too. (A battery that is not there has a charge of -1.)
            $ busctl --user get-property org.sentinel /org/sentinel org.sentinel.Device1 \\
                  Name SystemVersion BatteryState BatteryLevel
            s "…"
            s "…"
            s "…"
            d …

            # What does an application cost? Here Sentinel itself, which is one too.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Performance1 Sample \\
                  | sed 's/ "/\\n  "/g'
            a{sv} …
            …
              "cpu_percent" d …
            …
              "memory_bytes" t …
            …

            # Any process can be inspected, such as this shell.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 Inspect u … \\
                  | sed 's/\\( 0\\)\\? "[a-z_]*" "[ip][a-z]*" /\\n  /g; s/ 0 "/\\n"/g; s/ 1 "unit" s / /g'
            a(ssa(sssva{sv})a{sv}) … "process" "Process" …
              "Process id" x …
              "Process name" s "run"
            …
            "process_performance" "Performance" …
              "Processor time, of one core" d … "%"
              "Memory (proportional set size)" x … "bytes"
            …

            # What happens is an event. It is on disk when the answer comes, which is its id.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Events1 \\
                  Record 'ssa{sv}' build.run com.example.Demo 1 duration d 12.5
            s "…"

            # Events are found by what they are and when they were …
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Events1 \\
                  Query 'a{sv}us' 1 type s build.run 10 ''
            a(sxssda{sv})s 1 "…" … "build.run" "com.example.Demo" 12.5 0 ""

            # … are told of by day, without looking at each …
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Analytics1 \\
                  DailySummary ss '' ''
            a{sv} 10 "application_count" t 1 "counts_by_type" a{st} 3 "app.exit" 1 "app.launch" 1 "build.run" 1 "day" …

            # … or in a report: a page with charts, JSON, or text such as this.
            $ busctl --user --json=short call org.sentinel /org/sentinel org.sentinel.Analytics1 \\
                  ReportText 'sxxa{sv}' text … … 0 \\
                  | sed 's/^{"type":"s","data":\\["//; s/"\\]}$//; s/\\\\n/\\n/g; s/\\\\"/"/g'
            …

            # … and what is deleted is gone from all files. (Launch and exit of Demo were captured as well.)
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Events1 \\
                  Delete 'a{sv}' 1 source s com.example.Demo
            t 3

            # The application says which preferences it has, with what they may be …
            $ busctl --user call org.sentinel /org/sentinel/apps/com_2eexample_2eDemo org.sentinel.Preferences1 \\
                  Declare 'a(ssva{sv})' 1 volume Volume i 5 2 min i 0 max i 10

            # … and anybody sets them. The answer is the value in force, and comes when it is on disk.
            $ busctl --user call org.sentinel /org/sentinel/apps/com_2eexample_2eDemo org.sentinel.Preferences1 \\
                  Set sv volume i 7
            v x 7

            # What does not fit is refused with what would.
            $ busctl --user call org.sentinel /org/sentinel/apps/com_2eexample_2eDemo org.sentinel.Preferences1 \\
                  Set sv volume i 11
            Call failed: preference volume: the value is more than 10; expected an integer from 0 to 10

            # For a minute only, which ends by itself …
            $ busctl --user call org.sentinel /org/sentinel/apps/com_2eexample_2eDemo org.sentinel.Preferences1 \\
                  SetFor svd volume i 0 60

            # … and where the value comes from, the strongest layer first.
            $ busctl --user call org.sentinel /org/sentinel/apps/com_2eexample_2eDemo org.sentinel.Preferences1 \\
                  Explain s volume
            a(sva{sv}) 3 "temporary" x 0 … "stored" x 7 … "default" x 5 …

            # What fires the debug menu of the application? A signal that anybody sends, for instance: here of a door …
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 \\
                  AddTrigger 'ssa{sv}' com.example.Demo signal 2 interface s com.example.Door member s Opened
            s "signal-…"

            # … which opens.
            $ busctl --user emit /door com.example.Door Opened

            # One signal fires for every application. (It dismisses again what the first one has presented.)
            $ busctl --user emit / org.sentinel.Notification Trigger s com.example.Demo

            # How often has each fired?
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 ListTriggers \\
                  | sed 's/ "[^"]*" "[^"]*" "[^"]*" [0-9]* "available"/\\n &/g'
            a(sssa{sv}) 3
              "notification" "org.sentinel" "notification" 4 "available" b true "fired" t 1 …
              "method" "org.sentinel" "method" 4 "available" b true "fired" t 0 …
              "signal-…" "com.example.Demo" "signal" 6 "available" b true "fired" t 1 …

            # What presents it is a panel, else a notification. Where there is neither, it is said what to do.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 \\
                  Show 'sa{sv}' com.example.Demo 0
            Call failed: there is nothing to present com.example.Demo with: …, or call Show with the option presenter

            # A mistake is answered with what is wrong and what is allowed.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 \\
                  Register 'sa{sv}' nonsense 0
            Call failed: the application id is not valid: …, as in 'com.example.App'

            # Everything that is known, as JSON (sed takes off the quoting of busctl).
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 Describe 'a{sv}' 0 \\
                  | sed 's/^s "//; s/\\\\n"$//; s/\\\\n/\\n/g; s/\\\\"/"/g'
            {
              "service": {
                "name": "org.sentinel",
            …
                  "id": "com.example.Demo",
                  "name": "Demo",
            …
            }

            # The demo is forgotten again.
            $ busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 \\
                  Forget 'sa{sv}' com.example.Demo 0

            """

        @Test("the tour shows each step with its answer, ends what it started, and leaves nothing")
        func tour() async throws {
            let result = try await run()
            #expect(result.status == 0, "\(result.output)\n\(result.errors)")
            #expect(!result.output.contains("error:") && !result.errors.contains("error:"))
            #expect(result.output.hasPrefix("\nBuilding sentineld (the first time this takes some minutes) …\n"))
            let tour = try Self.tour(result.output, from: "There is no session bus here")
            let expected = Transcript(
                """
                There is no session bus here: started a private one.

                Started sentineld …, which answers as org.sentinel.

                \(Self.steps)
                That was the tour. Sentinel has ended; dbus/run --stay leaves it running. README.md goes on.
                """)
            #expect(expected.difference(from: tour) == nil)
            #expect(try files() == [])
            #expect(try leftovers() == [])
        }

        @Test("what stays is reached as the script says, and ends as it says")
        func stay() async throws {
            let result = try await run("--stay")
            #expect(result.status == 0, "\(result.output)\n\(result.errors)")
            let last = try Self.tour(result.output, from: "Sentinel stays.")
            let expected = Transcript(
                """
                Sentinel stays. Reach it from another shell with:
                  export DBUS_SESSION_BUS_ADDRESS='unix:path=\(directory.path)/…/bus'
                  busctl --user introspect org.sentinel /org/sentinel
                Its log:
                  cat '\(directory.path)/…/sentineld.log'
                End it with:
                  kill …; tail --pid=… -f /dev/null; rm -r '\(directory.path)/…'
                """)
            #expect(expected.difference(from: last) == nil)
            let commands = last.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
            let reached = try await Command.run(
                ["sh", "-c", commands.dropLast().joined(separator: "\n")],
                removing: ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])
            #expect(reached.status == 0, "\(reached.errors)")
            #expect(reached.output.contains(".Register "))
            #expect(reached.output.contains("answering as org.sentinel"))
            #expect(try leftovers().count == 2, "the bus and the service")

            let ended = try await Command.run(["sh", "-c", commands.last ?? "false"])
            #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
            try await waitUntil("both have ended") { try leftovers().isEmpty }
            #expect(try files() == [])
        }

        @Test("on a session bus the service is started there, with the user's own data, and ended")
        func sessionBus() async throws {
            let bus = try PrivateBus()
            let result = try await run(bus: bus.address)
            #expect(result.status == 0, "\(result.output)\n\(result.errors)")
            let tour = try Self.tour(result.output, from: "Started sentineld")
            #expect(!result.output.contains("private"))
            let expected = Transcript(
                """
                Started sentineld …, which answers as org.sentinel.

                \(Self.steps)
                That was the tour. Sentinel has ended; dbus/run --stay leaves it running. README.md goes on.
                """)
            #expect(expected.difference(from: tour) == nil)
            #expect(try files() == [])
            #expect(FileManager.default.fileExists(atPath: directory.path(of: "home/sentinel/sentinel.db")))
            let list = try await Command.run(["busctl", "--user", "list"], environment: bus.environment)
            #expect(!list.output.contains("org.sentinel"))
        }

        @Test("a service that runs already is toured and left alone")
        func runningService() async throws {
            let session = try await ServiceOnBus.started()
            let result = try await run(bus: session.bus.address)
            #expect(result.status == 0, "\(result.output)\n\(result.errors)")
            let tour = try Self.tour(result.output, from: "org.sentinel is on this bus already")
            let expected = Transcript(
                """
                org.sentinel is on this bus already: the tour uses the one that runs.

                \(Self.steps)
                That was the tour. README.md goes on.
                """)
            #expect(expected.difference(from: tour) == nil)
            #expect(session.service.process.ending == nil)
            #expect(try files() == [])
        }

        @Test("a service that does not start is an error that says why")
        func failure() async throws {
            let result = try await run(bus: "unix:path=\(directory.path(of: "no-bus"))")
            #expect(result.status == 70)
            let end = "dbus/run: sentineld has ended:\nsentineld: "
            #expect(result.errors.contains(end), "\(result.errors)")
            #expect(try files() == [])
        }

        @Test("help tells what there is")
        func help() async throws {
            for option in ["--help", "-h"] {
                let result = try await run(option)
                #expect(result.status == 0 && result.errors == "")
                #expect(result.output.hasPrefix("Usage: dbus/run [--stay]\n"))
                #expect(
                    result.output.contains("\n  --stay  leave it running and print how to reach and how to end it\n"))
            }
        }

        @Test("an unknown argument is refused, with what there is")
        func unknownArgument() async throws {
            let result = try await run("--fast")
            #expect(result.status == 64 && result.output == "")
            #expect(result.errors.hasPrefix("dbus/run: unknown argument --fast\nUsage: dbus/run [--stay]\n"))
        }

        @Test("without a Swift toolchain it says where to get one", arguments: ["dbus/run", "Tests/run"])
        func noSwift(script: String) async throws {
            for tool in ["bash", "cat", "dirname", "readlink"] {
                try FileManager.default.createSymbolicLink(
                    atPath: directory.path(of: tool), withDestinationPath: "/usr/bin/\(tool)")
            }
            let result = try await Command.run(
                ["/bin/bash", ConformanceTests.package.appendingPathComponent(script).path],
                environment: ["PATH": directory.path])
            #expect(result.status == 69 && result.output == "")
            #expect(
                result.errors
                    == "\(script): no Swift toolchain in PATH; get Swift 6.2 or newer from "
                    + "https://www.swift.org/install/linux\n")
        }
    }
}
