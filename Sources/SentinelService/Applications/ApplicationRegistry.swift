// SPDX-License-Identifier: MIT

internal import DBus
internal import SentinelInterfaces
internal import SentinelModels
internal import SentinelPersistence

/// The applications that the service knows: who runs, who is remembered, who is forgotten.
///
/// Confined to the loop's thread. What must last is stored before it counts.
final class ApplicationRegistry: @unchecked Sendable {
    /// So many applications are known at most, the service itself not counted.
    static let limit = 1000
    /// An application that has declared nothing is forgotten so long after its last instance.
    static let retention = Duration.seconds(24 * 60 * 60)

    /// What has happened to an application.
    enum Change {
        case added
        case removed
        case updated([Application1.Property])
    }

    typealias Completion<Success> = (Result<Success, SentinelError>) -> Void

    /// The service itself, as an application.
    let service: KnownApplication
    /// Told of each change after it has happened.
    var changed: ((KnownApplication, Change) -> Void)?

    private let store: Store
    private let connection: Connection
    private let clock: WallClock
    private let log: Log
    private var known: [ApplicationID: KnownApplication] = [:]
    /// Applications that are being stored, with the number of registrations that wait for it.
    private var storing: [ApplicationID: Int] = [:]
    private var clients: [BusName: Client] = [:]
    private var expiry: LoopTimer?

    /// A connection that has instances.
    private struct Client {
        let watch: Subscription
        var applications: Set<ApplicationID>
    }

    init(service: KnownApplication, store: Store, connection: Connection, clock: WallClock, log: Log) {
        self.service = service
        self.store = store
        self.connection = connection
        self.clock = clock
        self.log = log
    }

    /// Takes in the applications of earlier runs.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        for record in try store.applications() {
            known[record.id] = KnownApplication(record)
        }
        forgetExpired()
    }

    /// All applications, the service included, in the order of their ids' bytes.
    var all: [KnownApplication] {
        (known.values + [service]).sorted { $0.id < $1.id }
    }

    /// The applications but the service itself, in no order.
    var others: some Collection<KnownApplication> { known.values }

    /// Finds an application.
    func find(_ id: ApplicationID) -> KnownApplication? {
        id == .sentinel ? service : known[id]
    }

    /// Finds an application.
    ///
    /// - Throws: code `unknownApplication`.
    func application(_ id: ApplicationID) throws(SentinelError) -> KnownApplication {
        guard let application = find(id) else {
            throw SentinelError(.unknownApplication, "no application \(id) is known; it must register first")
        }
        return application
    }
}

// MARK: - Registering

extension ApplicationRegistry {
    /// Makes an application known and a client a running instance of it; `completion` is called once it is stored.
    func register(
        _ id: ApplicationID, _ instance: KnownApplication.Instance,
        completion: @escaping @Sendable (Result<KnownApplication, SentinelError>) -> Void
    ) {
        let previous = known[id]?.record
        let record = instance.registration.updated(
            previous ?? ApplicationRecord(id: id, firstSeen: clock.now(), lastSeen: clock.now()))
        // One that waits to be stored must not be overtaken by one that changes nothing.
        guard record != previous || storing[id] != nil else {
            return completion(.success(admit(record, instance)))
        }
        if previous == nil, storing[id] == nil, known.count + newcomers >= Self.limit {
            return completion(
                .failure(
                    SentinelError(
                        .limitsExceeded, "\(Self.limit) applications are known already; forget one that is not needed")
                ))
        }
        storing[id, default: 0] += 1
        store.save(record) { [weak self, loop = connection.loop] result in
            loop.enqueue { [weak self] in
                guard let self else { return }
                self.endStoring(of: id)
                completion(result.map { self.admit(record, instance) })
            }
        }
    }

    /// Ends the instance of a client.
    func unregister(_ client: BusName, from application: KnownApplication) {
        clients[client]?.applications.remove(application.id)
        if clients[client]?.applications.isEmpty == true {
            clients[client] = nil
        }
        end([application], of: client)
    }

