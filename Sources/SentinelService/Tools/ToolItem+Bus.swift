// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension ToolItem {
    /// The value that was given for this item, in the type that it is kept and given out in.
    ///
    /// - Throws: `invalidValue` that names the item, what is wrong, and the type and range wanted.
    func canonical(_ value: Value) throws(SentinelError) -> PreferenceValue {
        do throws(SentinelError) {
            return try canonical(value.preference)
        } catch {
            throw SentinelError(
                error.code, "item \(id): \(error.message); got a value of type \(value.unwrapped.type)",
                underlying: error)
        }
    }
}
