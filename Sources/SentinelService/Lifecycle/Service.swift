// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import Glibc
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// The running service: it puts the parts together, takes the name, and takes them apart again at the end.
///
/// Confined to the loop's thread.
final class Service: @unchecked Sendable {
    /// The name on the bus.
    static let name: BusName = "org.sentinel"

    /// Storing what waits may take so long at the end.
    private static let endingLimit = Duration.seconds(5)

    private let loop: EventLoop
    private let connection: Connection
    private let store: Store
    private let log: Log
    private let manager: ServiceManager
    private let replaces: Bool
    private let registry: ApplicationRegistry
    private let applications: ApplicationObjects
    private var nameWatch: Subscription?
    /// Tells when the service that this one takes over from is gone.
    private var predecessorWatch: Subscription?
    private var ownsName = false
    /// The calls that wait until that service has stored all that it has acknowledged; nil while none has to.
    private var held: [() -> Void]?
    private var loggedHealth = StoreHealth(state: .ok)
    private var isEnding = false
    private var outcome: Result<Void, ServiceFailure> = .success(())

    init(
        connection: Connection, store: Store, log: Log, manager: ServiceManager, replaces: Bool, processID: UInt32
    ) {
        loop = connection.loop
        self.connection = connection
        self.store = store
        self.log = log
        self.manager = manager
        self.replaces = replaces
        let now = WallClock.system.now()
        let own = KnownApplication(
            ApplicationRecord(
                id: .sentinel, name: "Sentinel", version: sentinelVersion, firstSeen: now, lastSeen: now))
        _ = own.update(
            KnownApplication.Instance(
                client: connection.uniqueName, processID: processID, registration: Registration()))
        registry = ApplicationRegistry(
            service: own, store: store, connection: connection, clock: .system, log: log)
        applications = ApplicationObjects(registry)
    }

    /// What came of the run, once the loop has ended.
    var result: Result<Void, ServiceFailure> { outcome }

    /// Offers the objects, then asks for the name.
    func start() {
        connection.onEnd { [weak self] error in self?.connectionEnded(error) }
        do {
            try registry.load()
        } catch {
            log.error("the applications of earlier runs cannot be read: \(error)")
        }
        export()
        nameWatch = connection.onNameLost(Self.name) { [weak self] in
            self?.end("another process has taken over \(Service.name)")
        }
        guard replaces else { return requestName([.allowReplacement, .doNotQueue]) }
        connection.owner(of: Self.name) { [weak self] result in
            if case .success(let predecessor?) = result {
                self?.watch(predecessor)
            }
            self?.requestName([.allowReplacement, .doNotQueue, .replaceExisting])
        }
    }

    private func requestName(_ flags: Connection.NameFlags) {
        connection.requestName(Self.name, flags: flags) { [weak self] in self?.nameDecided($0) }
    }

    /// Has calls wait for the end of the service that is taken over from: it answers, and stores, what has come to it
    /// before.
    private func watch(_ predecessor: BusName) {
        held = []
        predecessorWatch = connection.watchOwner(of: predecessor) { [weak self] owner in
            guard owner == nil, let self else { return }
            predecessorWatch?.cancel()
            predecessorWatch = nil
            if ownsName {
                takeOver()
            }
        }
    }

    /// Takes in what the service before has stored, and answers.
    private func takeOver() {
        guard held != nil, !isEnding else { return }
        catchUp()
        answerHeld()
        announceReady()
    }

    private func answerHeld() {
        let calls = held ?? []
        held = nil
        for call in calls {
            call()
        }
    }

    private func catchUp() {
        do {
            try registry.catchUp()
        } catch {
            log.error("what the service before has stored cannot be read: \(error)")
        }
    }

    /// Ends the service: it gives the name back, answers what came before, stores, and stops the loop.
    func end(_ reason: String, _ outcome: Result<Void, ServiceFailure> = .success(())) {
        guard !isEnding else { return }
        isEnding = true
        self.outcome = outcome
        if case .success = outcome {
            log.info("ending: \(reason)")
        }
        manager.tellStopping()
        nameWatch?.cancel()
        predecessorWatch?.cancel()
        answerHeld()
        registry.noteRunning()
        loop.schedule(after: Self.endingLimit) { [self] in
            log.warning("gave up on what was still to be stored")
            loop.stop()
        }
        // What the bus has routed here until it answers is answered still; whoever calls later reaches the next
        // service.
        connection.releaseName(Self.name) { [self] in
            connection.objects.whenAllAnswered { [self] in closeStore() }
        }
    }

