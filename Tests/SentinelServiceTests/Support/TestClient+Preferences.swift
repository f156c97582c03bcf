// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport

extension TestClient {
    /// The preferences of an application, by the path that `Register` gave.
    func preferences(at path: ObjectPath) -> Preferences1Proxy {
        Preferences1Proxy(connection, destination: Self.service, path: path)
    }

    /// Collects the signals of `Preferences1` of all objects from now on, as long as the subscription lives.
    func recordPreferences(
        _ member: MemberName? = nil
    ) async throws -> (signals: Recorder<Message>, subscription: Subscription) {
        try await record(MatchRule(interface: Preferences1.name, member: member))
    }
}

extension Preferences1Proxy {
    /// The object of the application.
    var path: ObjectPath { remote.path }
}

extension PreferenceDeclaration {
    /// A declaration for a test.
    static func of(_ key: String, _ value: Value, _ attributes: [Key: Value] = [:]) -> PreferenceDeclaration {
        PreferenceDeclaration(key: key, name: key, defaultValue: value, attributes: attributes)
    }
}

/// What a signal `Changed` says.
struct PreferenceChangeSignal: Equatable {
    let path: ObjectPath?
    let keys: [String]
    let values: [Key: Value]

    init(_ path: ObjectPath?, _ keys: [String], _ values: [Key: Value]) {
        self.path = path
        self.keys = keys
        self.values = values
    }

    init(_ signal: Message) throws {
        var body = signal.body
        path = signal.path
        keys = try body.read()
        values = try body.read()
    }
}
