// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Start", .serialized, .timeLimit(.minutes(5)))
    struct StartTests {
        private static let program = BuiltProducts.path(of: "sentineld")
        private static let busVariables: Set<String> = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]

        private func run(
            _ arguments: [String], _ environment: [String: String] = [:], removing: Set<String> = busVariables
        ) async throws -> Command.Result {
            let directory = try TemporaryDirectory()
            return try await Command.run(
                [Self.program, "--data-dir", directory.path(of: "data")] + arguments,
                environment: environment, removing: removing)
        }

        @Test("the version and the help go to standard output, with status 0")
        func information() async throws {
            let version = try await run(["--version"])
            #expect(version.status == 0)
            #expect(version.output.hasPrefix("sentineld "))
            #expect(version.errors.isEmpty)
            for option in ["--help", "-h"] {
                let help = try await run([option])
                #expect(help.status == 0)
                #expect(help.output.hasPrefix("Usage: sentineld"))
                #expect(help.errors.isEmpty)
            }
        }

        @Test(
            "wrong arguments are named and end with status 64",
            arguments: [
                ["--nonsense"], ["extra"], [""], ["--log-level", "loud"], ["--log-level"], ["--data-dir="],
                ["--address="], ["--replace=yes"], ["--version=1"], ["--"], ["-x"], ["--log-level=\u{1F600}"],
            ])
        func wrongArguments(arguments: [String]) async throws {
            let result = try await run(arguments)
            #expect(result.status == 64)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("sentineld: "))
            #expect(result.errors.contains("--help"))
        }

        enum Absence: CaseIterable {
            case neitherVariable, emptyVariables, noSocketInRuntimeDirectory, missingSocket, deadSocket, nonsense
        }

        @Test("without a bus there is one line that says why, and status 69", arguments: Absence.allCases)
        func noBus(absence: Absence) async throws {
            let directory = try TemporaryDirectory()
            let environment: [String: String]
            switch absence {
            case .neitherVariable: environment = [:]
            case .emptyVariables: environment = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""]
            case .noSocketInRuntimeDirectory: environment = ["XDG_RUNTIME_DIR": directory.path]
            case .missingSocket: environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory.path)/none"]
            case .deadSocket:
                let bus = try PrivateBus()
                let socket = directory.path(of: "bus")
                try FileManager.default.linkItem(atPath: bus.directory.path(of: "bus"), toPath: socket)
                bus.close()
                environment = ["XDG_RUNTIME_DIR": directory.path]
            case .nonsense: environment = ["DBUS_SESSION_BUS_ADDRESS": "nonsense"]
            }
            let result = try await run([], environment)
            #expect(result.status == 69)
            #expect(result.errors.hasPrefix("sentineld: "))
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }

        @Test("without DBUS_SESSION_BUS_ADDRESS the socket in XDG_RUNTIME_DIR is found", arguments: [false, true])
        func runtimeDirectory(hasOddName: Bool) async throws {
            let bus = try PrivateBus()
            let data = try TemporaryDirectory()
            var directory = bus.directory.path
            if hasOddName {
                // What addresses give a meaning to must be escaped.
                directory = bus.directory.path(of: "odd, ;=%20 \u{E9}")
                try FileManager.default.createSymbolicLink(
                    atPath: directory, withDestinationPath: bus.directory.path)
            }
            let service = try ChildProcess(
                [Self.program, "--data-dir", data.path(of: "data")], environment: ["XDG_RUNTIME_DIR": directory],
                removing: Self.busVariables)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }

        @Test("a second service refuses to run, in one line and with status 75, and the first stays")
        func twice() async throws {
            let fixture = try await ServiceFixture()
            let second = try await run([], fixture.bus.environment)
            #expect(second.status == 75)
            #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")
            #expect(second.errors.contains("running already"))
            #expect(second.errors.contains("--replace"))
            let owner = try await fixture.client.processID(of: TestClient.service)
            #expect(owner == UInt32(fixture.service.process.identifier))
            try fixture.stop()
        }

        @Test("--replace takes over, and the old service ends with status 0")
        func replace() async throws {
            let fixture = try await ServiceFixture()
            let second = try await SentinelProcess.started(on: fixture.bus, arguments: ["--replace"])
            #expect(try fixture.service.process.waitForEnd() == .exited(0))
            let owner = try await fixture.client.processID(of: TestClient.service)
            #expect(owner == UInt32(second.process.identifier))
            #expect(try await fixture.client.sentinel.health() == "ok")
            #expect(try second.stop() == .exited(0))
        }

        @Test("--replace starts also where nothing runs")
        func replaceNothing() async throws {
            let fixture = try await ServiceFixture(arguments: ["--replace"])
            #expect(try await fixture.client.sentinel.version().isEmpty == false)
            try fixture.stop()
        }

        @Test("the service runs without standard input, output and error")
        func closedStandardDescriptors() async throws {
            let bus = try PrivateBus()
            let data = try TemporaryDirectory()
            let service = try ChildProcess(
                [
                    "bash", "-c", "exec \"$0\" --data-dir \"$1\" --log-level debug <&- >&- 2>&-", Self.program,
                    data.path(of: "data"),
                ],
                environment: bus.environment)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            try await client.register("com.example.App")
            for number in 0...2 {
                let target = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(service.identifier)/fd/\(number)")
                #expect(target == "/dev/null")
            }
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }
    }
}
