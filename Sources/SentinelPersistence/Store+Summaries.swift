// SPDX-License-Identifier: MIT

package import SentinelModels

extension Store {
    /// Reads what a summary is made of, in one read transaction. Neither what is written nor other reading holds it up.
    ///
    /// - Parameters:
    ///   - isLong: whether it may take long: it then waits for others of its kind, not for what is to be answered at once,
    ///     which does not wait for it either.
    ///   - cancellation: ends it before it begins; nil if nothing does.
    ///   - completion: called on the queue on which was read. `limitsExceeded` where 64 calls wait.
    package func summarize<Value: Sendable>(
        isLong: Bool = false, cancellation: ReadCancellation? = nil,
        _ body: @escaping @Sendable (inout SummaryReading) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        let lane = isLong ? writer.reportLane : writer.summaryLane
        writer.admit(to: lane, completion: completion) { completion in
            writer.read(on: lane) { connection in
                try cancellation?.check()
                var reading = SummaryReading(connection)
                return try body(&reading)
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
