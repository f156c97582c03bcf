// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    @Suite("Provider link", .serialized, .timeLimit(.minutes(5)))
    struct ProviderLinkTests {
        /// A link to a provider, used on the loop of its own connection.
        private final class Fixture: Sendable {
            let caller: TestClient
            let provider: TestProvider
            private let link: ProviderLink
            private nonisolated(unsafe) let application: KnownApplication

            init(_ limits: ProviderLimits, _ behaviour: TestProvider.Behaviour) async throws {
                let bus = try PrivateBus()
                caller = try TestClient(on: bus)
                provider = try await TestProvider(nil, on: bus, behaviour)
                let time = Timestamp(clamping: 0)
                application = KnownApplication(
                    ApplicationRecord(id: try ApplicationID("com.example.App"), firstSeen: time, lastSeen: time))
                var registration = Registration()
                registration.provider = TestProvider.path
                _ = application.update(
                    KnownApplication.Instance(
                        client: provider.client.connection.uniqueName, processID: 1, registration: registration))
                link = ProviderLink(caller.connection, limits: limits)
                held = bus
            }

            /// The bus ends with the last reference to it.
            private let held: PrivateBus

            func content(_ tool: Name, to outcomes: Recorder<Result<[Section], SentinelError>>) {
                caller.connection.loop.enqueue { [self] in
                    link.content(of: tool, of: application) { outcomes.append($0) }
                }
            }

            func read(_ key: Name, to outcomes: Recorder<Result<Value, SentinelError>>) {
                caller.connection.loop.enqueue { [self] in
                    link.readPreference(key, of: application) { outcomes.append($0) }
                }
            }

            func write(_ key: Name, to outcomes: Recorder<Result<Value, SentinelError>>) {
                caller.connection.loop.enqueue { [self] in
                    link.writePreference(key, to: .byte(1), of: application) { outcomes.append($0) }
                }
            }

            func end() {
                provider.end()
                caller.close()
            }
        }

        private static func code<Answer>(_ result: Result<Answer, SentinelError>) -> SentinelError.Code? {
            if case .failure(let error) = result { error.code } else { nil }
        }

        @Test("a provider that does not answer is given up after its time, and its late answer is dropped")
        func late() async throws {
            let replies = Recorder<Reply<[Section]>>()
            var behaviour = TestProvider.Behaviour()
            behaviour.content = { _, reply in replies.append(reply) }
            let fixture = try await Fixture(ProviderLimits(deadline: .milliseconds(50)), behaviour)
            let outcomes = Recorder<Result<[Section], SentinelError>>()
            fixture.content(try Name("t"), to: outcomes)
            try await outcomes.wait()
            #expect(outcomes.elements.map { Self.code($0) } == [.providerTimeout])
            try await replies.wait()
            replies.elements[0]([])
            try await fixture.provider.client.roundTrip()
            // The bus has handed the late answer on before it answers this.
            try await fixture.caller.roundTrip()
            #expect(outcomes.count == 1)
            fixture.end()
        }

        @Test("only after what can change something is it said that something may have been done")
        func mayHaveRun() async throws {
            let replies = Recorder<Reply<Value>>()
            var behaviour = TestProvider.Behaviour()
            behaviour.readPreference = { _, reply in replies.append(reply) }
            behaviour.writePreference = { _, _, reply in replies.append(reply) }
            let fixture = try await Fixture(ProviderLimits(deadline: .milliseconds(50)), behaviour)
            let (read, written) = (Recorder<Result<Value, SentinelError>>(), Recorder<Result<Value, SentinelError>>())
            fixture.read(try Name("k"), to: read)
            fixture.write(try Name("k"), to: written)
            for (outcomes, mayHaveRun) in [(read, false), (written, true)] {
                guard case .failure(let error) = try await outcomes.wait()[0] else {
                    Issue.record("it was answered")
                    continue
                }
                #expect(error.code == .providerTimeout)
                #expect(error.message.hasSuffix("an action may have run") == mayHaveRun)
            }
            fixture.end()
        }

        @Test("a provider that leaves fails what waits for it, however long there is time")
        func leaving() async throws {
            let replies = Recorder<Reply<[Section]>>()
            var behaviour = TestProvider.Behaviour()
            behaviour.content = { _, reply in replies.append(reply) }
            let fixture = try await Fixture(ProviderLimits(deadline: .seconds(3600)), behaviour)
            let outcomes = Recorder<Result<[Section], SentinelError>>()
            fixture.content(try Name("t"), to: outcomes)
            try await replies.wait()
            fixture.provider.end()
            try await outcomes.wait()
            #expect(outcomes.elements.map { Self.code($0) } == [.providerGone])
            fixture.end()
        }

        @Test("more calls than may wait are refused at once")
        func tooMany() async throws {
            let replies = Recorder<Reply<Value>>()
            var behaviour = TestProvider.Behaviour()
            behaviour.readPreference = { _, reply in replies.append(reply) }
            let limits = ProviderLimits(deadline: .seconds(3600), outstandingCalls: 2)
            let fixture = try await Fixture(limits, behaviour)
            let outcomes = Recorder<Result<Value, SentinelError>>()
            for _ in 0..<3 {
                fixture.read(try Name("k"), to: outcomes)
            }
            try await outcomes.wait()
            #expect(outcomes.takeAll().map { Self.code($0) } == [.limitsExceeded])
            for reply in try await replies.wait(for: 2) {
                reply(.byte(1))
            }
            #expect(try await outcomes.wait(for: 2).allSatisfy { Self.code($0) == nil })
            fixture.end()
        }

        @Test("an answer is taken as long as it is not too large")
        func large() async throws {
            var behaviour = TestProvider.Behaviour()
            behaviour.readPreference = { key, reply in
                reply(.string(String(repeating: "x", count: key == "large" ? 4096 : 16)))
            }
            let fixture = try await Fixture(ProviderLimits(answerBytes: 1024), behaviour)
            let outcomes = Recorder<Result<Value, SentinelError>>()
            fixture.read(try Name("small"), to: outcomes)
            fixture.read(try Name("large"), to: outcomes)
            try await outcomes.wait(for: 2)
            #expect(outcomes.elements.map { Self.code($0) } == [nil, .unavailable])
            fixture.end()
        }
    }
}
