// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
import SentinelModels

extension Writer {
    /// What became of a call: what replies to it, or why it failed.
    typealias Outcome = Result<() -> Void, SentinelError>

    /// Serves a group of calls in one transaction. Where that cannot be, each of those that can be served has one of
    /// its own, so that a call fails for its own fault alone.
    func commit(_ group: [Call]) -> [Outcome] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let backing, let connection = backing.connection else {
            let error = backing?.refusal(of: .disk) ?? SentinelError(.unavailable, "there is no database")
            return group.map { _ in .failure(error) }
        }
        if let refusal = backing.refusal(of: .session) {
            return group.map { _ in .failure(refusal) }
        }
        let changes = connection.totalChangeCount
        do {
            try connection.begin(.immediate)
            try backing.events.follow(connection)
            // What others have changed counts also where this fails.
            publishChangedTimes()
        } catch {
            connection.rollBack()
            note(error)
            return group.map { _ in .failure(SentinelError(storage: error)) }
        }
        backing.events.beginTransaction()
        var outcomes: [Outcome] = []
        do {
            for call in group {
                if call.readsRollups {
                    try settle(backing, connection)
                }
                outcomes.append(attempt(call, backing) { work in try connection.savepoint { try work(connection) } })
                guard connection.isInTransaction else {
                    // The failure took the whole transaction with it.
                    return group.count == 1 ? outcomes : commitSingly(group)
                }
            }
            try settle(backing, connection)
            // A change that is made in any case takes it along, unless it deletes by itself.
            let mayUnmark = !backing.events.owesErasure && connection.totalChangeCount != changes
            let isUnmarked = mayUnmark ? try dropErasureMark(connection) : false
            try connection.commit()
            if isUnmarked {
                hasErasureMark = false
            }
        } catch {
            connection.rollBack()
            backing.events.invalidate()
            note(error)
            // A full disk may have room for some; a deferred constraint is one call's fault.
            if group.count > 1, [.full, .constraint].contains(error.code) {
                return commitSingly(group)
            }
            let failure = Outcome.failure(SentinelError(storage: error))
            return group.indices.map { index in
                outcomes.indices.contains(index) ? outcomes[index].flatMap { _ in failure } : failure
            }
        }
        noteCommit(connection, wasWrite: connection.totalChangeCount != changes)
        return outcomes
    }

    private func commitSingly(_ group: [Call]) -> [Outcome] {
        group.map { call in
            guard let backing, let connection = backing.connection else {
                return .failure(SentinelError(.unavailable, "there is no database"))
            }
            let changes = connection.totalChangeCount
            backing.events.beginTransaction()
            let outcome = attempt(call, backing) { work in
                try connection.transaction {
                    try backing.events.follow(connection)
                    publishChangedTimes()
                    let reply = try work(connection)
                    try settle(backing, connection)
                    return reply
                }
            }
            if case .success = outcome {
                noteCommit(connection, wasWrite: connection.totalChangeCount != changes)
            }
            return outcome
        }
    }

    /// Writes what follows from the events that were changed so far in the open transaction.
    private func settle(_ backing: Backing, _ connection: Connection) throws(SQLiteError) {
        try backing.events.settle(in: connection, now: opener.clock.now())
    }

    private func attempt(
        _ call: Call, _ backing: Backing,
        in scope: ((Connection) throws -> () -> Void) throws -> () -> Void
    ) -> Outcome {
        if let refusal = backing.refusal(of: call.durability) {
            return .failure(refusal)
        }
        do {
            return .success(try scope { connection in try call.run(connection, backing.events) })
        } catch {
            // What is remembered of the events may be of what is taken back.
            backing.events.invalidate()
            note(error)
            return .failure(SentinelError(storage: error))
        }
    }

    /// Takes note of a failure that says something about the database rather than about a call.
    func note(_ error: any Error) {
        guard let error = error as? SQLiteError else { return }
        let failure = SentinelError(storage: error)
        if error.code == .mismatch {
            // SQLite's own check passes over what is only no value of ours.
            suspicion = .certainDamage(error.message)
        } else if error.isDamage, suspicion == .none {
            suspicion = .damage
        }
        if failure.isOfStorage, failure.code != .timeout {
            self.failure = failure
        }
    }

    private func noteCommit(_ connection: Connection, wasWrite: Bool) {
        publishChangedTimes()
        guard wasWrite else { return }
        if suspicion == .none {
            // What can be written has room.
            failure = nil
        }
        maintenance?.noteCommit()
        publishFigures()
    }

    /// Keeps the log short after a group: beside this queue as it grows, on it where that was not enough.
    func tendLog() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let connection = backing?.connection, let maintenance else { return }
        switch logGauge.advice(at: connection.logFrameCount * Schema.logFrameSize) {
        case .nothing: break
        case .checkpoint: maintenance.checkpointSoon()
        case .restart: beginLogAnew(connection)
        }
    }

    private func beginLogAnew(_ connection: Connection) {
        do {
            try connection.withBusyTimeout(.zero) { () throws(SQLiteError) in
                _ = try connection.checkpoint(.restart)
            }
        } catch {
            note(error)
            publishHealth()
        }
    }
}
