// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// The triggers of applications: who has which, for how long, and what watches for their causes.
///
/// Confined to the loop's thread. What must last is stored before it counts.
final class TriggerDirectory: @unchecked Sendable {
    let store: Store
    let registry: ApplicationRegistry
    let connection: Connection
    let sources: TriggerSources
    /// So many triggers an application has at most.
    let limit: Int
    /// The triggers that clients want.
    let clients: ClientHoldings<Name>

    private let firing: TriggerFiring
    private let log: Log
    private(set) var triggers: [Name: Trigger] = [:]
    /// The triggers of each application in the order in which they were added.
    private var ids: [ApplicationID: [Name]] = [:]
    private var lastPosition: Int64 = -1
    /// Whether causes are watched for.
    private var isWatching = false

    init(
        store: Store, registry: ApplicationRegistry, connection: Connection, sources: TriggerSources,
        firing: TriggerFiring, limit: Int, log: Log
    ) {
        self.store = store
        self.registry = registry
        self.connection = connection
        self.sources = sources
        self.firing = firing
        self.limit = limit
        self.log = log
        clients = ClientHoldings(connection)
        clients.clientGone = { [weak self] client, ids in
            for id in ids.sorted() {
                self?.letGo(of: id) { $0.clients.remove(client) }
            }
        }
        sources.fire = { [weak self] in self?.causeCame($0) }
        sources.applicationName = { [weak self] id in
            (self?.triggers[id]?.application).flatMap { self?.registry.find($0)?.name }
        }
    }

    /// Takes in what is stored, in place of what was known. For before ``start()``.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        triggers = [:]
        ids = [:]
        for stored in try store.triggers() where registry.find(stored.application) != nil {
            takeIn(stored)
        }
    }

    /// Takes in a trigger that is stored; one that is known does what it did.
    func takeIn(_ stored: StoredTrigger) {
        do throws(SentinelError) {
            var trigger = Trigger(
                id: stored.id, application: stored.application, position: stored.position,
                plan: try TriggerPlan(stored.declaration))
            trigger = triggers[stored.id] ?? trigger
            trigger.isStored = true
            put(trigger)
        } catch {
            log.warning("the trigger \(stored.id) of \(stored.application) is passed over: \(error.message)")
        }
    }

    /// Begins to watch for the causes.
    func start() {
        guard !isWatching else { return }
        isWatching = true
        for trigger in all {
            sources.add(trigger)
        }
    }

    /// Lets go of all that is watched.
    func stop() {
        isWatching = false
        sources.stop()
        clients.removeAll()
    }

    // MARK: What there is

    /// All triggers in the order in which they were added.
    var all: [Trigger] {
        triggers.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// The triggers of an application in the order in which they were added.
    func triggers(of id: ApplicationID) -> [Trigger] {
        (ids[id] ?? []).compactMap { triggers[$0] }
    }

    /// Whether an application has any that are kept.
    func hasDeclarations(_ id: ApplicationID) -> Bool {
        triggers(of: id).contains(where: \.isStored)
    }

    /// Why a trigger cannot fire at the moment; nil if it can.
    func obstacle(to trigger: Trigger) -> String? { sources.obstacle(to: trigger) }

    /// A trigger by its id.
    ///
    /// - Throws: `unknownTrigger`.
    func trigger(_ id: String) throws(SentinelError) -> Trigger {
        do throws(SentinelError) {
            if let trigger = triggers[try Name(id)] { return trigger }
        } catch {
            // What is no name is no trigger's.
        }
        throw SentinelError(.unknownTrigger, "there is no trigger \(ShownText.make(id, limit: 255))")
    }

    private func causeCame(_ id: Name) {
        guard let trigger = triggers[id], let application = registry.find(trigger.application) else { return }
        firing.fire(id, trigger.plan.cause.kind.rawValue, of: application, presents: trigger.plan.presents)
    }

    // MARK: Changes

    /// The trigger that waits for a cause already, or a new one that nobody wants yet.
    ///
    /// - Throws: `limitsExceeded` where there are too many for a new one.
    func trigger(for plan: TriggerPlan, of application: ApplicationID) throws(SentinelError) -> Trigger {
        let present = triggers(of: application)
        if let trigger = present.first(where: { $0.plan.cause == plan.cause }) { return trigger }
        guard present.count < limit else { throw excess }
        var attempt = 0
        var id = try Trigger.id(of: application, plan.cause, attempt: attempt)
        while triggers[id] != nil {
            attempt += 1
            id = try Trigger.id(of: application, plan.cause, attempt: attempt)
        }
        lastPosition += 1
        return Trigger(id: id, application: application, position: lastPosition, plan: plan)
    }

    /// Why there can be no trigger more.
    var excess: SentinelError {
        SentinelError(.limitsExceeded, "an application has at most \(limit) triggers")
    }

    /// Puts a trigger in the place of one of its id.
    func put(_ trigger: Trigger) {
        lastPosition = max(lastPosition, trigger.position)
        guard triggers.updateValue(trigger, forKey: trigger.id) == nil else { return }
        let before = ids[trigger.application] ?? []
        let place = before.lastIndex { (triggers[$0]?.position ?? 0) <= trigger.position }
        ids[trigger.application, default: []].insert(trigger.id, at: place.map { $0 + 1 } ?? 0)
        if isWatching {
            sources.add(trigger)
        }
    }

    /// Takes from a trigger somebody who wants it; it goes when nobody is left.
    func letGo(of id: Name, _ change: (inout Trigger) -> Void) {
        guard var trigger = triggers[id] else { return }
        change(&trigger)
        guard trigger.isWanted else { return discard(id) }
        if !trigger.isAdded, let plan = trigger.manifestPlan {
            trigger.plan = plan
        }
        triggers[id] = trigger
    }

    /// Lets go of a trigger, whoever wants it.
    func discard(_ id: Name) {
        guard let trigger = triggers.removeValue(forKey: id) else { return }
        ids[trigger.application]?.removeAll { $0 == id }
        if ids[trigger.application]?.isEmpty == true {
            ids[trigger.application] = nil
        }
        for client in trigger.clients {
            clients.remove(id, from: client)
        }
        firing.forget(id)
        if isWatching {
            sources.remove(trigger)
        }
    }

    /// Lets go of what belonged to an application that has been forgotten; the store has forgotten it too.
    func forget(_ id: ApplicationID) {
        for trigger in ids[id] ?? [] {
            discard(trigger)
        }
    }
}
