// SPDX-License-Identifier: MIT

public import SentinelModels

extension Store {
    /// The preferences of all applications that have any. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func preferences() throws(SentinelError) -> [ApplicationID: StoredPreferences] {
        try writer.read { connection in try PreferenceTables.all(in: connection) }
    }

    /// Reads an application's preferences but their history, once what was written before is on disk.
    public func preferences(
        of id: ApplicationID, completion: @escaping @Sendable (Result<StoredPreferences, SentinelError>) -> Void
    ) {
        writer.submit(
            .session,
            { connection in try PreferenceTables.all(of: id, in: connection)[id] ?? StoredPreferences() },
            completion: completion)
    }

    /// Writes about an application's preferences, all or nothing.
    ///
    /// Declarations alone are kept in memory where no disk can be used, as applications are: they come again with each
    /// start of the application. Values are not, since nobody would say them again.
    ///
    /// - Parameters:
    ///   - historyLimit: how many changes of the application are remembered; the oldest go.
    ///   - historyBytes: how many bytes they have; the oldest go, the latest stays.
    ///   - completion: called on the store's queue once all is on disk. `conflict` where the application is not known.
    public func writePreferences(
        of id: ApplicationID, _ writes: [PreferenceWrite], historyLimit: Int, historyBytes: Int,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            writes.allSatisfy(\.isRepeatable) ? .session : .disk,
            { connection in
                try PreferenceTables.write(
                    writes, of: id, historyLimit: historyLimit, historyBytes: historyBytes, in: connection)
            }, completion: completion)
    }

    /// Reads changes of an application's preferences, the newest first, once what was written before is on disk. It ends
    /// early past 4 MiB, after one at least; `before` goes on.
    ///
    /// - Parameters:
    ///   - key: of this preference alone; nil for all.
    ///   - before: older than the change of this number; nil for all.
    public func preferenceChanges(
        of id: ApplicationID, key: Name?, before: Int64?, limit: Int,
        completion: @escaping @Sendable (Result<[StoredChange], SentinelError>) -> Void
    ) {
        writer.submit(
            .session,
            { connection in
                try PreferenceTables.changes(of: id, key: key, before: before, limit: limit, in: connection)
            }, completion: completion)
    }

    /// Reads the change of a number; nil if the application has none of it.
    public func preferenceChange(
        _ number: Int64, of id: ApplicationID,
        completion: @escaping @Sendable (Result<StoredChange?, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try PreferenceTables.change(number, of: id, in: connection) },
            completion: completion)
    }
}
