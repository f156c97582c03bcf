// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport
import Testing

@testable import SentinelPreferences

@Suite("Live preferences", .timeLimit(.minutes(5)))
struct LiveValueTests {
    private func fixture() async throws -> PreferenceFixture {
        let fixture = try await PreferenceFixture()
        try await fixture.declare(
            try .of("l", .integer(0)) {
                $0.marks = .live
                $0.maximum = .integer(10)
            }, try .of("a", .integer(0)))
        _ = fixture.takeChanges()
        return fixture
    }

    private func listing(_ fixture: PreferenceFixture) async throws -> PreferenceListing {
        try #require(try await fixture.ask { $0.list(completion: $1) }.first)
    }

    @Test("without a provider a live preference is unavailable, and shown with its default as stale")
    func noProvider() async throws {
        let fixture = try await fixture()
        await expectFailure(.unavailable, mentioning: "l") { _ = try await fixture.value("l") }
        await expectFailure(.unavailable) { try await fixture.set("l", .integer(1)) }
        await expectFailure(.unavailable) { try await fixture.reset(["l"]) }
        await expectFailure(.invalidValue) { try await fixture.set("l", .integer(11)) }
        let listing = try await listing(fixture)
        #expect(listing.isStale && listing.value == .integer(0) && listing.layer == .provider)
        #expect(try await fixture.ask { $0.values(completion: $1) }.keys.map(\.text) == ["a"])
        #expect(try await fixture.layers("l") == ["provider 0"])
        // What can be reset is, where all is to be.
        try await fixture.set("a", .integer(1))
        try await fixture.reset(nil)
        #expect(try await fixture.value("a") == .integer(0))
    }

