// SPDX-License-Identifier: MIT

public import SentinelModels

extension Store {
    /// All tools, each application's in declared order. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func tools() throws(SentinelError) -> [StoredTool] {
        try writer.read { connection in try ToolTable.all(in: connection) }
    }

    /// Reads the tools of an application in declared order, once what was written before is on disk.
    public func tools(
        of application: ApplicationID, completion: @escaping @Sendable (Result<[StoredTool], SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try ToolTable.all(of: application, in: connection) }, completion: completion)
    }

    /// Keeps tools of an application with their values, in place of those of the same ids, and removes others; all or
    /// nothing. One that is declared as it is kept has the values that are kept as well, under those it comes with.
    ///
    /// - Parameters:
    ///   - record: the application, which is kept as well where it is not.
    ///   - isRepeatable: whether it is said again when it is lost, as applications do at each start: memory will do then
    ///     where no disk can be used.
    public func change(
        _ record: ApplicationRecord, declaring tools: [StoredTool], removing ids: [Name], isRepeatable: Bool = false,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            isRepeatable ? .session : .disk,
            { connection in
                try ApplicationTable.save(record, in: connection)
                for id in ids {
                    try ToolTable.remove(id, of: record.id, in: connection)
                }
                for tool in tools {
                    try ToolTable.declare(tool, in: connection)
                }
            }, completion: completion)
    }

    /// Keeps values of items of a tool that is kept itself.
    ///
    /// - Parameter isRepeatable: as for ``change(_:declaring:removing:isRepeatable:completion:)``.
    public func set(
        _ values: [Name: PreferenceValue], of tool: Name, of application: ApplicationID, isRepeatable: Bool = false,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            isRepeatable ? .session : .disk,
            { connection in
                try ToolTable.set(values, of: tool, of: application, in: connection)
            }, completion: completion)
    }
}
