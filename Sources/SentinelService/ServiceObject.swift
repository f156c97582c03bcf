// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// `org.sentinel.Sentinel1`: the service's front door.
///
/// Confined to the loop's thread.
final class ServiceObject: Sentinel1Handler {
    /// The path of the object, which is also the application `org.sentinel`.
    static let path: ObjectPath = "/org/sentinel"
    /// What this version can do, by name.
    static let featureNames = [
        "applications", "device", "events", "inspect", "log-control", "manifests", "performance", "preferences",
        "presentation", "tools", "triggers",
    ]

    let registry: ApplicationRegistry
    private let peers: PeerDirectory
    private let state: ServiceState
    private let inspector: ProcessInspector
    let presentations: PresentationService
    private let triggers: TriggerCalls

    init(
        registry: ApplicationRegistry, peers: PeerDirectory, state: ServiceState, inspector: ProcessInspector,
        presentations: PresentationService, triggers: TriggerCalls
    ) {
        self.registry = registry
        self.peers = peers
        self.state = state
        self.inspector = inspector
        self.presentations = presentations
        self.triggers = triggers
    }

    /// Reads an application id; the empty text means the service itself.
    func id(_ text: String) throws(SentinelError) -> ApplicationID {
        text.isEmpty ? .sentinel : try ApplicationID(text)
    }

    private func refuseService(_ id: ApplicationID) throws(SentinelError) {
        guard id != .sentinel else {
            throw SentinelError(.accessDenied, "\(id) is the service itself; no other process can be an instance of it")
        }
    }
}

// MARK: - Applications

extension ServiceObject {
    func register(applicationID: String, options: [Key: Value], reply: Reply<ObjectPath>) {
        reply.attempt {
            let id = try id(applicationID)
            try refuseService(id)
            let registration = try Registration(options: options)
            let path = try ApplicationObjects.path(of: id)
            let client = try reply.call.client
            peers.identify(client) { [registry] result in
                switch result {
                case .success(let peer):
                    let instance = KnownApplication.Instance(
                        client: client, processID: peer.processID, registration: registration,
                        start: reply.call.arrival)
                    registry.register(id, instance) { result in
                        reply.attempt {
                            _ = try result.get()
                            reply(path)
                        }
                    }
                case .failure(let error):
                    reply.fail(error)
                }
            }
        }
    }

    func unregister(applicationID: String, options: [Key: Value], reply: Reply<>) {
        reply.attempt {
            let id = try id(applicationID)
            try refuseService(id)
            let client = try reply.call.client
            registry.unregister(id, client) { result in
                reply.attempt {
                    try result.get()
                    reply()
                }
            }
        }
    }

    func forget(applicationID: String, options: [Key: Value], reply: Reply<>) {
        reply.attempt {
            let id = try id(applicationID)
            guard id != .sentinel else {
                throw SentinelError(.notSupported, "the service cannot forget itself")
            }
            registry.forget(id) { result in
                reply.attempt {
                    try result.get()
                    reply()
                }
            }
        }
    }

    func listApplications(reply: Reply<[ApplicationEntry]>) {
        reply.attempt {
            reply(
                try registry.all.map { application in
                    ApplicationEntry(
                        id: application.id.text,
                        object: try ApplicationObjects.path(of: application.id),
                        name: application.name,
                        running: application.isRunning,
                        attributes: application.attributes)
                })
        }
    }

    func describe(options: [Key: Value], reply: Reply<String>) {
        reply(state.document(applications: registry.all).serialized(.pretty) + "\n")
    }
}

// MARK: - State

extension ServiceObject {
    var version: String { sentinelVersion }
    var features: [String] { Self.featureNames }
    var health: String { state.health }
    var healthDetails: [Key: Value] { state.healthDetails }
}

// MARK: - Triggers and inspection

extension ServiceObject {
    func trigger(applicationID: String, details: [Key: Value], reply: Reply<>) {
        reply.attempt { triggers.fire(try id(applicationID), reply: reply) }
    }

    func addTrigger(applicationID: String, kind: String, options: [Key: Value], reply: Reply<String>) {
        reply.attempt { triggers.add(try id(applicationID), kind: kind, options: options, reply: reply) }
    }

    func removeTrigger(triggerID: String, reply: Reply<>) {
        triggers.remove(triggerID, reply: reply)
    }

    func listTriggers(reply: Reply<[TriggerEntry]>) {
        triggers.list(reply: reply)
    }

    func inspect(processID: UInt32, reply: Reply<[Section]>) {
        inspector.inspect(processID, reply: reply)
    }
}

extension KnownApplication {
    /// What `ListApplications` tells beyond the fields of an entry.
    fileprivate var attributes: [Key: Value] {
        let texts: [(Key, String)] = [("version", version), ("build", build), ("icon", icon)]
        return Dictionary(uniqueKeysWithValues: texts.filter { !$0.1.isEmpty }.map { ($0.0, .string($0.1)) })
    }
}
