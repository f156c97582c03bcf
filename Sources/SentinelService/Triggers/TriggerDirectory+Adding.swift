// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension TriggerDirectory {
    typealias Completion<Success> = (Result<Success, SentinelError>) -> Void

    /// How long a trigger that is added lasts.
    enum Lifetime {
        /// As long as its application is known.
        case application
        /// As long as a client is on the bus.
        case connection(of: BusName)
    }

    /// Adds a trigger. One that waits for the same cause already is that trigger, and does from now on what this one
    /// would.
    ///
    /// - Parameter completion: called once its cause would not be missed any more.
    func add(
        _ plan: TriggerPlan, to application: KnownApplication, _ lifetime: Lifetime,
        completion: @escaping Completion<Name>
    ) {
        registry.inTurn(application, completion) { [self] over in
            do throws(SentinelError) {
                var trigger = try trigger(for: plan, of: application.id)
                let isOther = trigger.plan != plan
                trigger.plan = plan
                let isToLast = if case .application = lifetime { true } else { false }
                guard isToLast && !trigger.isStored || trigger.isStored && isOther else {
                    settle(trigger, lifetime, completion)
                    return over()
                }
                let added = trigger
                nonisolated(unsafe) let completion = completion
                store.save(
                    [added.stored],
                    completion: connection.loop.completion { [self] result in
                        switch result {
                        case .success: settle(added, lifetime, completion)
                        case .failure(let error): completion(.failure(error))
                        }
                        over()
                    })
            } catch {
                completion(.failure(error))
                over()
            }
        }
    }

    /// Has a trigger last that is stored as far as it is to be.
    private func settle(_ added: Trigger, _ lifetime: Lifetime, _ completion: @escaping Completion<Name>) {
        // Who wanted it may have gone meanwhile, or come.
        var trigger = triggers[added.id] ?? added
        trigger.plan = added.plan
        switch lifetime {
        case .application: trigger.isStored = true
        case .connection(let client): trigger.clients.insert(client)
        }
        put(trigger)
        if case .connection(let client) = lifetime {
            clients.add(added.id, to: client)
        }
        sources.whenWatching(trigger) { completion(.success(added.id)) }
    }

    /// Removes a trigger for all who have added it.
    ///
    /// - Parameter completion: `unknownTrigger` for one that is removed already.
    func remove(_ trigger: Trigger, completion: @escaping Completion<Void>) {
        guard let application = registry.find(trigger.application) else {
            return completion(.failure(Self.gone(trigger)))
        }
        registry.inTurn(application, completion) { [self] over in
            guard let present = triggers[trigger.id] else {
                completion(.failure(Self.gone(trigger)))
                return over()
            }
            nonisolated(unsafe) let completion = completion
            let finish: @Sendable (Result<Void, SentinelError>) -> Void = { [self] result in
                if case .success = result {
                    discard(trigger.id)
                    registry.keptChanged()
                }
                completion(result)
                over()
            }
            guard present.isStored else { return finish(.success(())) }
            store.removeTrigger(trigger.id, completion: connection.loop.completion(finish))
        }
    }

    private static func gone(_ trigger: Trigger) -> SentinelError {
        SentinelError(.unknownTrigger, "the trigger \(trigger.id) has been removed")
    }

    /// Makes the triggers of a manifest those that the application has of manifests. One that waits for the cause of one
    /// that was added otherwise is that trigger, and does what was said when that was added.
    ///
    /// - Throws: `invalidArgs` for one that cannot be, `limitsExceeded` for too many; nothing changes then.
    func takeManifest(_ declared: [TriggerDeclaration], of application: KnownApplication) throws(SentinelError) {
        var plans: [TriggerPlan] = []
        for declaration in declared {
            plans.append(try TriggerPlan(declaration))
        }
        let causes = Set(plans.map(\.cause))
        let present = triggers(of: application.id)
        let added = causes.subtracting(present.map(\.plan.cause))
        let gone = present.filter { $0.manifestPlan != nil && !causes.contains($0.plan.cause) }
        let left = present.count - gone.count { !$0.isAdded }
        guard added.isEmpty || left + added.count <= limit else { throw excess }
        for trigger in gone {
            letGo(of: trigger.id) { $0.manifestPlan = nil }
        }
        for plan in plans {
            var trigger = try trigger(for: plan, of: application.id)
            if !trigger.isAdded {
                trigger.plan = plan
            }
            trigger.manifestPlan = plan
            put(trigger)
        }
    }
}
