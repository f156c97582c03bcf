// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

extension LiveTests {
    @Suite("Capture of applications", .serialized, .timeLimit(.minutes(5)))
    struct CaptureTests {
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

        /// Waits until so many launches are captured, which come after the reply to who registers.
        private func waitForLaunches(_ count: UInt64, _ client: TestClient) async throws {
            try await waitUntil("\(count) launches are captured") {
                try await client.events.count(filter: ["type": .string("app.launch")]) == count
            }
        }

        private func events(of source: String, _ client: TestClient) async throws -> [EventEntry] {
            try await client.allEvents(["source": .string(source)]).reversed()
        }

        @Test("an instance's launch is open until it exits, and each instance has its own pair")
        func run() async throws {
            let (service, client) = try await start()
            let before = WallClock.system.now().microseconds
            let first = try TestClient(on: bus)
            let second = try TestClient(on: bus)
            try await first.register("com.example.App")
            try await second.register("com.example.App")
            try await second.register("com.example.App", ["version": .string("2")])
            try await waitForLaunches(2, client)
            var all = try await events(of: "com.example.App", client)
            #expect(all.map(\.type) == ["app.launch", "app.launch"])
            #expect(all.allSatisfy { $0.isMarked("open") && $0.duration == -1 && $0.timestamp >= before })
            #expect(try all[0].data == ["process_id": .int64(Int64(getpid()))])

            first.close()
            try await waitUntil("the exit is captured") {
                try await events(of: "com.example.App", client).count == 3
            }
            all = try await events(of: "com.example.App", client)
            #expect(all.map(\.type) == ["app.launch", "app.launch", "app.exit"])
            #expect(all.map { $0.isMarked("open") } == [false, true, false])
            #expect(all[2].duration == -1)
            let end = all[0].timestamp + Int64((all[0].duration * 1_000_000).rounded())
            #expect(end == all[2].timestamp)

            try await second.sentinel.unregister(applicationID: "com.example.App", options: [:])
            try await waitUntil("the second exit is captured") {
                try await events(of: "com.example.App", client).count == 4
            }
            #expect(try await events(of: "com.example.App", client).allSatisfy { !$0.isMarked("open") })
            #expect(try service.stop() == .exited(0))
        }

        @Test("an application's foreground and its scenes are pairs, and end with their instance")
        func foreground() async throws {
            let (service, client) = try await start()
            let application = try TestClient(on: bus)
            try await application.register("com.example.App")
            let opening = try await application.record("app.foreground", source: "")
            #expect(try await client.event(id: opening).isMarked("open"))
            let closing = try await application.record("app.background", source: "")
            let pair = (try await client.event(id: opening), try await client.event(id: closing))
            #expect(!pair.0.isMarked("open"))
            #expect(pair.0.timestamp + Int64((pair.0.duration * 1_000_000).rounded()) == pair.1.timestamp)
            #expect(pair.1.duration == -1)

            func scene(_ name: String) -> [Key: Value] { ["data": .options(["scene": .string(name)])] }
            let main = try await application.record("scene.foreground", source: "", scene("main"))
            let other = try await application.record("scene.foreground", source: "", scene("other"))
            try await application.record("scene.background", source: "", scene("main"))
            #expect(try await !client.event(id: main).isMarked("open"))
            #expect(try await client.event(id: other).isMarked("open"))
            // A partner that never came: what is open ends where the next begins.
            let again = try await application.record("scene.foreground", source: "", scene("other"))
            #expect(try await !client.event(id: other).isMarked("open"))
            #expect(try await client.event(id: again).isMarked("open"))

            application.close()
            try await waitUntil("the end is captured") {
                try await client.events.count(filter: ["type": .string("app.exit")]) == 1
            }
            let all = try await events(of: "com.example.App", client)
            #expect(all.allSatisfy { !$0.isMarked("open") })
            #expect(all.suffix(2).map(\.type).sorted() == ["app.exit", "scene.background"])
            #expect(try service.stop() == .exited(0))
        }

        @Test("a shell reports an application's foreground as well, and ends it later")
        func shell() async throws {
            let (service, client) = try await start()
            let first = try TestClient(on: bus)
            let id = try await first.record("app.foreground", source: "com.example.Shell")
            first.close()
            #expect(try await client.event(id: id).isMarked("open"))
            try await client.record("app.background", source: "com.example.Other")
            #expect(try await client.event(id: id).isMarked("open"))
            try await client.record("app.background", source: "com.example.Shell")
            #expect(try await !client.event(id: id).isMarked("open"))
            #expect(try service.stop() == .exited(0))
        }

        @Test(
            "what is open when the service ends is closed at the next start, and marked", arguments: [SIGTERM, SIGKILL])
        func interrupted(signal: Int32) async throws {
            var (service, client) = try await start()
            let application = try TestClient(on: bus)
            try await application.register("com.example.App")
            try await waitForLaunches(1, client)
            let own = try await client.record("work", ["open": .boolean(true)])
            let last = try await client.record("last")
            let lastTime = try await client.event(id: last).timestamp
            service.process.send(signal)
            try service.process.waitForEnd()
            (service, client) = try await start()
            let launch = try await client.event(["type": .string("app.launch")])
            for event in [launch, try await client.event(id: own)] {
                #expect(event.isMarked("interrupted"))
                #expect(!event.isMarked("open"))
                #expect(event.duration >= 0)
                let end = event.timestamp + Int64((event.duration * 1_000_000).rounded())
                #expect(end >= lastTime)
                #expect(end <= WallClock.system.now().microseconds)
            }
            #expect(try await client.events.count(filter: ["type": .string("app.exit")]) == 0)
            // It registers again, which is a launch of its own; its end is no end of the one before.
            try await application.register("com.example.App")
            application.close()
            try await waitUntil("the exit is captured") {
                try await client.events.count(filter: ["type": .string("app.exit")]) == 1
            }
            #expect(try await client.event(id: launch.id) == launch)
            #expect(try service.stop() == .exited(0))
        }

        @Test("an open event that is forgotten or deleted does not come back with its partner")
        func forgotten() async throws {
            let (service, client) = try await start()
            let application = try TestClient(on: bus)
            try await application.register("com.example.App")
            try await application.register("com.example.Other")
            try await waitForLaunches(2, client)
            let launch = try await client.event([
                "type": .string("app.launch"), "source": .string("com.example.Other"),
            ])
            #expect(try await client.events.delete(filter: ["ids": .strings([launch.id])]) == 1)
            let (signals, subscription) = try await client.record(
                MatchRule(interface: Events1.name, member: "Forgotten"))
            let before = WallClock.system.now().microseconds
            #expect(try await client.events.forget(seconds: 3600) == 1)
            try await waitUntil("it is told") { signals.count == 1 }
            var body = try #require(signals.elements.first).body
            let since: Int64 = try body.read()
            #expect((before - 3_600_000_000...before - 3_590_000_000).contains(since))
            application.close()
            try await waitUntil("the exits are captured") {
                try await client.events.count(filter: ["type": .string("app.exit")]) == 2
            }
            #expect(try await client.events.eventCount() == 2)
            #expect(try service.stop() == .exited(0))
            withExtendedLifetime(subscription) {}
        }
    }
}
