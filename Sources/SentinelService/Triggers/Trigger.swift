// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// A trigger of an application.
struct Trigger {
    let id: Name
    let application: ApplicationID
    /// Where it stands among all.
    let position: Int64
    var plan: TriggerPlan
    /// Whether it is kept in the store.
    var isStored = false
    /// What the application's manifest says of it; nil where that has none.
    var manifestPlan: TriggerPlan?
    /// The clients that it ends with, unless it is kept otherwise.
    var clients: Set<BusName> = []

    /// Whether somebody has added it, whatever a manifest says.
    var isAdded: Bool { isStored || !clients.isEmpty }
    /// Whether somebody wants it still.
    var isWanted: Bool { isAdded || manifestPlan != nil }

    /// The same as it is kept.
    var stored: StoredTrigger {
        StoredTrigger(id: id, application: application, declaration: plan.declaration, position: position)
    }
}

extension Trigger {
    /// An id for what waits for a cause, the same at each start.
    ///
    /// - Parameter attempt: another one for each, where ids of different triggers are the same.
    /// - Throws: as `Name`, which takes every id.
    static func id(
        of application: ApplicationID, _ cause: TriggerCause, attempt: Int
    ) throws(SentinelError) -> Name {
        let options = cause.texts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        // FNV-1a, of 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in [application.text, cause.kind.rawValue, "\(attempt)"] + options {
            for byte in Array(text.utf8) + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        let digits = String(hash, radix: 16)
        return try Name("\(cause.kind.rawValue)-\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)")
    }
}
