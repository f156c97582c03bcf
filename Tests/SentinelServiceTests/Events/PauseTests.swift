// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

extension LiveTests {
    @Suite("Pausing", .serialized, .timeLimit(.minutes(5)))
    struct PauseTests {
        private let bus: PrivateBus
        private let directory: TemporaryDirectory

        init() throws {
            bus = try PrivateBus()
            directory = try TemporaryDirectory()
        }

        private func start() async throws -> (service: SentinelProcess, client: TestClient) {
            let service = try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
            return (service, try TestClient(on: bus))
        }

        private func expectPaused(_ client: TestClient) async throws {
            let record = EventRecord(
                type: "test", source: "com.example.Test", timestamp: 0, duration: -1, options: [:])
            let code: ErrorName = "org.sentinel.Error.Paused"
            await expectError(code, mentioning: "Resume") { try await client.record() }
            await expectError(code) { _ = try await client.events.recordBatch(events: [record]) }
            let file = try FileDescriptor(duplicating: 0)
            await expectError(code) {
                _ = try await client.events.import(file: file, format: "jsonl", options: [:])
            }
        }

        @Test("while paused nothing is recorded, and each change is told once")
        func pause() async throws {
            let (service, client) = try await start()
            let (changes, subscription) = try await client.eventChanges()
            #expect(try await client.events.capturing())
            #expect(try await client.events.pausedUntil() == 0)

            try await client.events.pause(seconds: 0)
            #expect(try await !client.events.capturing())
            #expect(try await client.events.pausedUntil() == .max)
            try await expectPaused(client)
            // A pause that is the same is no change, nor is the property's way to say it.
            try await client.events.pause(seconds: 0)
            try await client.events.setCapturing(false)
            let before = WallClock.system.now().microseconds
            try await client.events.pause(seconds: 3600)
            let end = try await client.events.pausedUntil()
            #expect((before + 3_600_000_000...before + 3_660_000_000).contains(end))
            try await client.events.setCapturing(true)
            try await client.events.resume()
            try await client.record()
            #expect(try await client.events.eventCount() == 1)

            let told = try changes.elements.map { try PropertyChange($0) }
            #expect(
                told.map(\.changed) == [
                    ["PausedUntil": .int64(.max), "Capturing": .boolean(false)], ["PausedUntil": .int64(end)],
                    ["PausedUntil": .int64(0), "Capturing": .boolean(true)],
                ])
            #expect(told.allSatisfy { $0.invalidated.isEmpty })
            withExtendedLifetime((service, subscription)) {}
        }

        @Test("a pause ends by itself")
        func end() async throws {
            let (service, client) = try await start()
            let (changes, subscription) = try await client.eventChanges()
            var told: [[Key: Value]] = []
            // On a busy machine a short pause may be over before it is stored.
            for seconds in [0.3, 3, 30] where told.first?["Capturing"] != .boolean(false) {
                _ = changes.takeAll()
                try await client.events.pause(seconds: seconds)
                // Nobody asks in the meantime, which would end it as well.
                told = try await changes.wait(for: 2).map { try PropertyChange($0).changed }
            }
            #expect(told.count == 2)
            #expect(told[0]["Capturing"] == .boolean(false))
            #expect(told[1] == ["PausedUntil": .int64(0), "Capturing": .boolean(true)])
            #expect(try await client.events.pausedUntil() == 0)
            try await client.record()
            withExtendedLifetime((service, subscription)) {}
        }

        @Test("a pause lasts across a restart, and one that is over by then does not", arguments: [SIGTERM, SIGKILL])
        func restart(signal: Int32) async throws {
            var (service, client) = try await start()
            try await client.events.pause(seconds: 3600)
            let end = try await client.events.pausedUntil()
            service.process.send(signal)
            try service.process.waitForEnd()
            (service, client) = try await start()
            #expect(try await client.events.pausedUntil() == end)
            try await expectPaused(client)

            try await client.events.pause(seconds: 0.001)
            try service.stop()
            (service, client) = try await start()
            #expect(try await client.events.capturing())
            try await client.record()
            #expect(try service.stop() == .exited(0))
        }

        @Test(
            "a stored setting that cannot be read pauses, until it is resumed",
            arguments: [("events.rules", "[[\"deny\"]]"), ("events.rules", "]"), ("events.paused_until", "soon")])
        func unreadable(name: String, value: String) async throws {
            let data = directory.path(of: "data")
            let store = Store.open(location: .directory(data))
            let result = await withCheckedContinuation { continuation in
                store.setSettings([name: value]) { continuation.resume(returning: $0) }
            }
            try result.get()
            store.close()

            var (service, client) = try await start()
            try await waitUntil("it has found out") { try await !client.events.capturing() }
            #expect(try await client.events.pausedUntil() == .max)
            try await expectPaused(client)
            let findings = try [String](try #require(try await client.sentinel.healthDetails()["events"]))
            #expect(findings.count == 1)
            #expect(findings.allSatisfy { $0.contains(name) && $0.contains("Resume") })
            #expect(service.process.errors.contains(name))
            #expect(try await client.sentinel.health() == "ok")

            // A pause for a while is no way around it.
            try await client.events.pause(seconds: 0.001)
            #expect(try await client.events.pausedUntil() == .max)
            try await client.events.setRules([RuleEntry(action: "deny", field: "type", pattern: "x")])
            try await client.events.resume()
            try await client.record()
            #expect(try await client.sentinel.healthDetails()["events"] == nil)
            #expect(try service.stop() == .exited(0))

            (service, client) = try await start()
            try await client.record()
            #expect(try service.stop() == .exited(0))
        }

        @Test(
            "a time that is out of range is refused",
            arguments: [-1, .nan, .infinity, -.infinity, 100 * 365.25 * 86_400 + 1] as [Double])
        func range(seconds: Double) async throws {
            let (service, client) = try await start()
            await expectError(.invalidArgs, mentioning: "100 years") { try await client.events.pause(seconds: seconds) }
            await expectError(.invalidArgs, mentioning: "100 years") {
                _ = try await client.events.forget(seconds: seconds)
            }
            await expectError(.invalidArgs, mentioning: "100 years") { _ = try await client.events.forget(seconds: 0) }
            #expect(try await client.events.capturing())
            try await client.events.pause(seconds: 100 * 365.25 * 86_400)
            withExtendedLifetime(service) {}
        }

        @Test("nothing is captured while paused, and what ends meanwhile ends with the begin of the pause")
        func capture() async throws {
            let (service, client) = try await start()
            let application = try TestClient(on: bus)
            try await application.register("com.example.App")
            try await client.events.pause(seconds: 0)
            let paused = WallClock.system.now().microseconds
            application.close()
            let late = try TestClient(on: bus)
            try await late.register("com.example.Late")
            try await waitUntil("the application has ended") {
                try await client.entry(of: "com.example.App")?.running == false
            }
            try await client.events.resume()
            let events = try await client.allEvents()
            #expect(events.map(\.type) == ["app.launch"])
            let launch = try #require(events.first)
            #expect(!launch.isMarked("open"))
            #expect(launch.duration >= 0)
            #expect(launch.timestamp + Int64(launch.duration * 1_000_000) <= paused)
            withExtendedLifetime((service, late)) {}
        }
    }
}