    private func export() {
        let objects = connection.objects
        let state = ServiceState(store: store)
        let peers = PeerDirectory(connection)
        let gate = AccessGate(peers: peers, policy: AccessPolicy(userID: getuid()))
        objects.gate = { [weak self] call, interface, proceed in
            if self?.held == nil {
                gate.admit(call, interface: interface, proceed)
            } else {
                self?.held?.append { gate.admit(call, interface: interface, proceed) }
            }
        }
        let front = ServiceObject(registry: registry, peers: peers, state: state)
        let own: [any InterfaceImplementation] = [
            Sentinel1Implementation(front),
            AbsentInterface(Device1.description),
            AbsentInterface(Events1.description),
            AbsentInterface(Analytics1.description),
        ]
        objects.export(
            ExportedObject(own + ApplicationObjects.interfaces(of: registry.service), managesObjects: true),
            at: ServiceObject.path)
        objects.export(applications, below: ApplicationObjects.root)
        let logControl = LogControl(log) { [weak objects] in
            objects?.propertiesChanged([.logLevel], of: LogControl1.self, at: Self.logControlPath)
        }
        objects.export(ExportedObject([LogControl1Implementation(logControl)]), at: Self.logControlPath)

        registry.changed = { [weak self] application, change in self?.announce(application, change) }
        store.onHealthChange { [weak self, weak objects, loop] health in
            loop.enqueue { [weak self, weak objects] in
                self?.logHealth(health)
                objects?.propertiesChanged([.health, .healthDetails], of: Sentinel1.self, at: ServiceObject.path)
            }
        }
        logHealth(store.health)
    }

    /// Says in the log how the storage fares when that has changed: `HealthDetails` is gone with the next start.
    private func logHealth(_ health: StoreHealth) {
        guard health != loggedHealth else { return }
        loggedHealth = health
        switch health.state {
        case .ok:
            log.notice("the storage is well again")
        case .degraded:
            let details = health.details.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
            log.warning("the storage is degraded: \(details)")
        }
    }

    private static let logControlPath: ObjectPath = "/org/freedesktop/LogControl1"

    private func announce(_ application: KnownApplication, _ change: ApplicationRegistry.Change) {
        let objects = connection.objects
        do {
            let path = try ApplicationObjects.path(of: application.id)
            switch change {
            case .added:
                objects.objectAdded(at: path)
            case .updated(let properties):
                objects.propertiesChanged(properties, of: Application1.self, at: path)
            case .removed:
                objects.objectRemoved(at: path, interfaces: applications.release(application))
            }
        } catch {
            log.error("no path for the application \(application.id): \(error)")
        }
    }

    private func nameDecided(_ result: Result<Connection.NameOutcome, DBusError>) {
        switch result {
        case .success(.primaryOwner), .success(.alreadyOwner):
            ownsName = true
            if held == nil {
                announceReady()
            } else if predecessorWatch == nil {
                takeOver()
            } else {
                // One that hangs is not waited for longer than one that works would take.
                loop.schedule(after: Self.endingLimit) { [weak self] in self?.takeOver() }
            }
        case .success(.exists), .success(.inQueue):
            end("the name is taken", .failure(.alreadyRunning))
        case .failure(let error):
            end("the name cannot be had", .failure(.bus(error)))
        }
    }

    private func announceReady() {
        connection.objects.emit(Sentinel1.Ready(), from: ServiceObject.path)
        manager.tellReady(status: "answering as \(Self.name)")
        log.info("answering as \(Self.name), version \(sentinelVersion)")
    }

    private func connectionEnded(_ error: DBusError) {
        guard !isEnding else { return }
        isEnding = true
        log.notice("ending: \(error.message)")
        manager.tellStopping()
        registry.noteRunning()
        closeStore()
    }

    /// Closes the store, which waits for the disk, then what is left.
    private func closeStore() {
        // The service is to go with the loop, not when a thread of the queue gets round to it.
        DispatchQueue.global().async { [weak self, store, loop] in
            store.close()
            // Completions of the store are enqueued before this.
            loop.enqueue { [weak self] in self?.finish() }
        }
    }

    private func finish() {
        connection.close()
        connection.objects.removeAll()
        loop.stop()
    }
}
