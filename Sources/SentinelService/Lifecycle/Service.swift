// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import SystemFacts

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
    private let objects: ServiceObjects
    private var nameWatch: Subscription?
    private lazy var handover = Handover(connection, limit: Self.endingLimit) { [weak self] in self?.takeOver() }
    private var isEnding = false
    /// Whether all was taken apart, and not given up on.
    private var hasFinished = false
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
        let limits = LimitsFile(environment: BusAddress.processEnvironment)
        for finding in limits.findings {
            log.warning(finding)
        }
        registry = ApplicationRegistry(
            service: own, store: store, connection: connection, clock: .system, log: log,
            limit: limits.values.applications)
        objects = ServiceObjects(connection: connection, registry: registry, store: store, limits: limits, log: log)
    }

    /// What came of the run, once the loop has ended.
    var result: Result<Void, ServiceFailure> { outcome }

    /// Offers the objects, then asks for the name.
    func start() {
        connection.onEnd { [weak self] error in self?.connectionEnded(error) }
        do {
            try registry.load()
            try objects.loadDeclarations()
        } catch {
            log.error("what earlier runs have stored cannot be read: \(error)")
        }
        objects.export(holding: handover)
        nameWatch = connection.onNameLost(Self.name) { [weak self] in
            self?.end("another process has taken over \(Service.name)")
        }
        guard replaces else { return requestName([.allowReplacement, .doNotQueue]) }
        handover.begin(from: Self.name) { [weak self] in
            self?.requestName([.allowReplacement, .doNotQueue, .replaceExisting])
        }
    }

    private func requestName(_ flags: Connection.NameFlags) {
        connection.requestName(Self.name, flags: flags) { [weak self] in self?.nameDecided($0) }
    }

    /// Takes in what the service before has stored, and answers.
    private func takeOver() {
        guard !isEnding else { return }
        catchUp()
        handover.hold()
        objects.beginRecording(limit: Self.endingLimit) { [weak self] in
            guard let self, !isEnding else { return }
            objects.watchTriggers()
            handover.end()
            objects.readDeclaredFiles()
            announceReady()
        }
    }

    private func catchUp() {
        do {
            try registry.catchUp()
            if replaces {
                try objects.loadDeclarations()
            }
        } catch {
            log.error("what the service before has stored cannot be read: \(error)")
        }
    }

    /// Does what a signal asks for that was sent to the process.
    func take(_ request: ProcessSignals.Request) {
        switch request {
        case .termination(let signal): end("got \(signal)")
        case .trigger(let signal): objects.take(signal)
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
        handover.end()
        registry.noteRunning()
        objects.endWaiting()
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

    private func nameDecided(_ result: Result<Connection.NameOutcome, DBusError>) {
        switch result {
        case .success(.primaryOwner), .success(.alreadyOwner):
            handover.nameTaken()
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
        objects.save()
        let queue = DispatchQueue(label: "org.sentinel.store.closing")
        queue.async { [store] in store.close() }
        // The queue has let go of the store by now: all is to go with the loop, not when a thread gets round to it.
        // Completions of the store are enqueued before this.
        queue.async { [weak self, loop] in
            loop.enqueue { [weak self] in self?.finish() }
        }
    }

    private func finish() {
        objects.stop()
        connection.close()
        connection.objects.removeAll()
        hasFinished = true
        loop.stop()
    }

    /// Waits, once the loop has ended in order, for what it has handed in last: that would keep its parts alive while the
    /// process ends.
    func waitForRest() {
        guard hasFinished else { return }
        EventSettings.waitForReading()
        store.waitForRefusals()
    }
}
