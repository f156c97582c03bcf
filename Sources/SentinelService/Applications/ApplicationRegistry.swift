// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// The applications that the service knows: who runs, who is remembered, who is forgotten.
///
/// Confined to the loop's thread. What must last is stored before it counts.
final class ApplicationRegistry: @unchecked Sendable {
    /// An application that has declared nothing is forgotten so long after its last instance.
    static let retention = Duration.seconds(24 * 60 * 60)
    /// After a start, applications that have been running on have so long to register again before any is forgotten:
    /// nobody could note that they were seen.
    static let grace = Duration.seconds(10)

    /// What has happened to an application.
    enum Change {
        case added
        case removed
        case updated([Application1.Property])
        /// What the newest instance was started with is another.
        case launched
    }

    typealias Completion<Success> = (Result<Success, SentinelError>) -> Void

    /// The service itself, as an application.
    let service: KnownApplication
    /// Told of each change after it has happened.
    var changed: ((KnownApplication, Change) -> Void)?
    /// Whether an application has declared something, so that it is kept however long ago it ran.
    var isKept: ((ApplicationID) -> Bool)?
    /// Told of each instance that has registered, once, and of its end.
    var instanceBegan: ((KnownApplication, KnownApplication.Instance) -> Void)?
    var instanceEnded: ((KnownApplication, KnownApplication.Instance) -> Void)?

    let store: Store
    let connection: Connection
    let clock: WallClock
    let log: Log
    /// So many applications are known at most, the service itself not counted.
    private let limit: Int
    private let grace: Duration
    private(set) var known: [ApplicationID: KnownApplication] = [:]
    /// What is to be done with an application while the store is at work for it.
    private var lines: [ApplicationID: WorkLine] = [:]
    /// The number of applications that will be known once they are stored.
    private var newcomers = 0
    private var isStopped = false
    /// The applications that clients have instances of.
    let clients: ClientHoldings<ApplicationID>
    var expiry: LoopTimer?
    /// Before this nothing is forgotten by itself, in microseconds.
    private(set) var graceEnd: Int64 = 0
    /// Whether another database is being taken in, so that it is not known what applications have declared.
    var isTakingInDatabase = false

    init(
        service: KnownApplication, store: Store, connection: Connection, clock: WallClock, log: Log, limit: Int,
        grace: Duration = ApplicationRegistry.grace
    ) {
        self.service = service
        self.store = store
        self.connection = connection
        self.clock = clock
        self.log = log
        self.limit = limit
        self.grace = grace
        clients = ClientHoldings(connection)
        clients.clientGone = { [weak self] client, ids in
            guard let self else { return }
            end(ids.sorted().compactMap { self.known[$0] }, of: client)
        }
    }

