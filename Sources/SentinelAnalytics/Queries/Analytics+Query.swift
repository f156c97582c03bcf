// SPDX-License-Identifier: MIT

import SentinelModels
public import SentinelPersistence

extension Analytics {
    /// Runs one SQL statement that reads, over `events` and `buckets` and nothing else.
    ///
    /// - Parameters:
    ///   - parameters: values of the statement's parameters by their position, all of them.
    ///   - limit: how many rows there are at most; they end early at 4 MiB.
    ///   - cancellation: ends it, also while it runs.
    ///   - completion: called on a queue of queries. `invalidArgs` where the statement is malformed, more than one, not
    ///     allowed, or fails, where a parameter does not fit or two columns have the same name; `timeout` after 5 s;
    ///     `limitsExceeded` where it needs too much memory or 64 queries wait; `unavailable` where it was cancelled, or
    ///     the database is in memory.
    public func query(
        _ sql: String, parameters: [QueryValue], limit: Int, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<QueryRows>
    ) {
        store.query(QueryRequest(sql, .list(parameters), limit: limit), cancellation: cancellation) {
            completion($0)
        }
    }

    /// Runs a metric.
    ///
    /// - Parameters:
    ///   - parameters: values of its parameters, all of them, of the declared types.
    ///   - completion: as of ``query(_:parameters:limit:cancellation:completion:)``; `invalidArgs` also where a parameter is
    ///     missing, unknown or of another type.
    public func run(
        _ metric: Metric, parameters: [String: QueryValue], limit: Int, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<QueryRows>
    ) {
        do throws(SentinelError) {
            try metric.check(parameters)
        } catch {
            return store.refuseQuery(error) { completion($0) }
        }
        store.query(QueryRequest(metric.sql, .named(parameters), limit: limit), cancellation: cancellation) {
            completion($0)
        }
    }
}
