// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension MethodCall {
    /// The unique name of the caller.
    ///
    /// - Throws: code `failed` without one, which no bus lets happen.
    var client: BusName {
        get throws(SentinelError) {
            guard let sender else { throw SentinelError(.failed, "the caller has no name on the bus") }
            return sender
        }
    }
}
