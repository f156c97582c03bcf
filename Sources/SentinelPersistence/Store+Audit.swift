// SPDX-License-Identifier: MIT

public import SentinelModels

extension Store {
    /// The newest entries of the audit log, the newest first. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func auditEntries(limit: Int) throws(SentinelError) -> [AuditEntry] {
        try writer.read { connection in try AuditTable.newest(limit, in: connection) }
    }

    /// Reads the newest entries of the audit log, the newest first, once what was written before is on disk.
    public func auditEntries(
        limit: Int, completion: @escaping @Sendable (Result<[AuditEntry], SentinelError>) -> Void
    ) {
        writer.submit(.session, { connection in try AuditTable.newest(limit, in: connection) }, completion: completion)
    }

    /// Keeps entries of the audit log, the oldest first, and lets go of all but the newest.
    public func note(
        _ entries: [AuditEntry], keeping limit: Int,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try AuditTable.add(entries, keeping: limit, in: connection) },
            completion: completion)
    }
}
