// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

/// Triggers of kind `shortcut` on a bus of their own, used on the loop of a client's connection.
final class ShortcutFixture: Sendable {
    let bus: PrivateBus
    let client: TestClient
    /// The ids of the triggers that have fired.
    let fired = Recorder<String>()
    private let triggers: ShortcutTriggers

    /// - Parameter gathering: how long changes are gathered; so short that no test waits for it, unless it is about it.
    init(
        activatable: [String: String] = [:], gathering: Duration = .milliseconds(1), deadline: Duration = .seconds(30)
    ) throws {
        bus = try PrivateBus(activatable: activatable)
        client = try TestClient(on: bus)
        triggers = ShortcutTriggers(
            connection: client.connection, log: Log(level: .error), gathering: gathering, deadline: deadline,
            applicationName: { $0.text == "named" ? "Example" : nil },
            fire: { [fired] in fired.append($0.text) })
    }

    /// Lets go of all; without that the loop would not end.
    func end() async {
        await onLoop { $0.stop() }
        client.close()
    }

    /// Does something with the triggers on the thread where they live.
    @discardableResult
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (ShortcutTriggers) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            client.connection.loop.enqueue { [triggers] in continuation.resume(returning: body(triggers)) }
        }
    }

    func add(_ ids: String..., preferred: String? = nil, description: String? = nil) async throws {
        let names = try ids.map { try Name($0) }
        let shortcut = TriggerCause.Shortcut(
            preferred: try preferred.map { try Name($0) }, description: try description.map { try Name($0) })
        await onLoop { triggers in
            for name in names {
                triggers.add(name, .shortcut(shortcut))
            }
        }
    }

    func remove(_ ids: String...) async throws {
        let names = try ids.map { try Name($0) }
        await onLoop { triggers in
            for name in names {
                triggers.remove(name)
            }
        }
    }

    func obstacle(to id: String) async throws -> String? {
        let name = try Name(id)
        return await onLoop { $0.obstacle(to: name) }
    }

    /// The number of rules that the bus holds for the triggers' connection.
    func ruleCount() async throws -> UInt32 {
        let statistics = try await RemoteInterface(
            "org.freedesktop.DBus.Debug.Stats", of: "/org/freedesktop/DBus", at: .bus, on: client.connection
        ).call("GetConnectionStats", client.name, returning: [Key: Value].self)
        return try #require(statistics["MatchRules"]).integer()
    }

    /// Waits until a trigger has an obstacle, or none.
    func wait(for obstacle: String?, to id: String) async throws {
        var last: String?
        do {
            try await waitUntil("the obstacle") {
                last = try await self.obstacle(to: id)
                return last == obstacle
            }
        } catch {
            #expect(last == obstacle)
            throw error
        }
    }
}
