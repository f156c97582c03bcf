// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import SystemFacts
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    /// Performance that is watched.
    @Suite("Watches", .serialized, .timeLimit(.minutes(5)))
    struct WatchTests {
        private static let sampled = MatchRule(interface: "org.sentinel.Performance1", member: "Sampled")

        /// A signal `Sampled`.
        private struct Sampled {
            let path: ObjectPath?
            let watch: UInt32
            let sample: [Key: Value]

            init(_ signal: Message) throws {
                var body = signal.body
                path = signal.path
                watch = try body.read()
                sample = try body.read()
            }

            var time: Int64 {
                if case .int64(let time)? = sample["time"] { time } else { 0 }
            }
        }

        private func interval(_ seconds: Double) -> [Key: Value] { ["interval": .double(seconds)] }

        @Test("samples go to the client that watches and to no other, each once and in order")
        func unicast() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let other = try TestClient(on: fixture.bus)
            let eavesdropped = try await other.record(Self.sampled)
            let heard = try await fixture.client.record(Self.sampled)
            let watch = try await fixture.client.performance(at: child.path).watch(options: interval(0.1))
            let signals = try await heard.signals.wait(for: 12).map { try Sampled($0) }
            for signal in signals {
                #expect(signal.watch == watch)
                #expect(signal.path == child.path)
                for (key, value) in signal.sample {
                    #expect(PerformanceTests.types[key] == value.type, "\(key)")
                }
                let percent = try PerformanceTests.number(signal.sample, "cpu_percent")
                #expect(percent >= 0 && percent.isFinite)
            }
            // The first measurement takes longer than the interval; what has fallen due meanwhile is one sample.
            for (earlier, later) in zip(signals, signals.dropFirst()) {
                #expect(later.time - earlier.time > 20_000, "\(later.time - earlier.time)")
            }
            try await other.roundTrip()
            #expect(eavesdropped.signals.count == 0)

            try await fixture.client.performance(at: child.path).unwatch(watch: watch)
            let points = try await fixture.client.performance(at: child.path).history(limit: 0)
            #expect(Set(points.map(\.time)).count == points.count)
            _ = heard.signals.takeAll()
            try await fixture.client.roundTrip()
            let start = ContinuousClock.now
            try await waitUntil("some intervals pass") { ContinuousClock.now - start > .milliseconds(500) }
            #expect(heard.signals.count == 0)
            try fixture.stop()
        }

        @Test("many watches of one application share its samples")
        func sharing() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let heard = try await fixture.client.record(Self.sampled)
            let performance = fixture.client.performance(at: child.path)
            var watches: Set<UInt32> = []
            for _ in 0..<20 {
                watches.insert(try await performance.watch(options: interval(0.5)))
            }
            #expect(watches.count == 20)
            // Before the last had begun, samples were for some of them.
            try await heard.signals.wait(for: heard.signals.count + 100)
            let points = try await performance.history(limit: 10_000)
            let times = Dictionary(grouping: try heard.signals.elements.map { try Sampled($0) }, by: \.time)
            let complete = times.values.filter { Set($0.map(\.watch)) == watches }
            #expect(complete.count >= 3, "\(times.mapValues(\.count))")
            #expect(times.values.allSatisfy { $0.count <= 20 })
            #expect(points.count <= times.count)
            try fixture.stop()
        }

        @Test(
            "an interval that is too short, too long or no number is refused, and what is allowed is said",
            arguments: [
                .double(0.0999), .double(60.001), .double(0), .double(-1), .double(.nan), .double(.infinity), .int32(0),
                .uint64(.max), .int64(61), .string("1"), .boolean(true), .variant(.string("1")),
                .array(try ArrayValue([.double(1)], elementType: "d")),
            ] as [Value])
        func refusedIntervals(value: Value) async throws {
            let fixture = try await FactsFixture()
            await expectError(.invalidArgs, mentioning: "interval") {
                _ = try await fixture.client.performance(at: "/org/sentinel").watch(options: ["interval": value])
            }
            try fixture.stop()
        }

        @Test("the limits themselves, whole numbers, unknown options and none at all are taken")
        func acceptedIntervals() async throws {
            let fixture = try await FactsFixture()
            let performance = fixture.client.performance(at: "/org/sentinel")
            let options: [[Key: Value]] = [
                interval(0.1), interval(60), ["interval": .byte(1)], ["interval": .variant(.variant(.int32(2)))], [:],
                ["unknown": .string("x")],
            ]
            var watches: [UInt32] = []
            for options in options {
                watches.append(try await performance.watch(options: options))
            }
            #expect(Set(watches).count == options.count && !watches.contains(0))
            for watch in watches {
                try await performance.unwatch(watch: watch)
            }
            try fixture.stop()
        }

        @Test("a watch is its client's, on its application, and ends once")
        func unknown() async throws {
            let fixture = try await FactsFixture()
            let other = try TestClient(on: fixture.bus)
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let performance = fixture.client.performance(at: child.path)
            let watch = try await performance.watch(options: [:])
            let attempts: [() async throws -> Void] = [
                { try await other.performance(at: child.path).unwatch(watch: watch) },
                { try await fixture.client.performance(at: "/org/sentinel").unwatch(watch: watch) },
                { try await performance.unwatch(watch: watch + 1) },
                { try await performance.unwatch(watch: 0) },
                { try await performance.unwatch(watch: .max) },
            ]
            for attempt in attempts {
                await expectError("org.sentinel.Error.UnknownWatch", mentioning: "no watch") { try await attempt() }
            }
            try await performance.unwatch(watch: watch)
            await expectError("org.sentinel.Error.UnknownWatch", mentioning: "\(watch)") {
                try await performance.unwatch(watch: watch)
            }
            try fixture.stop()
        }

        @Test("a client has so many watches at most, over all applications, and another client its own")
        func limit() async throws {
            let fixture = try await FactsFixture()
            let other = try TestClient(on: fixture.bus)
            try await fixture.client.register("com.example.App")
            let paths: [ObjectPath] = ["/org/sentinel", "/org/sentinel/apps/com_2eexample_2eApp"]
            var first: UInt32 = 0
            for number in 0..<PerformanceDirectory.watchLimit {
                first = try await fixture.client.performance(at: paths[number % 2]).watch(options: interval(60))
            }
            await expectError(.limitsExceeded, mentioning: "100 watches") {
                _ = try await fixture.client.performance(at: paths[0]).watch(options: [:])
            }
            _ = try await other.performance(at: paths[0]).watch(options: interval(60))
            try await fixture.client.performance(at: paths[1]).unwatch(watch: first)
            _ = try await fixture.client.performance(at: paths[0]).watch(options: interval(60))
            try fixture.stop()
        }

        @Test("nothing is read while nobody watches: not before, not after the last watch or its client has ended")
        func rest() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            _ = try await fixture.client.application(at: child.path).content()
            let performance = fixture.client.performance(at: child.path)
            _ = try await performance.sample()
            try await fixture.rest(for: .milliseconds(700), "nothing is read after a sample")

            let heard = try await fixture.client.record(Self.sampled)
            let watch = try await performance.watch(options: interval(0.1))
            try await heard.signals.wait(for: 3)
            try await performance.unwatch(watch: watch)
            try await fixture.rest(for: .milliseconds(700), "nothing is read after unwatching")

            let other = try TestClient(on: fixture.bus)
            let others = try await other.record(Self.sampled)
            _ = try await other.performance(at: child.path).watch(options: interval(0.1))
            try await others.signals.wait(for: 3)
            other.close()
            try await fixture.rest(for: .milliseconds(700), "nothing is read after the client's end")

            // One that leaves before it can be answered.
            let hasty = try TestClient(on: fixture.bus)
            hasty.connection.send(
                try Message.methodCall(
                    to: TestClient.service, child.path, "org.sentinel.Performance1", "Watch"
                ) { (writer) throws(DBusError) in
                    try writer.write(["interval": Value.double(0.1)] as [Key: Value])
                })
            hasty.close()
            try await fixture.rest(for: .milliseconds(700), "nothing is read after the end of a client in haste")
            try fixture.stop()
        }

        @Test("the history has what was watched, the newest first, and as much as is asked for")
        func history() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let performance = fixture.client.performance(at: child.path)
            _ = try await performance.sample()
            #expect(try await performance.history(limit: 0).isEmpty)
            let heard = try await fixture.client.record(Self.sampled)
            let watch = try await performance.watch(options: interval(0.1))
            try await heard.signals.wait(for: 6)
            try await performance.unwatch(watch: watch)
            // A measurement that was under way is remembered and not sent; this one ends after it.
            _ = try await performance.sample()
            let signals = try heard.signals.elements.map { try Sampled($0) }
            let all = try await performance.history(limit: 0)
            let last = try #require(signals.last).time
            let points = all.drop { $0.time > last }
            #expect(all.count - points.count <= 1)
            #expect(Set(all.map(\.time)).count == all.count)
            #expect(points.map(\.time).prefix(signals.count) == signals.reversed().map(\.time)[...])
            for (point, signal) in zip(points, signals.reversed()) {
                #expect(signal.sample["cpu_percent"] == .double(point.cpuPercent))
                #expect(signal.sample["memory_bytes"] == .uint64(point.memoryBytes))
                #expect(signal.sample["threads"] == .uint32(point.threads))
            }
            #expect(try await performance.history(limit: 2).map(\.time) == all.prefix(2).map(\.time))
            #expect(try await performance.history(limit: 10_000).count == all.count)
            await expectError(.invalidArgs, mentioning: "10000") { _ = try await performance.history(limit: 10_001) }
            try fixture.stop()
        }

        @Test("a watch goes on with the application's next instance, and is silent between")
        func nextInstance() async throws {
            let fixture = try await FactsFixture()
            let first = try RegisteredProcess("com.example.App", on: fixture.bus)
            let heard = try await fixture.client.record(Self.sampled)
            let performance = fixture.client.performance(at: first.path)
            let watch = try await performance.watch(options: interval(0.1))
            try await heard.signals.wait(for: 2)
            try first.end()
            try await waitUntil("the first has ended") {
                try await fixture.client.entry(of: "com.example.App")?.running == false
            }
            try await fixture.client.roundTrip()
            _ = heard.signals.takeAll()
            let start = ContinuousClock.now
            try await waitUntil("some intervals pass") { ContinuousClock.now - start > .milliseconds(400) }
            #expect(heard.signals.count == 0)
            let second = try RegisteredProcess("com.example.App", on: fixture.bus)
            let signals = try await heard.signals.wait(for: 3).map { try Sampled($0) }
            #expect(signals.allSatisfy { $0.watch == watch })
            let last = try #require(signals.last)
            let age = try PerformanceTests.number(last.sample, "uptime_seconds")
            let started = try await fixture.client.application(at: second.path).startTime()
            #expect(abs(Double(last.time - started) / 1e6 - age) < 3)
            try fixture.stop()
        }

        @Test("watches of an application that is forgotten end with it, and do not come back with its id")
        func forgotten() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let heard = try await fixture.client.record(Self.sampled)
            let performance = fixture.client.performance(at: child.path)
            var watches: [UInt32] = []
            for _ in 0..<PerformanceDirectory.watchLimit {
                watches.append(try await performance.watch(options: interval(0.1)))
            }
            try await heard.signals.wait(for: 200)
            try await fixture.client.sentinel.forget(applicationID: "com.example.App", options: [:])
            try await fixture.client.roundTrip()
            _ = heard.signals.takeAll()
            await expectError(.unknownObject) { try await performance.unwatch(watch: watches[0]) }
            try await fixture.client.register("com.example.App")
            let watch = watches[0]
            await expectError("org.sentinel.Error.UnknownWatch") { try await performance.unwatch(watch: watch) }
            #expect(try await performance.history(limit: 0).isEmpty)
            // They count against the client no more.
            let next = try await performance.watch(options: interval(0.1))
            let signals = try await heard.signals.wait(for: 3).map { try Sampled($0) }
            #expect(signals.allSatisfy { $0.watch == next })
            try fixture.stop()
        }

        @Test("numbers of watches begin anew after the largest, and never are those of watches that there are")
        func numbers() async throws {
            let bus = try PrivateBus()
            let loop = try EventLoop.startThread(named: "watches")
            let connection = try Connection(to: try BusAddress(bus.address), on: loop)
            let numbers = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<[UInt32], any Error>) in
                loop.enqueue {
                    continuation.resume(with: Result { try Self.wrappingNumbers(connection) })
                }
            }
            #expect(numbers == [1, 2, .max, 3, 1])
            connection.close()
            loop.stop()
        }

        /// Makes watches about the largest number, while others have the first numbers until one has ended.
        private static func wrappingNumbers(_ connection: Connection) throws -> [UInt32] {
            let reader = FactsReader(loop: connection.loop, places: ApplicationPlaces(environment: [:]))
            let directory = PerformanceDirectory(connection: connection, reader: reader)
            let application = KnownApplication(try .seen("com.example.App", ago: .zero))
            func watch(_ client: BusName) throws -> UInt32 {
                try directory.watch(application, at: "/app", for: client, interval: .seconds(60))
            }
            var numbers = [try watch(":1.100"), try watch(":1.101")]
            directory.lastWatch = .max - 1
            numbers.append(try watch(":1.100"))
            numbers.append(try watch(":1.100"))
            try directory.unwatch(1, of: ":1.100", on: application)
            directory.lastWatch = .max
            numbers.append(try watch(":1.102"))
            return numbers
        }
    }
}
