// SPDX-License-Identifier: MIT

import SentinelModels

/// Watches for what triggers of one kind are waiting for, while there are any.
///
/// A source is told, when it is made, whom to tell that a trigger's cause has come. Confined to the loop's thread.
protocol TriggerSource: AnyObject {
    /// Watches for the cause of a trigger, which is of the source's kind.
    func add(_ trigger: Name, _ cause: TriggerCause)

    /// Watches no more for the cause of a trigger.
    func remove(_ trigger: Name)

    /// Why a trigger cannot fire at the moment, for people; nil if it can.
    func obstacle(to trigger: Name) -> String?

    /// Calls `completion` once the cause of a trigger would not be missed any more, or cannot be watched for.
    func whenWatching(_ trigger: Name, _ completion: @escaping () -> Void)

    /// Lets go of all that is watched.
    func stop()
}

extension TriggerSource {
    func whenWatching(_ trigger: Name, _ completion: @escaping () -> Void) {
        completion()
    }
}
