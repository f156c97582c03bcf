// SPDX-License-Identifier: MIT

import Dispatch
import Locking
import SQLite
import SentinelModels
import Synchronization

/// What is done for a database beside the writing path: checkpoints, and the check after an unclean end. It has a queue
/// of its own at utility quality of service and opens the database only while it is at work.
final class Maintenance: Sendable {
    private let path: String
    private let idleDelay: Duration
    private let queue = DispatchQueue(label: "org.sentinel.store.maintenance", qos: .utility)
    private let commits = Atomic<Int>(0)
    private let isWaiting = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    private let checkpointed: @Sendable () -> Void
    private let check = Guarded<Interrupter?>(nil)

    /// Takes care of the database at a path.
    ///
    /// - Parameters:
    ///   - idleDelay: how long nothing must be committed before a checkpoint.
    ///   - checkpointed: called after each, on the queue of the maintenance.
    init(path: String, idleDelay: Duration, checkpointed: @escaping @Sendable () -> Void) {
        self.path = path
        self.checkpointed = checkpointed
        self.idleDelay = idleDelay
    }

    /// Takes note of a commit: once no more follow for a while, the log is copied into the database.
    func noteCommit() {
        commits.add(1, ordering: .relaxed)
        if !isWaiting.exchange(true, ordering: .acquiringAndReleasing) {
            waitForIdleness()
        }
    }

    /// Copies the log into the database as far as this holds up nobody.
    func checkpointSoon() {
        queue.async { [self] in
            checkpoint()
        }
    }

    /// Checks the whole database and reports the first thing that is wrong, nil where nothing is, on the queue of the
    /// maintenance. A check that could not be made reports nothing.
    func checkSoon(_ report: @escaping @Sendable (String?) -> Void) {
        queue.async { [self] in
            if let findings = findDamage(), !isStopped.load(ordering: .acquiring) {
                report(findings.first)
            }
        }
    }

    /// Ends what is under way and waits for it. Nothing opens the database after this.
    func stop() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        isStopped.store(true, ordering: .releasing)
        check.withLock { $0?.interrupt() }
        queue.sync {}
    }

    private func waitForIdleness() {
        let seen = commits.load(ordering: .relaxed)
        let delay = DispatchTimeInterval.microseconds(Int(clamping: idleDelay.microseconds))
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            if commits.load(ordering: .relaxed) == seen {
                isWaiting.store(false, ordering: .releasing)
                checkpoint()
            } else {
                waitForIdleness()
            }
        }
    }

    private func checkpoint() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped.load(ordering: .acquiring) else { return }
        do {
            try open(.readWrite).checkpoint(.passive)
            checkpointed()
        } catch {
            // The writer meets the same fault with its next commit and reports it; until then the log holds all.
            return
        }
    }

    private func findDamage() -> [String]? {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            let connection = try open(.readOnly)
            check.withLock { $0 = connection.interrupter }
            defer { check.withLock { $0 = nil } }
            guard !isStopped.load(ordering: .acquiring) else { return nil }
            return try connection.quickCheck(limit: 1)
        } catch {
            // Not being able to check says nothing about the database.
            return nil
        }
    }

    /// A connection that leaves the log alone when it closes: by then the path may be another database's.
    private func open(_ access: Connection.Access) throws(SQLiteError) -> Connection {
        try Connection(.file(path), options: .init(access: access, checkpointsOnClose: false))
    }
}
