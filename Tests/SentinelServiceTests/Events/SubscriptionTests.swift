// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Subscriptions", .serialized, .timeLimit(.minutes(5)))
    struct SubscriptionTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func contents(_ signals: Recorder<Message>) throws -> [Events1.Recorded] {
            try signals.elements.map { signal in
                var body = signal.body
                return try Events1.Recorded(from: &body)
            }
        }

        @Test("who subscribes hears of each event once, after its commit, and nobody else does")
        func recorded() async throws {
            let other = try TestClient(on: fixture.bus)
            let (signals, subscription) = try await client.recordedSignals()
            let (foreign, foreignSubscription) = try await other.recordedSignals()
            let number = try await client.events.subscribe(filter: ["type_prefix": .string("wanted")])
            let id = try await other.record("wanted", ["data": .options(["k": .string("v")])])
            try await other.record("unwanted")
            _ = try await other.events.recordBatch(events: [
                EventRecord(type: "wanted.b", source: "s", timestamp: 0, duration: 2, options: [:]),
                EventRecord(type: "no", source: "s", timestamp: 0, duration: -1, options: [:]),
                EventRecord(type: "wanted.c", source: "s", timestamp: 0, duration: -1, options: [:]),
            ])
            try await waitUntil("three events came") { try contents(signals).flatMap(\.events).count == 3 }
            let all = try contents(signals)
            #expect(all.allSatisfy { $0.subscription == number && $0.dropped == 0 })
            #expect(all.flatMap(\.events).map(\.type) == ["wanted", "wanted.b", "wanted.c"])
            #expect(all.first?.events.first == (try await client.event(id: id)))
            #expect(signals.elements.allSatisfy { $0.destination == client.connection.uniqueName })
            try await other.roundTrip()
            #expect(foreign.elements.isEmpty)

            try await client.events.unsubscribe(subscription: number)
            try await other.record("wanted")
            try await client.roundTrip()
            #expect(try contents(signals).flatMap(\.events).count == 3)
            withExtendedLifetime((subscription, foreignSubscription)) {}
        }

        @Test("what is denied, refused or replaced is told as it is stored")
        func stored() async throws {
            let (signals, subscription) = try await client.recordedSignals()
            try await client.events.setRules([
                RuleEntry(action: "deny", field: "type", pattern: "no"),
                RuleEntry(action: "redact", field: "type", pattern: "bare"),
            ])
            _ = try await client.events.subscribe(filter: [:])
            await expectError("org.sentinel.Error.Denied") { try await client.record("no") }
            await expectError(.invalidArgs) { try await client.record("") }
            let id = try await client.record("bare", ["data": .options(["k": .string("v")])])
            _ = try await client.record("again", ["id": .string(id)])
            try await waitUntil("two events came") { try contents(signals).flatMap(\.events).count == 2 }
            let events = try contents(signals).flatMap(\.events)
            #expect(events.map(\.type) == ["bare", "again"])
            #expect(events.map(\.id) == [id, id])
            #expect(events[0].attributes == ["redacted": .boolean(true)])
            withExtendedLifetime(subscription) {}
        }

        @Test("a client ends its own subscriptions alone, and each once")
        func unknown() async throws {
            let other = try TestClient(on: fixture.bus)
            let number = try await client.events.subscribe(filter: [:])
            let code: ErrorName = "org.sentinel.Error.UnknownSubscription"
            await expectError(code) { try await other.events.unsubscribe(subscription: number) }
            await expectError(code) { try await client.events.unsubscribe(subscription: number + 1) }
            await expectError(code) { try await client.events.unsubscribe(subscription: 0) }
            try await client.events.unsubscribe(subscription: number)
            await expectError(code) { try await client.events.unsubscribe(subscription: number) }
        }

        @Test("a client has a hundred subscriptions at most, and others have their own")
        func limit() async throws {
            var numbers: [UInt32] = []
            for _ in 0..<100 {
                numbers.append(try await client.events.subscribe(filter: [:]))
            }
            #expect(Set(numbers).count == 100)
            await expectError(.limitsExceeded, mentioning: "100") {
                _ = try await client.events.subscribe(filter: [:])
            }
            let other = try TestClient(on: fixture.bus)
            _ = try await other.events.subscribe(filter: [:])
            try await client.events.unsubscribe(subscription: numbers[50])
            _ = try await client.events.subscribe(filter: [:])
        }

        @Test("a client that reads nothing misses events, is told how many, and costs little memory")
        func slowClient() async throws {
            let reader = try ChildProcess(
                ["/usr/bin/python3", "-I", "-c", Self.slowReader], environment: fixture.bus.environment,
                hasLifeline: true)
            _ = try reader.waitForFirstLine()
            reader.send(SIGSTOP)
            let batch = (0..<500).map { number in
                EventRecord(
                    type: "test", source: "com.example.Test", timestamp: 0, duration: -1,
                    options: [
                        "data": .options([
                            "n": .int64(Int64(number)), "pad": .bytes([UInt8](repeating: 7, count: 2000)),
                        ])
                    ])
            }
            for _ in 0..<16 {
                _ = try await client.events.recordBatch(events: batch)
            }
            reader.send(SIGCONT)
            // What waits comes first and tells of the gap; what is recorded then comes too.
            try await waitUntil("the reader is through") {
                _ = try await client.record("last")
                return reader.output.contains("last")
            }
            let line = try #require(reader.output.split(separator: "\n").last { $0.hasPrefix("last") })
            let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
            try #require(numbers.count == 2)
            #expect(numbers[1] > 0)
            // What may be on its way and wait for it is bounded, and more than that is what was left out.
            #expect(numbers[0] * 2000 < 8 << 20)
            #expect(numbers[0] + numbers[1] == 16 * 500)
        }

        /// Subscribes, and adds up what comes until an event of type `last`.
        private static let slowReader = """
            import dbus, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.SessionBus()
            received = dropped = 0
            def recorded(subscription, events, missing):
                global received, dropped
                dropped += missing
                for event in events:
                    if event[2] == "last":
                        print("last", received, dropped, flush=True)
                        return
                    received += 1
            bus.add_signal_receiver(recorded, "Recorded", "org.sentinel.Events1")
            sentinel = bus.get_object("org.sentinel", "/org/sentinel", introspect=False)
            sentinel.Subscribe(dbus.Dictionary({}, signature="sv"), dbus_interface="org.sentinel.Events1")
            print("subscribed", flush=True)
            GLib.MainLoop().run()
            """
    }
}
