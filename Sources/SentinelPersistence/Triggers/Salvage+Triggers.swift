// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

extension Salvage {
    /// Copies the triggers of the service and of the applications that have been copied, in one transaction. One that is
    /// there already stays.
    ///
    /// - Throws: what writing them throws; what cannot be read is left out.
    func copyTriggers(to target: Connection) throws {
        try target.transaction {
            try copy(TriggerTable.selection, by: ["id"], TriggerTable.trigger) { trigger in
                let owner = try target.first(
                    "SELECT 1 FROM applications WHERE id = ?", trigger.application.text, as: Int64.self)
                let present = try target.first(
                    "SELECT 1 FROM triggers WHERE id = ?", trigger.id.text, as: Int64.self)
                if owner != nil || trigger.application == .sentinel, present == nil {
                    try TriggerTable.save(trigger, in: target)
                }
            }
        }
    }
}
