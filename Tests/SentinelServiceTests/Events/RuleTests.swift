// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Rules", .serialized, .timeLimit(.minutes(5)))
    struct RuleTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func setRules(_ rules: (String, String, String)...) async throws {
            try await client.events.setRules(rules.map { RuleEntry(action: $0.0, field: $0.1, pattern: $0.2) })
        }

        @Test("the first rule that fits counts")
        func order() async throws {
            try await setRules(
                ("allow", "type", "web.public*"), ("deny", "type", "web.*"), ("redact", "data.url", "*secret*"),
                ("redact", "source", "com.example.Private"), ("deny", "data.window", "private"))
            try await client.record("web.public.visit")
            await expectError("org.sentinel.Error.Denied", mentioning: "rule") { try await client.record("web.visit") }
            await expectError("org.sentinel.Error.Denied") {
                try await client.record("test", ["data": .options(["window": .string("private")])])
            }

            let url = try await client.record(
                "test", ["data": .options(["url": .string("a secret"), "title": .string("t")])])
            let redacted = try await client.event(id: url)
            #expect(redacted.isMarked("redacted"))
            #expect(try redacted.data == ["title": .string("t")])

            let own = try await client.record(
                source: "com.example.Private", ["data": .options(["a": .int32(1), "b": .int32(2)])])
            #expect(try await client.event(id: own).isMarked("redacted"))
            #expect(try await client.event(id: own).data.isEmpty)

            let plain = try await client.record("test", ["data": .options(["url": .string("open")])])
            #expect(try await !client.event(id: plain).isMarked("redacted"))
        }

        @Test("a batch leaves out what is denied and counts the rest")
        func batch() async throws {
            try await setRules(("deny", "type", "b"))
            let records = ["a", "b", "c", "b"].map {
                EventRecord(type: $0, source: "com.example.Test", timestamp: 0, duration: -1, options: [:])
            }
            #expect(try await client.events.recordBatch(events: records) == 2)
            #expect(try await client.allEvents().map(\.type).sorted() == ["a", "c"])
            #expect(try await client.events.recordBatch(events: [records[1]]) == 0)
        }

        /// Rules that are refused, with what the message mentions.
        static let badRules: [(rule: RuleEntry, mention: String)] = [
            (RuleEntry(action: "", field: "type", pattern: "*"), "allow"),
            (RuleEntry(action: "Deny", field: "type", pattern: "*"), "allow"),
            (RuleEntry(action: "deny", field: "id", pattern: "*"), "data.<key>"),
            (RuleEntry(action: "deny", field: "data.", pattern: "*"), "data.<key>"),
            (RuleEntry(action: "deny", field: "type", pattern: ""), "pattern"),
            (RuleEntry(action: "deny", field: "type", pattern: "[a"), "pattern"),
            (RuleEntry(action: "deny", field: "type", pattern: "a\\"), "pattern"),
        ]

        @Test("a rule that is none is refused with its place, and all stay as they were", arguments: badRules.indices)
        func badRule(index: Int) async throws {
            let (rule, mention) = Self.badRules[index]
            let good = RuleEntry(action: "deny", field: "type", pattern: "x")
            try await client.events.setRules([good])
            await expectError(.invalidArgs, mentioning: "rule 1", mention) {
                try await client.events.setRules([good, rule])
            }
            #expect(try await client.events.rules() == [good])
        }

        @Test("rules are told when they change, last across a restart and hold for what is captured")
        func persistence() async throws {
            let data = try TemporaryDirectory()
            let bus = try PrivateBus()
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data.path(of: "data"))
            var client = try TestClient(on: bus)
            let (changes, subscription) = try await client.eventChanges()
            let rules = [
                RuleEntry(action: "deny", field: "source", pattern: "com.example.Secret"),
                RuleEntry(action: "redact", field: "data.\"k\"", pattern: "[!a-z]\\*é"),
            ]
            try await client.events.setRules(rules)
            try await client.events.setRules(rules)
            try await client.roundTrip()
            #expect(try changes.elements.map { try PropertyChange($0).changed.keys.map(\.text) } == [["Rules"]])
            subscription.cancel()
            #expect(try service.stop() == .exited(0))
            service = try await SentinelProcess.started(on: bus, dataDirectory: data.path(of: "data"))
            client = try TestClient(on: bus)
            #expect(try await client.events.rules() == rules)
            let application = try TestClient(on: bus)
            try await application.register("com.example.Secret")
            try await application.register("com.example.Open")
            application.close()
            try await waitUntil("the end is captured") {
                try await client.events.count(filter: ["type": .string("app.exit")]) == 1
            }
            #expect(try await client.events.count(filter: ["source": .string("com.example.Secret")]) == 0)
            #expect(try service.stop() == .exited(0))
        }

        @Test("a thousand rules there may be, and no more")
        func limit() async throws {
            let rule = RuleEntry(action: "allow", field: "type", pattern: "x")
            try await client.events.setRules([RuleEntry](repeating: rule, count: 1000))
            await expectError(.invalidArgs, mentioning: "1000") {
                try await client.events.setRules([RuleEntry](repeating: rule, count: 1001))
            }
        }

        @Test("rules are applied to what is stored when that is asked for")
        func applying() async throws {
            let kept = try await client.record("a", ["data": .options(["n": .int32(1)])])
            let denied = try await client.record("b")
            let redacted = try await client.record(
                "c", ["data": .options(["k": .string("secret-word"), "l": .int32(2)])])
            try await setRules(("deny", "type", "b"), ("redact", "data.k", "secret*"))
            #expect(try await client.events.eventCount() == 3)
            #expect(try await client.events.applyRules(options: [:]) == 2)
            #expect(try await client.event(id: kept).data == ["n": .int64(1)])
            #expect(try await client.allEvents(["ids": .strings([denied])]).isEmpty)
            #expect(try await client.event(id: redacted).data == ["l": .int64(2)])
            #expect(try await client.event(id: redacted).isMarked("redacted"))
            #expect(try await client.events.applyRules(options: [:]) == 0)
        }
    }
}
