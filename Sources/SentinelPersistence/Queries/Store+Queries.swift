// SPDX-License-Identifier: MIT

import Dispatch
import Locking
import SQLite
package import SentinelModels
import Synchronization

extension Store {
    /// Runs an ad-hoc query, on a queue of its own that holds up nothing else.
    ///
    /// - Parameters:
    ///   - cancellation: ends it, also while it runs; nil if nothing does.
    ///   - completion: called on that queue. `invalidArgs` where the statement is at fault, `timeout` where it takes too
    ///     long, `limitsExceeded` where it needs too much memory or 64 calls wait, `unavailable` where the database is in
    ///     memory or can be read by the writer alone.
    package func query(
        _ request: QueryRequest, cancellation: ReadCancellation? = nil,
        completion: @escaping @Sendable (Result<QueryRows, SentinelError>) -> Void
    ) {
        writer.admit(to: writer.queryLane, completion: completion) { completion in
            writer.query(request, cancellation, completion)
        }
    }

    /// Answers an ad-hoc query that is not to be run, on the queue of those that are.
    package func refuseQuery(
        _ error: SentinelError, completion: @escaping @Sendable (Result<QueryRows, SentinelError>) -> Void
    ) {
        writer.queryLane.queue.async { completion(.failure(error)) }
    }

    /// Names of the parameters of an ad-hoc query's statement, each with its prefix; nil for those with a position alone.
    /// Needs no store.
    ///
    /// - Throws: `invalidArgs` where it could not be run.
    package static func parameterNames(ofQuery sql: String) throws(SentinelError) -> [String?] {
        let run: QueryRun
        do throws(SQLiteError) {
            run = try QueryRun(reader: nil, directory: nil) { false }
        } catch {
            throw SentinelError(storage: error)
        }
        return try run.parameterNames(of: sql)
    }
}

extension Writer {
    fileprivate func query(
        _ request: QueryRequest, _ cancellation: ReadCancellation?,
        _ completion: @escaping @Sendable (Result<QueryRows, SentinelError>) -> Void
    ) {
        queryLane.queue.async { [self] in
            guard let source = readSource.withLock({ $0 }) else {
                return queue.async { completion(.failure(self.queryRefusal)) }
            }
            do {
                try cancellation?.check()
                let reader = try queryLane.connection(to: source)
                let rows = try reader.transaction(.deferred) {
                    let run = try QueryRun(reader: reader, directory: opener.directory) { [self] in
                        // Closed, or another database is in use, or a deletion needs the log.
                        cancellation?.isCancelled == true || logIsWanted.load(ordering: .relaxed)
                            || readSource.withLock { $0?.generation } != source.generation
                    }
                    do {
                        return try run.rows(of: request)
                    } catch {
                        if let failure = run.failure { report(failure, of: source.generation) }
                        throw error
                    }
                }
                completion(.success(rows))
            } catch {
                report(error, of: source.generation)
                completion(.failure(SentinelError(storage: error)))
            }
        }
    }

    /// Why there are no ad-hoc queries where nothing but the writing connection can read.
    private var queryRefusal: SentinelError {
        guard !isClosed else { return Self.closedError }
        if let reason = backing?.refusal(of: .disk) {
            return SentinelError(.unavailable, "no query can be run: \(reason.message)")
        }
        return SentinelError(.unavailable, "no query can be run: the database is in memory")
    }
}

extension StoreOpener {
    /// The directory of the database; nil where it is in memory.
    fileprivate var directory: String? {
        guard case .directory(let path) = location else { return nil }
        return StoreFiles(directory: path).directory
    }
}
