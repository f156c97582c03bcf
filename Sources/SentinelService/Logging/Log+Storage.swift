// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension Log {
    /// Tells of something that the storage has not done. That it is closed is no fault: the service ends.
    func warning(_ message: @autoclosure () -> String, because error: SentinelError) {
        if !error.isOfClosedStore {
            warning("\(message()): \(error)")
        }
    }
}
