// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelService

extension LiveTests {
    @Suite("Forgetting after a day", .serialized, .timeLimit(.minutes(5)))
    struct ExpiryTests {
        private static let day = Duration.seconds(24 * 60 * 60)

        private let bus: PrivateBus
        private let client: TestClient
        private var connection: Connection { client.connection }

        init() throws {
            bus = try PrivateBus()
            client = try TestClient(on: bus)
        }

        /// Calls `body` on the loop's thread.
        private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                connection.loop.enqueue { continuation.resume(returning: body()) }
            }
        }

        private func registry(
            _ records: [ApplicationRecord], clock: WallClock = .system, grace: Duration = .zero,
            changes: Recorder<String> = Recorder(), loaded: @escaping @Sendable (ApplicationRegistry) -> Void = { _ in }
        ) async throws -> (ApplicationRegistry, Store) {
            let store = Store.open(location: .memory)
            for record in records {
                try await store.keep(record)
            }
            let now = WallClock.system.now()
            let registry = ApplicationRegistry(
                service: KnownApplication(ApplicationRecord(id: .sentinel, firstSeen: now, lastSeen: now)),
                store: store, connection: connection, clock: clock, log: Log(level: .error), limit: 1000,
                grace: grace)
            let problem: SentinelError? = await onLoop {
                registry.changed = { application, change in
                    if case .removed = change {
                        changes.append(application.id.text)
                    }
                }
                do throws(SentinelError) {
                    try registry.load()
                    loaded(registry)
                    return nil
                } catch {
                    return error
                }
            }
            if let problem { throw problem }
            return (registry, store)
        }

        private func ids(_ registry: ApplicationRegistry) async -> [String] {
            await onLoop { registry.all.map(\.id.text) }
        }

        private func register(_ id: String, _ client: BusName, in registry: ApplicationRegistry) async throws {
            let id = try ApplicationID(id)
            let result = await withCheckedContinuation { continuation in
                connection.loop.enqueue {
                    let instance = KnownApplication.Instance(
                        client: client, processID: 1, registration: Registration())
                    registry.register(id, instance) { result in continuation.resume(returning: result.map { _ in }) }
                }
            }
            try result.get()
        }

        @Test("an application is forgotten a day after it was last seen, and no earlier")
        func afterADay() async throws {
            let changes = Recorder<String>()
            let (registry, store) = try await registry(
                [
                    .seen("a.old", ago: Self.day + .seconds(60)),
                    .seen("a.soon", ago: Self.day - .milliseconds(400)),
                    .seen("a.young", ago: Self.day - .seconds(60)),
                ], changes: changes)
            try await changes.wait(for: 2)
            #expect(changes.elements.sorted() == ["a.old", "a.soon"])
            #expect(await ids(registry) == ["a.young", "org.sentinel"])
            #expect(try store.applications().map(\.id.text) == ["a.young"])
        }

        @Test("after a start, who runs on has time to register again before anything is forgotten")
        func grace() async throws {
            let changes = Recorder<String>()
            let known = Recorder<String>()
            let registered = Recorder<Result<Void, SentinelError>>()
            let instance = KnownApplication.Instance(
                client: connection.uniqueName, processID: 1, registration: Registration())
            let id = try ApplicationID("a.runs")
            let (registry, store) = try await registry(
                [.seen("a.gone", ago: Self.day * 3), .seen("a.runs", ago: Self.day * 3)],
                grace: .milliseconds(500), changes: changes
            ) { registry in
                // In the same job of the loop, so that the time does not pass meanwhile.
                registry.all.forEach { known.append($0.id.text) }
                registry.register(id, instance) { registered.append($0.map { _ in }) }
            }
            #expect(known.elements == ["a.gone", "a.runs", "org.sentinel"])
            try await registered.wait()[0].get()
            try await changes.wait(for: 1)
            #expect(changes.elements == ["a.gone"])
            #expect(await ids(registry) == ["a.runs", "org.sentinel"])
            let record = try #require(try store.applications().first)
            #expect(record.id.text == "a.runs")
            // It is the same application as before.
            #expect(record.name == "App")
        }

        @Test("an application counts from its last instance's end")
        func lastInstance() async throws {
            let (registry, store) = try await registry([.seen("a.old", ago: Self.day * 2)], grace: .seconds(60))
            let id = try ApplicationID("a.old")
            let before = WallClock.system.now()
            try await register("a.old", connection.uniqueName, in: registry)
            await onLoop { [connection] in registry.unregister(id, connection.uniqueName) { _ in } }
            try await waitUntil("the end is stored") { try store.applications()[0].lastSeen >= before }
            #expect(await ids(registry) == ["a.old", "org.sentinel"])
        }

        @Test("what runs when the service ends was seen then")
        func endOfService() async throws {
            let directory = try TemporaryDirectory()
            let data = directory.path(of: "data")
            var service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            try await client.register("a.runs")
            let before = WallClock.system.now().microseconds
            #expect(try service.stop() == .exited(0))
            service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let text = try await client.sentinel.describe(options: [:])
            let seen = try #require(text.firstMatch(of: /"last_seen": ?([0-9]+)/)?.output.1)
            #expect(try #require(Int64(seen)) >= before)
            #expect(try service.stop() == .exited(0))
        }
    }
}
