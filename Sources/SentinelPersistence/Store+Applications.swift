// SPDX-License-Identifier: MIT

public import SentinelModels

extension Store {
    /// The applications that are known, ordered by id. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func applications() throws(SentinelError) -> [ApplicationRecord] {
        try writer.read { connection in try ApplicationTable.all(in: connection) }
    }

    /// Reads the applications that are known, ordered by id, once what was written before is on disk.
    public func applications(
        completion: @escaping @Sendable (Result<[ApplicationRecord], SentinelError>) -> Void
    ) {
        writer.submit(.session, { connection in try ApplicationTable.all(in: connection) }, completion: completion)
    }

    /// Keeps an application, or what is new of one that is known; the time between first and last seen only grows.
    public func save(
        _ record: ApplicationRecord, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try ApplicationTable.save(record, in: connection) }, completion: completion)
    }

    /// Notes when applications were last seen. An earlier time than is known changes nothing, nor does an unknown id.
    public func touch(
        ids: [ApplicationID], lastSeen: Timestamp,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try ApplicationTable.touch(ids, lastSeen: lastSeen, in: connection) },
            completion: completion)
    }

    /// Removes an application; one that is not known is removed already.
    public func forget(
        _ id: ApplicationID, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try ApplicationTable.forget(id, in: connection) }
        ) { [writer] result in
            if case .success = result {
                writer.keepForLater { $0.forgotten.insert(id) }
            }
            completion(result)
        }
    }
}
