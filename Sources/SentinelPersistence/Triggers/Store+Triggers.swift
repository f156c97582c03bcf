// SPDX-License-Identifier: MIT

public import SentinelModels

extension Store {
    /// All triggers in the order in which they were added. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func triggers() throws(SentinelError) -> [StoredTrigger] {
        try writer.read { connection in try TriggerTable.all(in: connection) }
    }

    /// Reads the triggers of an application in the order in which they were added, once what was written before is on
    /// disk.
    public func triggers(
        of application: ApplicationID,
        completion: @escaping @Sendable (Result<[StoredTrigger], SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try TriggerTable.all(of: application, in: connection) }, completion: completion)
    }

    /// Keeps triggers, each in place of one of its id; all or none.
    ///
    /// - Parameter isRepeatable: whether they are known elsewhere: memory will do then where no disk can be used.
    public func save(
        _ triggers: [StoredTrigger], isRepeatable: Bool = false,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            isRepeatable ? .session : .disk,
            { connection in
                for trigger in triggers {
                    try TriggerTable.save(trigger, in: connection)
                }
            }, completion: completion)
    }

    /// Removes a trigger; one that is not there is removed already.
    public func removeTrigger(
        _ id: Name, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(.disk, { connection in try TriggerTable.remove(id, in: connection) }, completion: completion)
    }
}
