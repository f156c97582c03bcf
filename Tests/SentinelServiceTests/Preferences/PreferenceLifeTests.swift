// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Preferences that last", .serialized, .timeLimit(.minutes(60)))
    struct PreferenceLifeTests {
        private static let isLong = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] == "1"
        private static let roundCount = isLong ? 200 : 10

        private let bus: PrivateBus
        private let directory: TemporaryDirectory

        init() throws {
            bus = try PrivateBus()
            directory = try TemporaryDirectory()
        }

        private func start() async throws -> SentinelProcess {
            try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
        }

        @Test("nothing that was acknowledged is lost when the service is killed while it writes")
        func killed() async throws {
            let client = try TestClient(on: bus)
            var service = try await start()
            let ids = ["com.example.A", "com.example.B"]
            var paths: [ObjectPath] = []
            for id in ids {
                let path = try await client.register(id)
                paths.append(path)
                try await client.preferences(at: path).declare(
                    preferences: (0..<4).map { .of("k\($0)", .int64(-1)) })
            }
            var last: Int64 = 0
            for round in 0..<Self.roundCount {
                // Each writer counts up on a preference of its own; what it got a reply for is what must be there.
                let acknowledged = Recorder<[Int64]>()
                let begun = last
                let target = 5 + round % 40
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, path) in paths.enumerated() {
                        for key in 0..<4 {
                            group.addTask {
                                let preferences = client.preferences(at: path)
                                for number in begun... {
                                    do {
                                        _ = try await preferences.set(key: "k\(key)", value: .int64(number))
                                    } catch {
                                        return
                                    }
                                    acknowledged.append([Int64(index), Int64(key), number])
                                }
                            }
                        }
                    }
                    try await acknowledged.wait(for: target)
                    service.process.send(SIGKILL)
                    try service.process.waitForEnd()
                    try await group.waitForAll()
                }
                service = try await start()
                var newest: [[Int64]: Int64] = [:]
                for entry in acknowledged.elements {
                    newest[[entry[0], entry[1]]] = entry[2]
                }
                for (index, path) in paths.enumerated() {
                    let preferences = client.preferences(at: path)
                    let values = try await preferences.getAll()
                    for key in 0..<4 {
                        guard let number = newest[[Int64(index), Int64(key)]] else { continue }
                        let value = try #require(values[Key("k\(key)")]).integer(as: Int64.self)
                        // One more may have been stored whose reply did not get out.
                        #expect((number...number + 1).contains(value), "round \(round)")
                        let change = try #require(try await preferences.history(key: "k\(key)", options: [:]).first)
                        #expect(change.attributes["new"] == .int64(value), "round \(round)")
                        last = max(last, value)
                    }
                }
                last += 1
                #expect(try await client.sentinel.health() == "ok")
            }
            #expect(try service.stop() == .exited(0))
        }

        @Test("all is there after a restart, and gone with the application", arguments: [SIGTERM, SIGKILL])
        func restart(signal: Int32) async throws {
            let client = try TestClient(on: bus)
            var service = try await start()
            let path = try await client.register("com.example.App")
            let preferences = client.preferences(at: path)
            try await preferences.declare(preferences: [
                .of("z", .double(1), ["section": .string("S"), "max": .int32(100)]), .of("a", .string("")),
                .of("t", .int32(0)),
            ])
            _ = try await preferences.set(key: "z", value: .int32(7))
            try await preferences.setFor(key: "t", value: .int32(1), seconds: 1000)
            try await preferences.saveProfile(name: "p")
            try await preferences.applyProfile(name: "p")
            _ = try await preferences.set(key: "a", value: .string("stored-text"))
            let before = try await preferences.list()
            let explained = try await preferences.explain(key: "z")
            let history = try await preferences.history(key: "", options: [:])
            service.process.send(signal)
            try service.process.waitForEnd()
            service = try await start()
            #expect(try await preferences.list() == before)
            #expect(try await preferences.explain(key: "z") == explained)
            #expect(try await preferences.history(key: "", options: [:]) == history)
            #expect(try await preferences.profile() == "p")
            // Declaring the same again says nothing new.
            let signals = try await client.recordPreferences()
            try await preferences.declare(preferences: [
                .of("z", .double(1), ["section": .string("S"), "max": .int32(100)]), .of("a", .string("")),
                .of("t", .int32(0)),
            ])
            try await client.roundTrip()
            #expect(signals.signals.count == 0)

            try await client.sentinel.forget(applicationID: "com.example.App", options: [:])
            await expectError(.unknownObject) { _ = try await preferences.list() }
            try await client.register("com.example.App")
            #expect(try await preferences.list().isEmpty)
            #expect(try await preferences.history(key: "", options: [:]).isEmpty)
            #expect(try await preferences.profiles() == [])
            #expect(try service.stop() == .exited(0))
            let data = try Data(contentsOf: URL(fileURLWithPath: directory.path(of: "data/sentinel.db")))
            #expect(data.range(of: Data("stored-text".utf8)) == nil)
        }

        @Test("an override that has ended while the service did not run is over when it starts")
        func temporary() async throws {
            let client = try TestClient(on: bus)
            var service = try await start()
            let preferences = client.preferences(at: try await client.register("com.example.App"))
            try await preferences.declare(preferences: [.of("a", .int32(1))])
            try await preferences.setFor(key: "a", value: .int32(2), seconds: 0.2)
            service.process.send(SIGKILL)
            try service.process.waitForEnd()
            let end = ContinuousClock.now + .milliseconds(300)
            try await waitUntil("its time is over") { ContinuousClock.now > end }
            service = try await start()
            #expect(try await preferences.get(key: "a") == .int64(1))
            #expect(
                try await preferences.history(key: "a", options: [:]).map { $0.attributes["new"] } == [nil, .int64(2)])
            #expect(try service.stop() == .exited(0))
        }

        @Test("a service that takes over has what the one before has acknowledged")
        func replacement() async throws {
            let client = try TestClient(on: bus)
            let old = try await start()
            let preferences = client.preferences(at: try await client.register("com.example.App"))
            try await preferences.declare(preferences: [.of("a", .int32(1))])
            _ = try await preferences.set(key: "a", value: .int32(2))
            let new = try await SentinelProcess.started(
                on: bus, dataDirectory: directory.path(of: "data"), arguments: ["--replace"])
            try old.process.waitForEnd()
            #expect(try await preferences.get(key: "a") == .int64(2))
            _ = try await preferences.set(key: "a", value: .int32(3))
            #expect(try new.stop() == .exited(0))
        }
    }
}
