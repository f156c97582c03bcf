// SPDX-License-Identifier: MIT

import Dispatch
import Locking
import SQLite
import SentinelModels
import Synchronization

extension Writer {
    /// Takes a database into use.
    func use(_ backing: Backing) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.backing = backing
        // From now on it is the log that is there.
        _ = backing.connection?.hasLostLog()
        generation += 1
        suspicion = .none
        failure = nil
        logGauge = LogGauge(limit: limits.logBytes)
        readSource.withLock { $0 = backing.files.map { .init(path: $0.database, generation: generation) } }
        countCopies()
        publishFigures()
        publish(.all)
        if let files = backing.files {
            let maintenance = Maintenance(path: files.database, idleDelay: limits.idleDelay) { [weak self] in
                guard let self else { return }
                queue.async { self.measureStorage() }
            }
            self.maintenance = maintenance
            if backing.needsCheck {
                let generation = generation
                maintenance.checkSoon { [weak self] finding in
                    guard let self else { return }
                    queue.async { self.settleCheck(finding, of: generation) }
                }
            }
        }
        publishHealth()
        announceDatabase()
        salvageEvents()
        readErasureMark()
        if owesErasure {
            eraseSoon(after: limits.idleDelay)
        }
    }

    /// Takes note of what was deleted and is still to be overwritten, by the process before perhaps.
    private func readErasureMark() {
        hasErasureMark = false
        guard let backing, backing.files != nil, let connection = backing.connection else { return }
        do throws(SQLiteError) {
            hasErasureMark = try SettingsTable.owesErasure(in: connection)
            owesErasure = owesErasure || hasErasureMark
        } catch {
            note(error)
        }
    }

    /// Makes the number of events, and the size of the database, known to every thread.
    func publishFigures() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let backing, let connection = backing.connection else { return }
        do throws(SQLiteError) {
            eventCount.store(try backing.events.count(in: connection), ordering: .relaxed)
        } catch {
            note(error)
        }
        measureStorage()
    }

    /// Opens the database again where the one in use will not do and another may: before each group, since a timer
    /// would wake a machine for nothing.
    func recover() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let backing else { return }
        if backing.isWanted {
            if suspicion == .none, !hasMoved(backing.connection) {
                guard let connection = backing.connection, connection.hasLostLog() else { return }
                saveLog(connection)
            }
            reopen()
        } else if backing.canRecover {
            retry(backing)
        }
    }

    /// Lets go of the database at the end.
    func release() {
        dispatchPrecondition(condition: .onQueue(queue))
        maintenance?.stop()
        maintenance = nil
        defer { backing = nil }
        guard let connection = backing?.connection else { return }
        do {
            if suspicion == .none, backing?.files != nil {
                try dropErasureMark(connection)
                try connection.checkpoint(.truncate)
                try eraseAtEnd(connection)
                connection.close()
            } else {
                // The log that stays tells the next start to check.
                try connection.abandon()
            }
        } catch {
            // What is committed is in the log, which the next start reads.
            connection.close()
        }
    }

    private func settleCheck(_ finding: String?, of generation: Int) {
        // A database that was taken into use since then has nothing to do with the finding.
        guard generation == self.generation, backing != nil else { return }
        guard let finding else {
            // The process before may have owed it.
            owesErasure = true
            return eraseSoon(after: limits.idleDelay)
        }
        suspicion = .certainDamage(finding)
        reopen()
    }

    private func reopen() {
        let suspicion = suspicion
        maintenance?.stop()
        maintenance = nil
        readSource.withLock { $0 = nil }
        do {
            try backing?.connection?.abandon()
        } catch {
            // It is given up in any case.
            backing?.connection?.close()
        }
        backing = nil
        use(opener.open(suspicion))
    }

    /// Tries for the wanted database; the substitute stays where it cannot be had.
    private func retry(_ substitute: Backing) {
        var wanted: Backing
        do {
            wanted = try opener.openWanted()
            wanted.salvage = wanted.salvage ?? substitute.salvage
            if case .memory = substitute.kind, let source = substitute.connection, let target = wanted.connection {
                let salvage = Salvage(source)
                try target.transaction {
                    for id in unkept.forgotten {
                        try ApplicationTable.forget(id, in: target)
                    }
                }
                _ = try salvage.copyApplications(to: target)
                try salvage.copyTools(to: target)
                try salvage.copyTriggers(to: target)
                try target.transaction {
                    try salvage.copySettings(to: target)
                    try SettingsTable.set(unkept.settings, in: target)
                }
            }
        } catch {
            failure = SentinelError(storage: error)
            return
        }
        unkept = Unkept()
        substitute.connection?.close()
        use(wanted)
    }

    /// Copies what is in a log that was removed into the database, before the connection that has it open is closed.
    private func saveLog(_ connection: Connection) {
        maintenance?.stop()
        do {
            _ = try truncateLog(connection)
        } catch {
            // What cannot be copied is lost with the log.
            note(error)
        }
    }

    /// Takes note of what was done to the database at the moment, for the one that can be used later.
    func keepForLater(_ change: (inout Unkept) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        if case .memory? = backing?.kind {
            change(&unkept)
        }
    }

    private func hasMoved(_ connection: Connection?) -> Bool {
        do {
            return try connection?.hasMoved() ?? false
        } catch {
            // A fault shows with the next statement, which reports it.
            return false
        }
    }
}
