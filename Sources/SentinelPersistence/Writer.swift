// SPDX-License-Identifier: MIT

import Dispatch
import Locking
import SQLite
import SentinelModels
import Synchronization

/// The one queue on which a store writes. What has gathered while the queue was at work is committed as one
/// transaction, then every caller gets its reply: throughput comes from grouping, an acknowledgement from the commit.
///
/// `@unchecked Sendable`: all variables are confined to `queue`.
final class Writer: @unchecked Sendable {
    /// Bounds, for tests to narrow.
    struct Limits: Sendable {
        /// How many calls may wait for their reply; past it they fail with `limitsExceeded`.
        var calls = 4096
        /// How many deletions may wait, the one that is under way included.
        var deletions = 64
        /// How many reads may wait in a lane, the one that is under way included.
        var reads = 64
        /// How long nothing must be committed before the log is copied into the database.
        var idleDelay = Duration.seconds(1)
        /// Size of the log past which it is begun anew on this queue.
        var logBytes = Schema.logByteLimit
        /// How long deletion waits for those who read.
        var erasure = DispatchTimeInterval.seconds(2)
    }

    /// One call that waits for its group.
    struct Call {
        let durability: Durability
        /// Whether it needs what follows from the changes of the events that were made before it.
        let readsRollups: Bool
        /// Does the work and returns what gives its value to the caller, for after the commit.
        let run: (Connection, EventMemory) throws -> () -> Void
        let fail: (SentinelError) -> Void
    }

    /// Who is told of the store's health, and of another database.
    private struct Listeners {
        var health: (@Sendable (StoreHealth) -> Void)?
        var database: (@Sendable () -> Void)?
        var times: (@Sendable (ChangedTimes) -> Void)?
    }

    /// What is to be carried over to the database once it can be used.
    struct Unkept {
        var settings: [String: String?] = [:]
        var forgotten: Set<ApplicationID> = []
    }

    /// Work that takes many calls. It calls its argument once it is done, on `queue`.
    typealias Task = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    let queue = DispatchQueue(label: "org.sentinel.store.writer")
    let opener: StoreOpener
    let limits: Limits
    private let outstanding = Atomic<Int>(0)
    /// How many events there are, known on every thread.
    let eventCount = Atomic<Int64>(0)
    /// Size of the database, wherever it is, with all that belongs to it; known on every thread.
    let storageByteCount = Atomic<Int>(0)
    /// Size of the copies of the database that are part of it.
    var copyByteCount = 0
    private let published = Guarded(StoreHealth(state: .ok))
    /// What read connections open; nil where the database can be read on the writing connection alone.
    let readSource = Guarded<ReadSource?>(nil)
    /// For what is to be answered at once.
    let quickLane: ReadLane
    /// For what may take long.
    let bulkLane: ReadLane
    /// For summaries, which neither of the others holds up.
    let summaryLane: ReadLane
    /// For reports, which take longer.
    let reportLane: ReadLane
    /// For ad-hoc queries, which hold up nothing but each other.
    let queryLane: ReadLane
    var lanes: [ReadLane] { [quickLane, bulkLane, summaryLane, reportLane, queryLane] }
    /// For deletions that somebody has asked for.
    let deletions: Places
    private let listeners = Guarded(Listeners())

    private var pending: [Call] = []
    private var isScheduled = false
    private(set) var isClosed = false
    /// What the database is at the moment; nil before it is opened and after it is closed.
    var backing: Backing?
    /// How many databases were taken into use.
    var generation = 0
    var maintenance: Maintenance?
    var suspicion = StoreOpener.Suspicion.none
    /// What went wrong with the database since something was last written.
    var failure: SentinelError?
    var logGauge: LogGauge
    /// Tasks of many calls that wait for the one that runs.
    var waitingTasks: [Task] = []
    var isTaskRunning = false
    /// The tasks that are not done.
    let tasks = DispatchGroup()
    /// What was set, and which applications were forgotten, while the database could not be used.
    var unkept = Unkept()
    /// Whether long readings are to end since they keep the log from being cut; known on every thread.
    let logIsWanted = Atomic(false)
    /// Whether what was deleted is still to be overwritten.
    var owesErasure = false
    /// Whether the database says so, also where it is done by now.
    var hasErasureMark = false

    init(location: StoreLocation, clock: WallClock, limits: Limits = Limits()) {
        opener = StoreOpener(location: location, clock: clock)
        self.limits = limits
        quickLane = ReadLane("quick-reader", limit: limits.reads)
        bulkLane = ReadLane("bulk-reader", limit: limits.reads)
        summaryLane = ReadLane("summary-reader", limit: limits.reads)
        reportLane = ReadLane("report-reader", limit: limits.reads)
        queryLane = ReadLane("query-reader", limit: limits.reads) { connection throws(SQLiteError) in
            try QueryTables.addFunctions(to: connection)
        }
        deletions = Places(limits.deletions, of: "deletions")
        logGauge = LogGauge(limit: limits.logBytes)
        queue.sync {
            use(opener.open())
        }
    }

    // MARK: Calls

