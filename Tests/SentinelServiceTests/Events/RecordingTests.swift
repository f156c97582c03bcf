// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

extension LiveTests {
    @Suite("Recording events", .serialized, .timeLimit(.minutes(5)))
    struct RecordingTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        @Test("an open event that is closed by its id and duration alone keeps its begin", arguments: [false, true])
        func closing(inBatch: Bool) async throws {
            // The event is of a fixed day.
            try await client.events.setRetentionDays(0)
            let begin = RecentTime.start
            let id = try await client.record("work", ["timestamp": .int64(begin), "open": .boolean(true)])
            if inBatch {
                let record = EventRecord(
                    type: "work", source: "com.example.Test", timestamp: 0, duration: 60,
                    options: ["id": .string(id)])
                _ = try await client.events.recordBatch(events: [record])
            } else {
                try await client.record("work", ["id": .string(id), "duration": .double(60)])
            }
            let event = try await client.event(id: id)
            #expect(event.timestamp == begin && event.duration == 60)
            #expect(!event.isMarked("open"))
        }

        @Test("an event is there with all that was said of it once its call is answered")
        func event() async throws {
            let id = try await client.record(
                "build", source: "com.example.IDE",
                [
                    "timestamp": .int64(RecentTime.start + 123_456), "duration": .double(1.5),
                    "data": .options(["target": .string("all")]), "unknown": .int32(1),
                ])
            let event = try await client.event(id: id)
            #expect(event.id == id)
            #expect(event.timestamp == RecentTime.start + 123_456)
            #expect(event.type == "build")
            #expect(event.source == "com.example.IDE")
            #expect(event.duration == 1.5)
            #expect(event.attributes.keys.map(\.text) == ["data"])
            #expect(try event.data == ["target": .string("all")])
            #expect(try await client.events.eventCount() == 1)
        }

        @Test("an event without time and duration is of now and has none")
        func defaults() async throws {
            let before = WallClock.system.now().microseconds
            let id = try await client.record()
            let after = WallClock.system.now().microseconds
            let event = try await client.event(id: id)
            #expect((before...after).contains(event.timestamp))
            #expect(event.duration == -1)
            #expect(event.attributes.isEmpty)
        }

        @Test("the time of an event is that of its call, not that of its writing")
        func timeOfCall() async throws {
            let before = WallClock.system.now().microseconds
            let outcomes = Recorder<Result<Message, DBusError>>()
            let count = 200
            for _ in 0..<count {
                let message = try Message.methodCall(
                    to: TestClient.service, "/org/sentinel", Events1.name, "Record"
                ) { (writer) throws(DBusError) in
                    try writer.write("test")
                    try writer.write("com.example.Test")
                    try writer.write([Key: Value]())
                }
                client.connection.call(message) { outcomes.append($0) }
            }
            try await waitUntil("all are answered") { outcomes.count == count }
            let after = WallClock.system.now().microseconds
            let times = try await client.allEvents().map(\.timestamp)
            #expect(times.count == count)
            #expect(times == times.sorted(by: >))
            #expect(times.allSatisfy { (before...after).contains($0) })
        }

        @Test("the same id again, in any case, replaces the event")
        func replacing() async throws {
            let id = "0123ABCD-0123-7abc-8def-0123456789ab"
            let given = try await client.record("first", ["id": .string(id), "data": .options(["a": .int32(1)])])
            #expect(given == id.lowercased())
            let again = try await client.record("second", ["id": .string(id.lowercased()), "duration": .double(3)])
            #expect(again == given)
            #expect(try await client.events.eventCount() == 1)
            let event = try await client.event(id: id.uppercased())
            #expect(event.type == "second")
            #expect(event.duration == 3)
            #expect(event.attributes.isEmpty)
        }

        @Test("an open event is closed by its id with a duration")
        func openEvent() async throws {
            let id = try await client.record(
                "work", ["timestamp": .int64(RecentTime.start), "open": .boolean(true)])
            #expect(try await client.event(id: id).isMarked("open"))
            _ = try await client.record(
                "work", ["id": .string(id), "timestamp": .int64(RecentTime.start), "duration": .double(60)])
            let event = try await client.event(id: id)
            #expect(event.duration == 60)
            #expect(event.attributes.isEmpty)
        }

        @Test("an empty source is the caller's application, and no source for others")
        func ownSource() async throws {
            await expectError(.invalidArgs, mentioning: "source") { try await client.record(source: "") }
            try await client.register("com.example.App")
            let id = try await client.record(source: "")
            #expect(try await client.event(id: id).source == "com.example.App")
            // Another connection of the same process is of the same application.
            let second = try TestClient(on: fixture.bus)
            let other = try await second.record(source: "")
            #expect(try await client.event(id: other).source == "com.example.App")
            try await client.register("com.example.Second")
            await expectError(.invalidArgs, mentioning: "several") { try await client.record(source: "") }
        }

        /// Options that are refused, with what the message mentions.
        static var badOptions: [(key: Key, value: Value, mention: String)] {
            [
                ("timestamp", .string("notanumber"), "timestamp"), ("timestamp", .int64(0), "1972"),
                ("timestamp", .int64(.max), "2200"), ("timestamp", .double(1e15), "timestamp"),
                ("duration", .double(-2), "duration"), ("duration", .double(.nan), "duration"),
                ("duration", .double(.infinity), "duration"), ("duration", .double(2_592_001), "30 days"),
                ("duration", .boolean(true), "duration"), ("id", .string(""), "UUID"),
                ("id", .string("{0123abcd-0123-7abc-8def-0123456789ab}"), "UUID"), ("id", .int32(1), "id"),
                ("open", .int32(1), "open"), ("data", .string("x"), "data"),
                ("data", .options(["p": .objectPath("/")]), "data p"),
                ("data", .options(["x": .double(.infinity)]), "data x"),
                ("data", .options(["t": .uint64(.max)]), "data t"),
                ("data", .options(["s": .structure([.int32(1)])]), "data s"),
            ]
        }

        @Test(
            "what is out of range or of a wrong type is refused, and nothing is stored", arguments: badOptions.indices)
        func badOption(index: Int) async throws {
            let (key, value, mention) = Self.badOptions[index]
            await expectError(.invalidArgs, mentioning: mention) { try await client.record("test", [key: value]) }
            let isField = ["timestamp", "duration"].contains(key.text)
            if !isField, key != "open" {
                let record = EventRecord(
                    type: "test", source: "com.example.Test", timestamp: 0, duration: -1, options: [key: value])
                await expectError(.invalidArgs, mentioning: "event 0", mention) {
                    _ = try await client.events.recordBatch(events: [record])
                }
            }
            #expect(try await client.events.eventCount() == 0)
        }

        @Test(
            "a type or source that is no name is refused",
            arguments: ["", "a\nb", "\u{202E}x", String(repeating: "x", count: 256)])
        func badName(name: String) async throws {
            await expectError(.invalidArgs) { try await client.record(name) }
            if !name.isEmpty {
                await expectError(.invalidArgs) { try await client.record(source: name) }
            }
            #expect(try await client.events.eventCount() == 0)
        }

        @Test("an event cannot be open and have a duration")
        func openWithDuration() async throws {
            await expectError(.invalidArgs, mentioning: "open") {
                try await client.record("test", ["open": .boolean(true), "duration": .double(1)])
            }
        }
    }
}
