// SPDX-License-Identifier: MIT

import Dispatch
import Locking
import SQLite
import SentinelModels

extension Writer {
    /// Reads in a read transaction on a lane; on the writing connection where the database is in memory or can be read
    /// there alone.
    ///
    /// - Parameter completion: called on the queue on which was read.
    func read<Value>(
        on lane: ReadLane, _ work: @escaping @Sendable (Connection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        lane.queue.async { [self] in
            guard let source = readSource.withLock({ $0 }) else {
                return queue.async { completion(self.readHere(work)) }
            }
            do {
                let connection = try lane.connection(to: source)
                let value = try connection.transaction(.deferred) { try work(connection) }
                completion(.success(value))
            } catch {
                report(error, of: source.generation)
                completion(.failure(SentinelError(storage: error)))
            }
        }
    }

    /// Begins reading that takes any number of transactions, unless too many wait already.
    ///
    /// - Parameters:
    ///   - body: reads, and calls its argument once in the end.
    ///   - completion: gets `limitsExceeded`, on the lane's queue, where too many wait.
    func admit<Value>(
        to lane: ReadLane, completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void,
        _ body: (@escaping @Sendable (Result<Value, SentinelError>) -> Void) -> Void
    ) {
        do throws(SentinelError) {
            try lane.places.take()
        } catch {
            return lane.queue.async { completion(.failure(error)) }
        }
        body { result in
            lane.places.giveBack()
            completion(result)
        }
    }

    private func readHere<Value>(_ work: (Connection) throws -> Value) -> Result<Value, SentinelError> {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            return .success(try attemptRead(work))
        } catch {
            note(error)
            publishHealth()
            return .failure(SentinelError(storage: error))
        }
    }

    /// Takes note of damage that a reader met.
    func report(_ error: any Error, of generation: Int) {
        guard let error = error as? SQLiteError, error.isDamage else { return }
        queue.async { [self] in
            guard generation == self.generation, backing != nil else { return }
            note(error)
            publishHealth()
        }
    }
}
