// SPDX-License-Identifier: MIT

package import SentinelModels

extension Store {
    /// Reads what a summary is made of, in one read transaction. Neither what is written nor other reading holds it up.
    ///
    /// - Parameters:
    ///   - cancellation: ends it before it begins; nil if nothing does.
    ///   - completion: called on the queue on which was read. `limitsExceeded` where 64 calls wait.
    package func summarize<Value: Sendable>(
        cancellation: ReadCancellation? = nil, _ body: @escaping @Sendable (inout SummaryReading) throws -> Value,
        completion: @escaping @Sendable (Result<Value, SentinelError>) -> Void
    ) {
        writer.admit(to: writer.summaryLane, completion: completion) { completion in
            writer.read(on: writer.summaryLane) { connection in
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
