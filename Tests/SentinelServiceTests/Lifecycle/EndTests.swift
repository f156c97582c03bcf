// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("End", .serialized, .timeLimit(.minutes(5)))
    struct EndTests {
        @Test("a signal that asks to end ends the service with status 0, soon", arguments: [SIGTERM, SIGINT])
        func signal(number: Int32) async throws {
            let isQuick = try await takesLess(than: .seconds(2)) {
                let fixture = try await ServiceFixture()
                try await fixture.client.register("com.example.App")
                let start = ContinuousClock.now
                fixture.service.process.send(number)
                #expect(try fixture.service.process.waitForEnd() == .exited(0))
                return .now - start
            }
            #expect(isQuick)
        }

        @Test("calls that have come before the end are answered", arguments: 1...5)
        func pendingCalls(round: Int) async throws {
            let fixture = try await ServiceFixture()
            let clients = try (0..<5).map { _ in try TestClient(on: fixture.bus) }
            let outcomes = Recorder<Result<Message, DBusError>>()
            let total = 200
            for number in 0..<total {
                try clients[number % clients.count].send("Register", "com.example.App\(number)", to: outcomes)
            }
            if round > 1 {
                try await outcomes.wait(for: 20 * (round - 1))
            }
            fixture.service.process.send(SIGTERM)
            let codes = try await outcomes.wait(for: total).map(\.errorCode)
            // Whom the bus could not bring to the service any more hears of it; nobody is left without an answer.
            for code in codes {
                #expect(code == nil || code == .serviceUnknown, "\(code?.text ?? "")")
            }
            #expect(codes.contains(nil) || round == 1)
            #expect(try fixture.service.process.waitForEnd() == .exited(0))
            #expect(outcomes.count == total)
        }

        @Test("the end of the bus ends the service with status 0 within two seconds")
        func endOfBus() async throws {
            let isQuick = try await takesLess(than: .seconds(2)) {
                let fixture = try await ServiceFixture()
                try await fixture.client.register("com.example.App")
                let start = ContinuousClock.now
                fixture.bus.send(SIGKILL)
                #expect(try fixture.service.process.waitForEnd() == .exited(0))
                return .now - start
            }
            #expect(isQuick)
        }

        @Test("calls while another service takes over are answered by one of the two")
        func handOver() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            var services = [try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))]
            let client = try TestClient(on: bus)
            let stop = Recorder<Bool>()
            let calls = Task {
                var count = 0
                while stop.count == 0 {
                    let path = try await client.register("com.example.App\(count % 10)")
                    #expect(path.text.hasSuffix("App\(count % 10)"))
                    count += 1
                }
                return count
            }
            for _ in 0..<5 {
                services.append(
                    try await SentinelProcess.started(
                        on: bus, dataDirectory: directory.path(of: "data"), arguments: ["--replace"]))
                #expect(try services.removeFirst().process.waitForEnd() == .exited(0))
            }
            stop.append(true)
            #expect(try await calls.value > 5)
            let last = try #require(services.first)
            #expect(try last.stop() == .exited(0))
        }

        @Test("what is acknowledged while another service takes over is known to that one")
        func acknowledgedDuringHandOver() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let data = directory.path(of: "data")
            var services = [try await SentinelProcess.started(on: bus, dataDirectory: data)]
            let client = try TestClient(on: bus)
            let stop = Recorder<Bool>()
            let calls = Task {
                var names: [String: String] = [:]
                var count = 0
                while stop.count == 0 {
                    let id = "com.example.App\(count % 900)"
                    try await client.register(id, ["name": .string("\(count)")])
                    names[id] = "\(count)"
                    count += 1
                }
                return names
            }
            for _ in 0..<5 {
                services.append(
                    try await SentinelProcess.started(on: bus, dataDirectory: data, arguments: ["--replace"]))
                #expect(try services.removeFirst().process.waitForEnd() == .exited(0))
            }
            stop.append(true)
            let acknowledged = try await calls.value
            try await waitUntil("the last service knows all") {
                let listed = try await client.sentinel.listApplications().map { ($0.id, $0.name) }
                return Dictionary(uniqueKeysWithValues: listed).filter { $0.key != "org.sentinel" } == acknowledged
            }
            #expect(try services.first?.stop() == .exited(0))
        }
    }
}
