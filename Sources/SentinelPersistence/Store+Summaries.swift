// SPDX-License-Identifier: MIT

import Locking
import SQLite
package import SentinelModels
import Synchronization

extension Store {
    /// Reads what a summary is made of, in one read transaction. Neither what is written nor other reading holds it up.
    ///
    /// - Parameters:
    ///   - isLong: whether it may take long: it then waits for others of its kind, not for what is to be answered at once,
    ///     which does not wait for it either.
    ///   - cancellation: ends it; nil if nothing but the end of the store does.
    ///   - completion: called on the queue on which was read. `unavailable` where it was ended, `limitsExceeded` where 64 calls wait.
    package func summarize<Value: Sendable>(
        isLong: Bool = false, cancellation: ReadCancellation? = nil,
        _ body: @escaping @Sendable (inout SummaryReading) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        let lane = isLong ? writer.reportLane : writer.summaryLane
        writer.admit(to: lane, completion: completion) { completion in
            writer.read(on: lane) { [writer] connection in
                try cancellation?.check()
                return try writer.ending(connection, with: cancellation, where: isLong) {
                    var reading = SummaryReading(connection)
                    return try body(&reading)
                }
            } completion: {
                completion($0)
            }
        }
    }

    /// Sets what is told when events began and lasted that a commit has changed, after it and before its calls are
    /// answered. Called on the store's queue.
    package func onTimesChange(_ handler: @escaping @Sendable (ChangedTimes) -> Void) {
        writer.onTimesChange(handler)
    }
}

extension Writer {
    /// Reads until it is cancelled, the store is closed or has another database in use, or, where reading is long, a
    /// deletion needs the log.
    fileprivate func ending<Value>(
        _ connection: Connection, with cancellation: ReadCancellation?, where isLong: Bool, _ body: () throws -> Value
    ) throws -> Value {
        let generation = readSource.withLock { $0?.generation }
        try connection.setProgressHandler(every: 10_000) { [self] in
            cancellation?.isCancelled == true || isLong && logIsWanted.load(ordering: .relaxed)
                || readSource.withLock { $0?.generation } != generation
        }
        // It is used again.
        defer { connection.removeProgressHandler() }
        do {
            return try body()
        } catch let error as SQLiteError where error.code == .interrupt {
            throw ReadCancellation.error
        }
    }
}