    /// Takes in the applications of earlier runs.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        for record in try store.applications() {
            known[record.id] = KnownApplication(record)
        }
        graceEnd = clock.now().microseconds + grace.microseconds
        scheduleExpiry()
    }

    /// Takes in what another service, which this one takes over from, has stored since ``load()``.
    ///
    /// - Throws: why the store cannot be read.
    func catchUp() throws(SentinelError) {
        let records = try store.applications()
        let stored = Set(records.map(\.id))
        // What this service stores at the moment comes after what the other has stored.
        for record in records where lines[record.id] == nil {
            takeIn(record)
        }
        for (id, application) in known
        where !stored.contains(id) && lines[id] == nil && application.description == nil {
            remove(id)
        }
        scheduleExpiry()
    }

    func takeIn(_ record: ApplicationRecord) {
        guard let application = known[record.id] else {
            let application = KnownApplication(record)
            known[record.id] = application
            changed?(application, .added)
            return
        }
        let properties = application.change { $0.record = record }
        if !properties.isEmpty {
            changed?(application, .updated(properties))
        }
    }

    /// Notes that what runs has been seen; for the end of the service.
    func noteRunning() {
        let running = known.values.filter(\.isRunning).map(\.id)
        if !running.isEmpty {
            touch(running, at: clock.now())
        }
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

    /// The application that a client is an instance of, the first by id if it is one of several; nil if it has not
    /// registered.
    func application(of client: BusName) -> KnownApplication? {
        clients.items(of: client).min().flatMap { known[$0] }
    }

    /// Takes note that applications have declared something, or have nothing declared any more.
    func keptChanged() {
        forgetExpired()
    }

    /// The application that a process is an instance of; nil if it has not registered.
    func application(ofProcess processID: UInt32) -> KnownApplication? {
        all.first { $0.instances.contains { $0.processID == processID } }
    }

    /// The applications that a client is an instance of, in the order of their ids' bytes.
    func applications(of client: BusName) -> [KnownApplication] {
        clients.items(of: client).sorted().compactMap { known[$0] }
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
        inTurn(id) { [self] over in
            let previous = known[id]?.record
            let record = instance.registration.updated(
                previous ?? ApplicationRecord(id: id, firstSeen: clock.now(), lastSeen: clock.now()))
            guard record != previous else {
                completion(.success(admit(record, instance)))
                return over()
            }
            let isNew = previous == nil
            guard !isNew || known.count + newcomers < limit else {
                completion(
                    .failure(
                        SentinelError(
                            .limitsExceeded,
                            "\(limit) applications are known already; forget one that is not needed")))
                return over()
            }
            newcomers += isNew ? 1 : 0
            store.save(record) { [loop = connection.loop] result in
                loop.enqueue { [self] in
                    newcomers -= isNew ? 1 : 0
                    completion(result.map { admit(record, instance) })
                    over()
                }
            }
        }
    }

    /// Ends the instance of a client, if it has one.
    func unregister(_ id: ApplicationID, _ client: BusName, completion: @escaping Completion<Void>) {
        inTurn(id) { [self] over in
            defer { over() }
            do throws(SentinelError) {
                let application = try application(id)
                clients.remove(id, from: client)
                end([application], of: client)
                completion(.success(()))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Removes an application and all that it has; `completion` is called once that is stored.
    func forget(_ id: ApplicationID, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void) {
        inTurn(id) { [self] over in
            do throws(SentinelError) {
                forget(try application(id), over, completion)
            } catch {
                completion(.failure(error))
                over()
            }
        }
    }

    func forget(
        _ application: KnownApplication, _ over: @escaping WorkLine.Over,
        _ completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        store.forget(application.id) { [loop = connection.loop, id = application.id] result in
            loop.enqueue { [self] in
                if case .success = result {
                    remove(id)
                }
                completion(result)
                over()
            }
        }
    }

    /// Takes in what a manifest says of an application, which is known from then on; nil if there is no more manifest.
    ///
    /// - Parameter refused: told why the application cannot be stored.
    /// - Throws: code `accessDenied` for the service, `limitsExceeded` for one application too many.
    @discardableResult
    func describe(
        _ id: ApplicationID, _ description: Manifest.Description?,
        refused: @escaping @Sendable (SentinelError) -> Void = { _ in }
    ) throws(SentinelError) -> KnownApplication? {
        guard id != .sentinel else { throw SentinelError(.accessDenied, "\(id) is the service itself") }
        guard let application = known[id] else {
            guard let description else { return nil }
            guard known.count + newcomers < limit else {
                throw SentinelError(.limitsExceeded, "\(limit) applications are known already")
            }
            let now = clock.now()
            let application = KnownApplication(ApplicationRecord(id: id, firstSeen: now, lastSeen: now))
            application.description = description
            known[id] = application
            save(application, refused)
            changed?(application, .added)
            return application
        }
        if description != nil {
            // It may not have been possible before.
            inTurn(id) { [self] over in
                guard known[id] === application else { return over() }
                save(application, refused, over)
            }
        }
        let properties = application.change { $0.description = description }
        if description == nil, !application.isRunning {
            // A manifest that is replaced may be away for a moment: what belongs to it is not to go with it.
            application.record.lastSeen = clock.now()
        }
        keptChanged()
        if !properties.isEmpty {
            changed?(application, .updated(properties))
        }
        return application
    }

    /// Stores an application of a manifest: what is declared of it is stored below it.
    private func save(
        _ application: KnownApplication, _ refused: @escaping @Sendable (SentinelError) -> Void,
        _ over: @escaping WorkLine.Over = {}
    ) {
        store.save(
            application.record,
            completion: connection.loop.completion { result in
                if case .failure(let error) = result {
                    refused(error)
                }
                over()
            })
    }

    /// Lets go of what waits, at the end of the service: nothing is done with applications any more.
    func stop() {
        isStopped = true
        for line in lines.values {
            line.cancel()
        }
        lines = [:]
        clients.removeAll()
        expiry?.cancel()
    }

    /// Whether something is being done with an application, or waits.
    func isBusy(_ id: ApplicationID) -> Bool { lines[id] != nil }

    /// Does work on an application once what came before for it is over: what is stored later must build upon what is
    /// being stored now. None is done any more after ``stop()``.
    func inTurn(_ id: ApplicationID, _ work: @escaping WorkLine.Work) {
        guard !isStopped else { return }
        let line = lines[id] ?? WorkLine { [weak self] in self?.lines[id] = nil }
        lines[id] = line
        line.add(work)
    }

    /// The same with an application that is known; `completion` is told if it has been forgotten while this waited.
    func inTurn<Success>(
        _ application: KnownApplication, _ completion: @escaping Completion<Success>, _ work: @escaping WorkLine.Work
    ) {
        inTurn(application.id) { [self] over in
            guard find(application.id) === application else {
                completion(.failure(SentinelError(.unknownApplication, "\(application.id) has been forgotten")))
                return over()
            }
            work(over)
        }
    }

    /// Takes in what is stored.
    private func admit(_ record: ApplicationRecord, _ instance: KnownApplication.Instance) -> KnownApplication {
        let application = known[record.id] ?? KnownApplication(record)
        let isNew = known.updateValue(application, forKey: record.id) == nil
        let launch = application.launch
        let isNewInstance = !application.instances.contains { $0.client == instance.client }
        var properties = application.change { $0.record = record }
        properties += application.update(instance)
        clients.add(record.id, to: instance.client)
        if isNew {
            changed?(application, .added)
        } else if !properties.isEmpty {
            changed?(application, .updated(properties))
        }
        if application.launch != launch {
            changed?(application, .launched)
        }
        if isNewInstance {
            instanceBegan?(application, instance)
        }
        return application
    }

    private func remove(_ id: ApplicationID) {
        guard let application = known.removeValue(forKey: id) else { return }
        for instance in application.instances {
            clients.remove(id, from: instance.client)
            instanceEnded?(application, instance)
        }
        changed?(application, .removed)
    }
}
