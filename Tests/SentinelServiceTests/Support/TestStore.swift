// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension Store {
    /// Keeps an application and waits for the disk.
    func keep(_ record: ApplicationRecord) async throws {
        let result = await withCheckedContinuation { continuation in
            save(record) { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}

extension ApplicationRecord {
    /// A record of an application that was last seen so long ago.
    static func seen(_ id: String, ago: Duration) throws -> ApplicationRecord {
        let time = try Timestamp(
            microseconds: WallClock.system.now().microseconds - ago.microseconds)
        return ApplicationRecord(id: try ApplicationID(id), name: "App", firstSeen: time, lastSeen: time)
    }
}