    /// Removes an application and all that it has; `completion` is called once that is stored.
    func forget(
        _ application: KnownApplication, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        let id = application.id
        store.forget(id) { [weak self, loop = connection.loop] result in
            loop.enqueue { [weak self] in
                if case .success = result {
                    self?.remove(id)
                }
                completion(result)
            }
        }
    }

    /// The number of applications that will be known once they are stored.
    private var newcomers: Int {
        storing.keys.count { known[$0] == nil }
    }

    private func endStoring(of id: ApplicationID) {
        let count = (storing[id] ?? 0) - 1
        storing[id] = count > 0 ? count : nil
    }

    /// Takes in what is stored.
    private func admit(_ record: ApplicationRecord, _ instance: KnownApplication.Instance) -> KnownApplication {
        let application = known[record.id] ?? KnownApplication(record)
        let isNew = known.updateValue(application, forKey: record.id) == nil
        var properties = application.differences(to: record)
        application.record = record
        properties += application.update(instance)
        watch(instance.client, of: record.id)
        if isNew {
            changed?(application, .added)
        } else if !properties.isEmpty {
            changed?(application, .updated(properties))
        }
        return application
    }

    private func remove(_ id: ApplicationID) {
        guard let application = known.removeValue(forKey: id) else { return }
        for instance in application.instances {
            clients[instance.client]?.applications.remove(id)
            if clients[instance.client]?.applications.isEmpty == true {
                clients[instance.client] = nil
            }
        }
        changed?(application, .removed)
    }
}

// MARK: - Instances that end

extension ApplicationRegistry {
    private func watch(_ client: BusName, of id: ApplicationID) {
        if clients[client] != nil {
            clients[client]?.applications.insert(id)
            return
        }
        let watch = connection.watchOwner(of: client) { [weak self] owner in
            if owner == nil {
                self?.clientGone(client)
            }
        }
        clients[client] = Client(watch: watch, applications: [id])
    }

    private func clientGone(_ client: BusName) {
        guard let gone = clients.removeValue(forKey: client) else { return }
        end(gone.applications.sorted().compactMap { known[$0] }, of: client)
    }

    private func end(_ applications: [KnownApplication], of client: BusName) {
        let now = clock.now()
        var ended: [ApplicationID] = []
        for application in applications {
            let properties = application.removeInstance(of: client)
            guard !properties.isEmpty else { continue }
            if !application.isRunning {
                application.record.lastSeen = now
                ended.append(application.id)
            }
            changed?(application, .updated(properties))
        }
        guard !ended.isEmpty else { return }
        store.touch(ids: ended, lastSeen: now) { [log, count = ended.count] result in
            if case .failure(let error) = result {
                log.warning("cannot store when \(count) applications ended: \(error)")
            }
        }
        scheduleExpiry()
    }

    /// Forgets the applications whose time is over, and sees to the next.
    private func forgetExpired() {
        let now = clock.now().microseconds
        for application in known.values where !application.isRunning && expiry(of: application) <= now {
            log.info("forgetting \(application.id), which has declared nothing and not run for a day")
            forget(application) { [log, id = application.id] result in
                if case .failure(let error) = result {
                    log.warning("cannot forget \(id): \(error)")
                }
            }
        }
        scheduleExpiry()
    }

    private func scheduleExpiry() {
        expiry?.cancel()
        let now = clock.now().microseconds
        let next = known.values.filter { !$0.isRunning }.map { expiry(of: $0) }.filter { $0 > now }.min()
        expiry = next.map { next in
            connection.loop.schedule(after: .microseconds(next - now)) { [weak self] in self?.forgetExpired() }
        }
    }

    private func expiry(of application: KnownApplication) -> Int64 {
        application.record.lastSeen.microseconds + Int64(Self.retention / .microseconds(1))
    }
}

extension KnownApplication {
    /// The properties that differ in another record of the application.
    fileprivate func differences(to other: ApplicationRecord) -> [Application1.Property] {
        var properties: [Application1.Property] = []
        if record.name != other.name { properties.append(.name) }
        if record.icon != other.icon { properties.append(.icon) }
        if record.version != other.version { properties.append(.version) }
        if record.build != other.build { properties.append(.build) }
        return properties
    }
}
