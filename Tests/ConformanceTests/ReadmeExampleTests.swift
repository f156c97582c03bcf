// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ConformanceTests {
    /// The programs in the README: each registers, and registers again with the service that comes after.
    @Suite("Examples of the README", .timeLimit(.minutes(5)))
    struct ReadmeExampleTests {
        private let directory: TemporaryDirectory
        private let blocks: ReadmeBlocks

        init() throws {
            directory = try TemporaryDirectory()
            blocks = try ReadmeBlocks(try ConformanceTests.text(of: "README.md"))
        }

        @Test("the example in Python does what it says")
        func python() async throws {
            let program = directory.path(of: "example.py")
            try blocks.only("python").write(toFile: program, atomically: true, encoding: .utf8)
            try await check("/usr/bin/python3", program)
        }

        @Test("the example in Swift compiles without a warning and does what it says")
        func swift() async throws {
            let source = directory.path(of: "main.swift")
            try blocks.only("swift").write(toFile: source, atomically: true, encoding: .utf8)
            let program = directory.path(of: "example")
            // The modules are those that were built together with the tests.
            let built = URL(fileURLWithPath: BuiltProducts.path(of: "")).path
            let maps = ["CDBus", "CLinux"].map {
                "-Xcc -fmodule-map-file='\(ConformanceTests.package.path)/Sources/\($0)/module.modulemap'"
            }
            let result = try await Command.run(
                [
                    "sh", "-c",
                    """
                    swiftc -swift-version 6 -warnings-as-errors '\(source)' -o '\(program)' -I '\(built)/Modules' \
                    \(maps.joined(separator: " ")) $(pkg-config --cflags dbus-1 | sed 's/-I/-Xcc -I/g') \
                    '\(built)'/DBus.build/*.o '\(built)'/Locking.build/*.o '\(built)'/SentinelInterfaces.build/*.o $(pkg-config --libs dbus-1)
                    """,
                ], timeout: .seconds(120))
            #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
            try await check(program)
        }

        /// Starts a program that is to be the application `com.example.App`, and the service anew meanwhile.
        private func check(_ arguments: String...) async throws {
            let session = try await ServiceOnBus.started()
            let application = try ChildProcess(arguments, environment: session.environment)
            for _ in 1...2 {
                do {
                    try await waitUntil("the application runs") { try await Self.answer(session) == "b true" }
                } catch {
                    throw TestSupportError("\(error): \(application.output) \(application.errors)")
                }
                let facts = try await session.output(
                    of: "busctl --user get-property \(Self.object) Id Name Version ProcessId")
                #expect(facts == "s \"com.example.App\"\ns \"App\"\ns \"1.0\"\nu \(application.identifier)")
                try await session.restart()
            }
            #expect(application.ending == nil)
        }

        private static let object = "org.sentinel /org/sentinel/apps/com_2eexample_2eApp org.sentinel.Application1"

        private static func answer(_ session: ServiceOnBus) async throws -> String {
            try await session.run("busctl --user get-property \(object) Running").output
                .trimmingCharacters(in: .newlines)
        }
    }
}
