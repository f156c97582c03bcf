// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence
import SystemFacts

/// What the service tells of itself.
///
/// Confined to the loop's thread.
final class ServiceState {
    private let store: Store
    /// What is wrong with the file of limits.
    private let limitFindings: [String]
    private let device: DeviceMonitor
    private let profiles: ApplicationProfiles
    private let events: EventsObject
    private let manifests: ManifestCatalog
    private let metrics: MetricFiles
    private let tools: ToolDirectory
    private let serviceTools: ServiceTools
    private let preferences: PreferenceService
    private let triggers: TriggerCalls

    init(
        store: Store, limitFindings: [String], device: DeviceMonitor, profiles: ApplicationProfiles,
        events: EventsObject, manifests: ManifestCatalog, metrics: MetricFiles, tools: ToolDirectory,
        serviceTools: ServiceTools, preferences: PreferenceService, triggers: TriggerCalls
    ) {
        self.store = store
        self.limitFindings = limitFindings
        self.device = device
        self.profiles = profiles
        self.events = events
        self.manifests = manifests
        self.metrics = metrics
        self.tools = tools
        self.serviceTools = serviceTools
        self.preferences = preferences
        self.triggers = triggers
    }

    /// `ok`, or `degraded` while storage is impaired.
    var health: String { store.health.state.rawValue }

    /// The findings behind `health`, by what they concern.
    var healthDetails: [Key: Value] {
        let known = findings.filter { !$0.texts.isEmpty }
        return Dictionary(uniqueKeysWithValues: known.map { (Key($0.subject), .strings($0.texts)) })
    }

    private var findings: [(subject: String, texts: [String])] {
        [
            ("events", events.settings.faults), ("limits", limitFindings), ("manifests", manifests.findings),
            ("metrics", metrics.findings),
            ("services", device.missingServices), ("storage", storageFindings),
            ("values", preferences.warnings),
        ]
    }

    private var storageFindings: [String] {
        store.health.details.map { "\($0.key): \($0.value)" }
    }

    /// Everything as one JSON document, as far as it is known without asking anybody.
    func document(applications: [KnownApplication]) -> JSONValue {
        [
            "service": [
                "name": "org.sentinel",
                "version": .string(sentinelVersion),
                "features": .array(ServiceObject.featureNames.map(JSONValue.string)),
                "health": .string(health),
                "health_details": .object(
                    findings.map { ($0.subject, .array($0.texts.map(JSONValue.string))) }),
            ],
            "device": device.facts.document,
            "events": events.document,
            "applications": .array(applications.map(document)),
        ]
    }

    private func document(_ application: KnownApplication) -> JSONValue {
        .object(
            application.members + profiles.current(application).members(of: application.processID)
                + [
                    (
                        "tools",
                        application.id == .sentinel ? serviceTools.document : tools.document(of: application)
                    ),
                    ("preferences", preferences.document(of: application.id)),
                    ("triggers", triggers.document(of: application.id)),
                ])
    }
}

extension KnownApplication {
    /// What its instances have said, and which there are.
    fileprivate var members: [(key: String, value: JSONValue)] {
        [
            ("id", .string(id.text)),
            ("name", .string(name)),
            ("version", .string(version)),
            ("build", .string(build)),
            ("icon", .string(icon)),
            ("running", .bool(isRunning)),
            (
                "instances",
                .array(
                    instances.reversed().map { instance in
                        [
                            "unique_name": .string(instance.client.text),
                            "process_id": .integer(Int64(instance.processID)),
                        ]
                    })
            ),
            ("first_seen", .integer(record.firstSeen.microseconds)),
            ("last_seen", .integer(record.lastSeen.microseconds)),
        ]
    }
}
