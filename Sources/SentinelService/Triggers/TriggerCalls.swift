// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// The methods of `org.sentinel.Sentinel1` that are about triggers.
///
/// Confined to the loop's thread.
final class TriggerCalls: @unchecked Sendable {
    private let registry: ApplicationRegistry
    private let peers: PeerDirectory
    private let directory: TriggerDirectory
    private let firing: TriggerFiring
    private let notification: NotificationTrigger

    init(
        registry: ApplicationRegistry, peers: PeerDirectory, directory: TriggerDirectory, firing: TriggerFiring,
        notification: NotificationTrigger
    ) {
        self.registry = registry
        self.peers = peers
        self.directory = directory
        self.firing = firing
        self.notification = notification
    }

    /// Fires the trigger `method`.
    func fire(_ id: ApplicationID, reply: Reply<>) {
        reply.attempt {
            if registry.find(id) == nil {
                firing.count(.methodTrigger)
            }
            let application = try registry.application(id)
            guard firing.fire(.methodTrigger, Name.methodTrigger.text, of: application, presents: true) else {
                throw SentinelError(
                    .limitsExceeded,
                    "it has fired \(FiringLimit.mostInASecond) times for \(id) within a second; try again later")
            }
            reply()
        }
    }

    /// Adds a trigger.
    func add(_ id: ApplicationID, kind: String, options: [Key: Value], reply: Reply<String>) {
        reply.attempt {
            let plan = try TriggerPlan(kind: kind, options: options)
            let lifetime = try lifetime(options, of: reply.call)
            directory.add(plan, to: try registry.application(id), lifetime) { result in
                reply.attempt { reply(try result.get().text) }
            }
        }
    }

    private func lifetime(_ options: [Key: Value], of call: MethodCall) throws -> TriggerDirectory.Lifetime {
        let name: String = try options.option("lifetime") ?? "application"
        switch name {
        case "application": return .application
        case "connection": return .connection(of: try call.client)
        default:
            throw SentinelError(.invalidArgs, "option lifetime: expected one of application, connection")
        }
    }

    /// Removes a trigger.
    func remove(_ id: String, reply: Reply<>) {
        own(of: reply) { [directory] own in
            guard id != Name.notificationTrigger.text, id != Name.methodTrigger.text else {
                throw SentinelError(.notSupported, "the trigger \(id) is always there")
            }
            let trigger = try directory.trigger(id)
            guard own == nil || own == trigger.application else {
                throw SentinelError(
                    .accessDenied, "a sandboxed application may only remove triggers of its own")
            }
            directory.remove(trigger) { result in
                reply.attempt {
                    try result.get()
                    reply()
                }
            }
        }
    }

    /// Lists the triggers.
    func list(reply: Reply<[TriggerEntry]>) {
        own(of: reply) { [self] own in
            let others = own.map { directory.triggers(of: $0) } ?? directory.all
            reply(standard + others.map(entry))
        }
    }

    /// The triggers of an application that are not always there, as JSON.
    func document(of id: ApplicationID) -> JSONValue {
        .array(
            directory.triggers(of: id).map { trigger in
                let options = trigger.plan.declaration.options.sorted { $0.key < $1.key }
                return [
                    "id": .string(trigger.id.text),
                    "kind": .string(trigger.plan.cause.kind.rawValue),
                    "options": .object(options.map { ($0.key.text, $0.value.json) }),
                ]
            })
    }

    /// Calls `work` with the application that a sandboxed caller is, nil for one that is in no sandbox.
    private func own<each Result>(
        of reply: Reply<repeat each Result>, _ work: @escaping (ApplicationID?) throws -> Void
    ) {
        reply.attempt {
            peers.identify(try reply.call.client) { result in
                reply.attempt {
                    let sandbox = try result.get().sandbox
                    try work(sandbox == .none ? nil : ApplicationID(sandbox.applicationID ?? ""))
                }
            }
        }
    }

    private var standard: [TriggerEntry] {
        [(Name.notificationTrigger, notification.obstacle), (.methodTrigger, nil)].map { trigger, obstacle in
            TriggerEntry(
                id: trigger.text, application: ApplicationID.sentinel.text, kind: trigger.text,
                attributes: attributes(
                    of: trigger, ["present": .boolean(true)], obstacle: obstacle))
        }
    }

    private func entry(_ trigger: Trigger) -> TriggerEntry {
        TriggerEntry(
            id: trigger.id.text, application: trigger.application.text, kind: trigger.plan.cause.kind.rawValue,
            attributes: attributes(
                of: trigger.id, trigger.plan.options, isLasting: trigger.isStored || trigger.manifestPlan != nil,
                obstacle: directory.obstacle(to: trigger)))
    }

    private func attributes(
        of trigger: Name, _ options: [Key: Value], isLasting: Bool = true, obstacle: String?
    ) -> [Key: Value] {
        var attributes = options
        attributes["lifetime"] = .string(isLasting ? "application" : "connection")
        attributes["available"] = .boolean(obstacle == nil)
        attributes["reason"] = obstacle.map(Value.string)
        attributes["fired"] = .uint64(firing.count(of: trigger))
        return attributes
    }
}
