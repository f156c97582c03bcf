// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
import SentinelModels
import Synchronization

extension Writer {
    /// Pages that are looked at before others' calls get their turn.
    private static let pagesPerStep = 4096

    /// Makes sure that nothing of what was deleted is left in the database's files: truncates the log, and overwrites
    /// what deletion leaves in the pages. Where others who read keep it from that for too long, it fails with `timeout`
    /// and is done later.
    ///
    /// - Parameter completion: called on `queue`.
    func erase(completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void) {
        queue.async { [self] in
            owesErasure = true
            erase(from: 1, of: generation, until: .now() + limits.erasure, completion)
        }
    }

    /// Does what is owed after a while, and if it cannot be done, again and again later; in the place of a database
    /// that cannot be used, once that can.
    func eraseSoon(after delay: Duration) {
        dispatchPrecondition(condition: .onQueue(queue))
        let microseconds = Int(clamping: delay.microseconds)
        queue.asyncAfter(deadline: .now() + .microseconds(microseconds)) { [weak self] in
            guard let self, owesErasure, !isClosed, backing?.isWanted == true else { return }
            erase(from: 1, of: generation, until: .now()) { [weak self] result in
                if case .failure = result {
                    self?.eraseSoon(after: min(delay * 2, .seconds(60)))
                }
            }
        }
    }

    /// Does what is owed before the database is closed; what cannot be done is done by the next start.
    func eraseAtEnd(_ connection: Connection) throws(SQLiteError) {
        guard owesErasure else { return }
        var next: Int? = 1
        while let page = next {
            guard let scrubbed = try scrub(from: page, connection) else { return }
            next = scrubbed.next
        }
        owesErasure = false
        try dropErasureMark(connection)
        try connection.checkpoint(.truncate)
    }

    /// Takes back that something is to be overwritten, once it is: with the next change that is made, or at the end,
    /// so that it costs no transaction of its own.
    ///
    /// - Returns: whether it was taken back.
    @discardableResult
    func dropErasureMark(_ connection: Connection) throws(SQLiteError) -> Bool {
        guard hasErasureMark, !owesErasure else { return false }
        try SettingsTable.set([SettingsTable.erasure: nil], in: connection)
        return true
    }

    private func erase(
        from page: Int, of generation: Int, until deadline: DispatchTime,
        _ completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return completion(.failure(Self.closedError)) }
        guard generation == self.generation, let backing, let connection = backing.connection else {
            return completion(.failure(.init(.unavailable, "the database was replaced before it was all erased")))
        }
        guard backing.files != nil else {
            guard backing.isWanted else {
                return completion(.failure(.init(.unavailable, "it is erased once the database can be used again")))
            }
            // What is in memory has neither a log nor copies that outlive it.
            owesErasure = false
            return completion(.success(()))
        }
        do {
            if let scrubbed = try scrub(from: page, connection) {
                guard let next = scrubbed.next else {
                    owesErasure = false
                    return completion(.success(()))
                }
                queue.async { self.erase(from: next, of: generation, until: .now() + self.limits.erasure, completion) }
            } else if .now() < deadline {
                queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
                    self.erase(from: page, of: generation, until: deadline, completion)
                }
            } else {
                completion(
                    .failure(
                        .init(.timeout, "it is deleted, but others who read keep the log; it is erased once they end")))
            }
        } catch {
            note(error)
            publishHealth()
            completion(.failure(SentinelError(storage: error)))
        }
    }

    private struct Scrubbed {
        let next: Int?
    }

    /// Truncates the log and scrubs some pages; nil where others keep it from that.
    private func scrub(from page: Int, _ connection: Connection) throws(SQLiteError) -> Scrubbed? {
        guard try truncateLog(connection) else { return nil }
        do {
            try connection.begin(.immediate)
        } catch let error where error.code == .busy {
            return nil
        }
        defer { connection.rollBack() }
        // Another process may have written since.
        guard try isLogEmpty() else { return nil }
        return Scrubbed(next: try connection.scrub(from: page, count: Self.pagesPerStep))
    }

    private func isLogEmpty() throws(SQLiteError) -> Bool {
        do throws(SentinelError) {
            return try backing?.files?.hasLog() == false
        } catch {
            throw SQLiteError(code: .ioError, message: error.message)
        }
    }

    /// Copies the log into the database and cuts it to nothing. The store's own readers are held off meanwhile; each
    /// of them lets go of the log within its transaction's limit, and those that take longer end.
    ///
    /// - Returns: whether that was possible.
    func truncateLog(_ connection: Connection) throws(SQLiteError) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        let lanes = lanes
        logIsWanted.store(true, ordering: .relaxed)
        defer { logIsWanted.store(false, ordering: .relaxed) }
        for lane in lanes {
            lane.queue.suspend()
        }
        defer {
            for lane in lanes {
                lane.queue.resume()
            }
        }
        defer { measureStorage() }
        return try connection.withBusyTimeout(ReadLane.transactionLimit * 2) { () throws(SQLiteError) in
            try !connection.checkpoint(.truncate).wasBusy
        }
    }
}
