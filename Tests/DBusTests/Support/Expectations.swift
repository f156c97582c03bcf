// SPDX-License-Identifier: MIT

import DBus
import Testing

/// The code of the error that `body` ends with; nil if it ends without one.
func errorCode(_ body: () throws -> Void) -> ErrorName? {
    error(from: body)?.code
}

/// The error that `body` ends with; nil if it ends without one.
func error(from body: () throws -> Void) -> DBusError? {
    do {
        try body()
        return nil
    } catch let error as DBusError {
        return error
    } catch {
        Issue.record("an error of another kind: \(error)")
        return nil
    }
}
