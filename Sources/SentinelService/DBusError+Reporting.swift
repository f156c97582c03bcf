// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension DBusError {
    /// The error as it goes over the bus, whatever it is here.
    init(reporting error: any Error) {
        switch error {
        case let error as DBusError:
            self = error
        case let error as SentinelError:
            self.init(error.code.errorName, error.message, underlying: error)
        default:
            self.init(.failed, "internal error", underlying: error)
        }
    }
}

extension SentinelError.Code {
    /// The code as a checked error name.
    fileprivate var errorName: ErrorName {
        do throws(DBusError) {
            return try ErrorName(busName)
        } catch {
            // Only a code made of a foreign name can get here.
            return .failed
        }
    }
}