    @Test("a provider is read and written, and may settle on another value")
    func provider() async throws {
        let fixture = try await fixture()
        let key = try Name("l")
        let provider = StubProvider { _, value in .success(value == .integer(3) ? .integer(4) : value ?? .integer(2)) }
        await fixture.setProvider(provider)
        #expect(try await fixture.value("l") == .integer(2))
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(2)]])
        #expect(try await fixture.value("l") == .integer(2))
        #expect(fixture.takeChanges().isEmpty)
        #expect(try await fixture.set("l", .integer(3)) == .integer(4))
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(4)]])
        #expect(try await listing(fixture).isStale == false)
        try await fixture.reset(["l"])
        #expect(provider.calls.elements == ["read l", "read l", "write l 3", "write l 0"])
        #expect(try await fixture.history().isEmpty)
        // What the one that has gone told may not hold any more.
        await fixture.setProvider(nil)
        #expect(try await listing(fixture).isStale)
        #expect(try await listing(fixture).value == .integer(0))
    }

    @Test("a provider's errors are passed on, and answers that do not fit are none")
    func faults() async throws {
        let fixture = try await fixture()
        await fixture.setProvider(StubProvider { _, _ in .failure(SentinelError(.providerTimeout, "late")) })
        await expectFailure(.providerTimeout) { _ = try await fixture.value("l") }
        await expectFailure(.providerTimeout) { try await fixture.set("l", .integer(1)) }
        await expectFailure(.providerTimeout) { try await fixture.reset(["l", "a"]) }
        for answer: PreferenceValue? in [.text("2"), .integer(11), .boolean(true), nil] {
            await fixture.setProvider(StubProvider { _, _ in .success(answer) })
            await expectFailure(.unavailable, mentioning: "provider") { _ = try await fixture.value("l") }
            await expectFailure(.unavailable, mentioning: "provider") { try await fixture.set("l", .integer(1)) }
        }
        #expect(fixture.takeChanges().isEmpty)
        #expect(try await listing(fixture).isStale)
    }

    @Test("a provider tells of new values, all or none")
    func updates() async throws {
        let fixture = try await fixture()
        let (live, other, unknown) = (try Name("l"), try Name("a"), try Name("u"))
        try await fixture.ask { $0.update([live: .integer(7)], completion: $1) }
        #expect(fixture.takeChanges().map(\.values) == [[live: .integer(7)]])
        #expect(try await listing(fixture).value == .integer(7))
        try await fixture.ask { $0.update([live: .integer(7)], completion: $1) }
        #expect(fixture.takeChanges().isEmpty)
        await expectFailure(.invalidArgs, mentioning: "a") {
            try await fixture.ask { $0.update([live: .integer(8), other: .integer(1)], completion: $1) }
        }
        await expectFailure(.unknownPreference) {
            try await fixture.ask { $0.update([live: .integer(8), unknown: .integer(1)], completion: $1) }
        }
        await expectFailure(.invalidValue) {
            try await fixture.ask { $0.update([live: .integer(11)], completion: $1) }
        }
        #expect(fixture.takeChanges().isEmpty)
        try await fixture.ask { $0.update([:], completion: $1) }
    }

    @Test("what is known of live values counts towards the bytes of an application")
    func sizes() async throws {
        var limits = PreferenceLimits()
        limits.applicationBytes = 2000
        let fixture = try await PreferenceFixture(limits: limits)
        let live = try PreferenceDeclaration.of("l", .text("")) { $0.marks = .live }
        try await fixture.declare(live, try .of("a", .text("")))
        let (key, text) = (try Name("l"), String(repeating: "x", count: 1000))
        try await fixture.ask { $0.update([key: .text(text)], completion: $1) }
        await expectFailure(.limitsExceeded, mentioning: "2000") {
            try await fixture.ask { $0.update([key: .text(text + text)], completion: $1) }
        }
        await expectFailure(.limitsExceeded, mentioning: "2000") { try await fixture.set("a", .text(text)) }
        // What the provider says is passed on all the same, but not kept.
        await fixture.setProvider(StubProvider { _, value in .success(value ?? .text(text + text)) })
        #expect(try await fixture.value("l") == .text(text + text))
        #expect(try await listing(fixture).value == .text(text))
        #expect(try await listing(fixture).isStale)
        try await fixture.ask { $0.takeInDatabase(completion: $1) }
        await expectFailure(.limitsExceeded) { try await fixture.set("a", .text(text)) }
        // There is room again once less is known.
        try await fixture.ask { $0.update([key: .text("")], completion: $1) }
        try await fixture.set("a", .text(text))
        try await fixture.reset(["a"])
        try await fixture.ask { $0.update([key: .text(text)], completion: $1) }
        try await fixture.ask { $0.remove([key], completion: $1) }
        try await fixture.set("a", .text(text))
    }

    @Test("a live preference has no layers")
    func noLayers() async throws {
        let fixture = try await fixture()
        await fixture.setProvider(StubProvider { _, value in .success(value ?? .integer(2)) })
        await expectFailure(.notSupported) { try await fixture.set("l", .integer(1), for: 1) }
        await expectFailure(.notSupported) { try await fixture.setMany(["l": .integer(1)]) }
        try await fixture.launch(["l": .integer(5)])
        #expect(try await fixture.value("l") == .integer(2))
        try await fixture.saveProfile("p")
        let profile = try Name("p")
        #expect(try await fixture.ask { $0.compare(nil, profile, completion: $1) }.isEmpty)
        #expect(try await fixture.layers("l") == ["provider 2"])
    }

    @Test("one that becomes live lets its stored value go")
    func becomingLive() async throws {
        let fixture = try await fixture()
        try await fixture.set("a", .integer(5))
        try await fixture.declare(try .of("a", .integer(0)) { $0.marks = .live })
        try await fixture.declare(try .of("a", .integer(0)))
        #expect(try await fixture.value("a") == .integer(0))
    }

    @Test("a provider that does not answer holds up nobody")
    func hanging() async throws {
        let fixture = try await fixture()
        let provider = HangingProvider()
        await fixture.setProvider(provider)
        let key = try Name("l")
        let answers = Recorder<PreferenceValue?>()
        await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in
            directory.book(of: id).value(key) { answers.append(try? $0.get()) }
        }
        try await fixture.set("a", .integer(1))
        #expect(try await fixture.value("a") == .integer(1))
        #expect(answers.count == 0)
        await fixture.onQueue { provider.answer(.success(.integer(9))) }
        #expect(try await answers.wait() == [.integer(9)])
    }

    @Test("a late answer of a provider that was replaced is passed on, and says nothing of its successor's value")
    func replaced() async throws {
        let fixture = try await fixture()
        let provider = HangingProvider()
        await fixture.setProvider(provider)
        let key = try Name("l")
        let answers = Recorder<PreferenceValue?>()
        await fixture.onQueue { [directory = fixture.directory, id = fixture.id] in
            directory.book(of: id).value(key) { answers.append(try? $0.get()) }
        }
        await fixture.setProvider(StubProvider { _, _ in .success(.integer(2)) })
        #expect(try await fixture.value("l") == .integer(2))
        await fixture.onQueue { provider.answer(.success(.integer(9))) }
        #expect(try await answers.wait() == [.integer(9)])
        #expect(try await listing(fixture).value == .integer(2))
        #expect(fixture.takeChanges().map(\.values) == [[key: .integer(2)]])
    }

    @Test("resetting all tells what a provider fails with once the rest is reset, and asks no more one that hangs")
    func resettingAll() async throws {
        let fixture = try await fixture()
        try await fixture.declare(try .of("m", .integer(0)) { $0.marks = .live })
        let cases: [(SentinelError.Code, SentinelError.Code?, Int)] = [
            (.denied, .denied, 2), (.unavailable, nil, 2), (.providerTimeout, .providerTimeout, 1),
            (.providerGone, .providerGone, 1),
        ]
        for (failure, expected, callCount) in cases {
            let provider = StubProvider { _, _ in .failure(SentinelError(failure, "no")) }
            await fixture.setProvider(provider)
            try await fixture.set("a", .integer(1))
            if let expected {
                await expectFailure(expected) { try await fixture.reset(nil) }
            } else {
                try await fixture.reset(nil)
            }
            #expect(provider.calls.count == callCount, "\(failure)")
            #expect(try await fixture.value("a") == .integer(0))
        }
    }

    /// A provider that answers when the test says so; confined to the fixture's queue.
    private final class HangingProvider: PreferenceProvider, @unchecked Sendable {
        private var waiting: [Completion] = []

        func read(_ key: Name, completion: @escaping Completion) { waiting.append(completion) }

        func write(_ key: Name, _ value: PreferenceValue, completion: @escaping Completion) {
            waiting.append(completion)
        }

        func answer(_ result: Result<PreferenceValue?, SentinelError>) {
            for completion in waiting { completion(result) }
            waiting = []
        }
    }
}
