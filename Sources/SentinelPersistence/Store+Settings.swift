// SPDX-License-Identifier: MIT

import SQLite
public import SentinelModels

extension Store {
    /// The value of a setting, nil where it has none. For the start of a process: it waits for the disk.
    ///
    /// - Throws: `storageDamaged`, `unavailable`.
    public func setting(_ name: String) throws(SentinelError) -> String? {
        try writer.read { connection in
            try connection.first("SELECT value FROM settings WHERE name = ?", name, as: String.self)
        }
    }

    /// Changes settings, all or none; nil removes a value. What changes nothing writes nothing.
    ///
    /// - Parameter completion: called on the store's queue once they are on disk, or in memory where no disk can be
    ///   used; they go to the disk once it can.
    public func setSettings(
        _ values: [String: String?], completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        writer.submit(
            .session, { connection in try SettingsTable.set(values, in: connection) }
        ) { [writer] result in
            if case .success = result {
                writer.keepForLater { $0.settings.merge(values) { _, new in new } }
            }
            completion(result)
        }
    }
}