    /// Hands in work on the database. It runs in a savepoint of its group's transaction, so that what it throws takes
    /// back only what it did itself. It may run twice, where the group cannot be committed as a whole: whatever it
    /// changes beyond the database, it must change in `completion`.
    ///
    /// - Parameter completion: called on `queue`, after the commit, exactly once, in the order in which calls came.
    ///   `limitsExceeded` where too many calls wait, `unavailable` after `close()`.
    func submit<Value>(
        _ durability: Durability = .disk,
        _ work: @escaping @Sendable (Connection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        submit(durability, { connection, _ in try work(connection) }, completion: completion)
    }

    /// Hands in work on the events, as ``submit(_:_:completion:)`` does.
    ///
    /// - Parameters:
    ///   - isLimited: whether it counts among the calls that may wait.
    ///   - readsRollups: whether the work reads rollups, or the numbers of uses of names.
    func submitEvents<Value>(
        isLimited: Bool = true, readsRollups: Bool = true, _ work: @escaping @Sendable (EventWriter) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        submit(
            .disk,
            { connection, memory in
                let writer = EventWriter(connection, memory)
                let value = try work(writer)
                writer.finish()
                return value
            }, isLimited: isLimited, readsRollups: readsRollups, completion: completion)
    }

    private func submit<Value>(
        _ durability: Durability, _ work: @escaping @Sendable (Connection, EventMemory) throws -> Value,
        isLimited: Bool = true, readsRollups: Bool = false,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        guard outstanding.add(1, ordering: .relaxed).newValue <= limits.calls || !isLimited else {
            outstanding.subtract(1, ordering: .relaxed)
            let limit = limits.calls
            queue.async {
                completion(
                    .failure(.init(.limitsExceeded, "\(limit) writes are waiting already, wait for their replies")))
            }
            return
        }
        queue.async { [self] in
            pending.append(
                Call(
                    durability: durability,
                    readsRollups: readsRollups,
                    run: { connection, memory in
                        let value = try work(connection, memory)
                        return { completion(.success(value)) }
                    },
                    fail: { completion(.failure($0)) }))
            if !isScheduled {
                isScheduled = true
                queue.async { self.flush() }
            }
        }
    }

    /// Reads on the writing connection, for the start of a process alone: it waits for what is under way.
    func read<Value>(_ work: (Connection) throws -> Value) throws(SentinelError) -> Value {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return try queue.sync { () -> Result<Value, SentinelError> in
            do {
                return .success(try attemptRead(work))
            } catch let error as SQLiteError where error.isDamage {
                // The successor holds what can be read.
                note(error)
                recover()
            } catch {
                return .failure(SentinelError(storage: error))
            }
            defer { publishHealth() }
            do {
                return .success(try attemptRead(work))
            } catch {
                note(error)
                return .failure(SentinelError(storage: error))
            }
        }.get()
    }

    func attemptRead<Value>(_ work: (Connection) throws -> Value) throws -> Value {
        guard !isClosed else {
            throw Self.closedError
        }
        guard let backing, let connection = backing.connection else {
            throw backing?.refusal(of: .disk) ?? Self.closedError
        }
        return try work(connection)
    }

    /// Serves what was handed in before, copies the log into the database and closes it. Later calls fail.
    func close() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {
            while !pending.isEmpty {
                flush()
            }
            isClosed = true
            readSource.withLock { $0 = nil }
        }
        for lane in lanes {
            lane.stop()
        }
        // They fail with their next step.
        tasks.wait()
        queue.sync {
            release()
        }
    }

    /// Waits for what was handed in since `close()`: it fails, but its queue holds this until it has.
    func waitForRefusals() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        for lane in lanes {
            lane.queue.sync {}
        }
        // A call comes, then it fails.
        for _ in 0..<2 {
            queue.sync {}
        }
    }

    private func flush() {
        dispatchPrecondition(condition: .onQueue(queue))
        isScheduled = false
        let group = pending
        guard !group.isEmpty else { return }
        pending.removeAll(keepingCapacity: true)
        let outcomes: [Outcome]
        if isClosed {
            outcomes = group.map { _ in .failure(Self.closedError) }
        } else {
            recover()
            outcomes = commit(group)
            publishHealth()
        }
        outstanding.subtract(group.count, ordering: .relaxed)
        for (call, outcome) in zip(group, outcomes) {
            switch outcome {
            case .success(let reply): reply()
            case .failure(let error): call.fail(error)
            }
        }
        tendLog()
    }

    static let closedError = SentinelError(.unavailable, "the store is closed", underlying: StoreClosure())

    // MARK: Health

    /// The health last published, from any thread.
    var health: StoreHealth {
        published.withLock { $0 }
    }

    func onHealthChange(_ handler: @escaping @Sendable (StoreHealth) -> Void) {
        listeners.withLock { $0.health = handler }
    }

    func onDatabaseChange(_ handler: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.database = handler }
    }

    /// Tells when events began and lasted that the last transaction has changed.
    func publishChangedTimes() {
        dispatchPrecondition(condition: .onQueue(queue))
        publish(backing?.events.takeChangedTimes() ?? .all)
    }

    func publish(_ times: ChangedTimes) {
        guard times != .none else { return }
        listeners.withLock { $0.times }?(times)
    }

    func onTimesChange(_ handler: @escaping @Sendable (ChangedTimes) -> Void) {
        listeners.withLock { $0.times = handler }
    }

    /// Tells that another database than before is in use, where things are kept.
    func announceDatabase() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard generation > 1, backing?.isWanted == true else { return }
        listeners.withLock { $0.database }?()
    }

    func publishHealth() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard var health = backing?.health else { return }
        if let failure {
            health.state = .degraded
            let detail = StoreHealth.Detail("storage_error", failure.message)
            if let index = health.details.firstIndex(where: { $0.key == detail.key }) {
                health.details[index] = detail
            } else {
                health.details.insert(detail, at: 0)
            }
        }
        let hasChanged = published.withLock { published in
            defer { published = health }
            return published != health
        }
        if hasChanged, let handler = listeners.withLock({ $0.health }) {
            handler(health)
        }
    }
}
