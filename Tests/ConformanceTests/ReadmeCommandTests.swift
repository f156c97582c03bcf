// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ConformanceTests {
    /// The commands in the README, in one shell, as somebody who reads it from top to bottom types them.
    @Suite("Commands of the README", .timeLimit(.minutes(5)))
    struct ReadmeCommandTests {
        private let bus: PrivateBus
        private let home: String
        private let data: String
        private let answers: TemporaryDirectory
        private let blocks: ReadmeBlocks

        init() throws {
            bus = try PrivateBus(activatable: ["org.sentinel": BuiltProducts.path(of: "sentineld")])
            home = bus.directory.path(of: "home")
            // The bus looks for services there.
            data = bus.directory.path(of: "data")
            answers = try TemporaryDirectory()
            blocks = try ReadmeBlocks(try ConformanceTests.text(of: "README.md"))
        }

        @Test("every command runs, and answers as it is shown")
        func commands() async throws {
            let steps = try blocks.all.flatMap { try $0.steps() }
            #expect(steps.count > 20)
            let shell = try await run(steps)
            for (index, step) in steps.enumerated() {
                let answer = try text(of: "\(index).answer")
                guard let status = try text(of: "\(index).status") else {
                    Issue.record("line \(step.line) ended the shell: \(step.command)\n\(answer ?? shell.errors)")
                    return
                }
                if let expected = step.answer {
                    let difference = Transcript(expected).difference(from: answer ?? "")
                    #expect(difference == nil, "line \(step.line): \(step.command)")
                } else {
                    #expect(status == "0\n", "line \(step.line): \(step.command)\n\(answer ?? "")")
                }
            }
            #expect(shell.status == 0 && shell.output == "" && shell.errors == "", "\(shell)")
            try checkInstallation()
        }

        @Test("no shell is left out but that of the benchmarks")
        func kinds() throws {
            #expect(Set(blocks.all.map(\.kind)) == ["sh", "console", "python", "swift", "sh not-run"])
            #expect(try blocks.only("sh not-run").contains("SentinelBenchmarks bus start rest facts"))
        }

        /// Runs the steps in one shell, each with its answer and status in files.
        private func run(_ steps: [ReadmeBlocks.Block.Step]) async throws -> Command.Result {
            let script = steps.enumerated().map { index, step in
                """
                \(step.answer == nil ? "set -e" : "set +e")
                {
                \(Self.withHelp(step.command))
                } >'\(answers.path)/\(index).answer' 2>&1
                echo $? >'\(answers.path)/\(index).status'
                """
            }.joined(separator: "\n")
            let directory = try checkout()
            try script.write(toFile: "\(directory)/script", atomically: true, encoding: .utf8)
            let own = [
                "HOME": home, "XDG_DATA_HOME": data, "XDG_CONFIG_HOME": "\(home)/.config", "LC_ALL": "C.UTF-8",
                "SYSTEMD_COLORS": "0",
                "PATH": "\(directory)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            ]
            return try await Command.run(
                ["bash", "script"], environment: bus.environment.merging(own) { $1 },
                removing: ["XDG_RUNTIME_DIR", "SENTINEL_RUN_SCRATCH"], directory: directory, timeout: .seconds(60))
        }

        /// The two commands at the top take minutes: `dbus/run` has tests of its own, and `Tests/run` runs these.
        private static func withHelp(_ command: String) -> String {
            command.replacing(/(?m)^(dbus|Tests)\/run\b[^#\n]*/) { "\($0.1)/run --help " }
        }

        /// A directory that looks like the package after `dbus/run`, with `sentineld` in `bin`.
        private func checkout() throws -> String {
            let files = FileManager.default
            let directory = bus.directory.path(of: "checkout")
            let program = BuiltProducts.path(of: "sentineld")
            for path in [home, "\(directory)/bin", "\(directory)/.build/run/release"] {
                try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            for path in ["bin/sentineld", ".build/run/release/sentineld"] {
                try files.createSymbolicLink(atPath: "\(directory)/\(path)", withDestinationPath: program)
            }
            for name in ["dbus", "Tests", "Introspection"] {
                try files.createSymbolicLink(
                    atPath: "\(directory)/\(name)",
                    withDestinationPath: ConformanceTests.package.appendingPathComponent(name).path)
            }
            return directory
        }

        /// What the recipe has installed fits together.
        private func checkInstallation() throws {
            let program = "\(home)/.local/bin/sentineld"
            #expect(FileManager.default.isExecutableFile(atPath: program))
            let service = try String(contentsOfFile: "\(data)/dbus-1/services/org.sentinel.service", encoding: .utf8)
            #expect(service.contains("\nExec=\(program)\n"))
            let unit = try String(contentsOfFile: "\(data)/systemd/user/sentineld.service", encoding: .utf8)
            #expect(unit.contains("\nExecStart=\(program)\n"))
            #expect(FileManager.default.fileExists(atPath: "\(data)/applications/org.sentinel.desktop"))
        }

        private func text(of name: String) throws -> String? {
            guard let contents = FileManager.default.contents(atPath: answers.path(of: name)) else { return nil }
            return String(decoding: contents, as: UTF8.self)
        }
    }
}
