// SPDX-License-Identifier: MIT

import Dispatch
import SQLite

/// A serial queue with a connection of its own on which a store is read, so that reading waits for no writer. The
/// connection is opened when first used, and again when the store has taken another database into use.
///
/// `@unchecked Sendable`: all variables are confined to `queue`.
final class ReadLane: @unchecked Sendable {
    /// How long one read transaction may last: the log cannot be begun anew while one is open.
    static let transactionLimit = Duration.milliseconds(100)

    let queue: DispatchQueue
    /// For what callers have asked for, from when they do until they have their reply.
    let places: Places
    private let prepare: @Sendable (Connection) throws(SQLiteError) -> Void
    private var open: (connection: Connection, generation: Int)?

    /// A lane in which so many reads may wait.
    ///
    /// - Parameter prepare: what is to be done with a connection before it is first used.
    init(
        _ name: String, limit: Int, prepare: @escaping @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
    ) {
        self.prepare = prepare
        places = Places(limit, of: "reads")
        queue = DispatchQueue(label: "org.sentinel.store.\(name)", qos: .utility)
    }

    /// The connection to a database.
    func connection(to source: ReadSource) throws(SQLiteError) -> Connection {
        dispatchPrecondition(condition: .onQueue(queue))
        if let open {
            if open.generation == source.generation { return open.connection }
            close()
        }
        let connection = try Connection(
            .file(source.path), options: .init(access: .readOnly, checkpointsOnClose: false))
        try connection.setPragma("temp_store", to: "memory")
        // In KiB. What is read is read once.
        try connection.setPragma("cache_size", to: -512)
        try prepare(connection)
        open = (connection, source.generation)
        return connection
    }

    /// Waits for what is under way and closes the connection.
    func stop() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync { close() }
    }

    private func close() {
        open?.connection.close()
        open = nil
    }
}
