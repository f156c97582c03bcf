// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// What the service tells of itself.
///
/// Confined to the loop's thread.
final class ServiceState {
    private let store: Store

    init(store: Store) {
        self.store = store
    }

    /// `ok`, or `degraded` while storage is impaired.
    var health: String { store.health.state.rawValue }

    /// The findings behind `health`, by what they concern.
    var healthDetails: [Key: Value] {
        let findings = storageFindings
        return findings.isEmpty ? [:] : ["storage": .strings(findings)]
    }

    private var storageFindings: [String] {
        store.health.details.map { "\($0.key): \($0.value)" }
    }

    /// Everything as one JSON document.
    func document(applications: [KnownApplication]) -> JSONValue {
        [
            "service": [
                "name": "org.sentinel",
                "version": .string(sentinelVersion),
                "features": .array(ServiceObject.featureNames.map(JSONValue.string)),
                "health": .string(health),
                "health_details": ["storage": .array(storageFindings.map(JSONValue.string))],
            ],
            "applications": .array(applications.map(Self.document)),
        ]
    }

    private static func document(_ application: KnownApplication) -> JSONValue {
        [
            "id": .string(application.id.text),
            "name": .string(application.name),
            "version": .string(application.record.version),
            "build": .string(application.record.build),
            "icon": .string(application.record.icon),
            "running": .bool(application.isRunning),
            "instances": .array(
                application.instances.reversed().map { instance in
                    [
                        "unique_name": .string(instance.client.text),
                        "process_id": .integer(Int64(instance.processID)),
                    ]
                }),
            "first_seen": .integer(application.record.firstSeen.microseconds),
            "last_seen": .integer(application.record.lastSeen.microseconds),
        ]
    }
}
