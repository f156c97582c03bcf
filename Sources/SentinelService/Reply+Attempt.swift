// SPDX-License-Identifier: MIT

import DBus

extension Reply {
    /// Runs the work of a method, which replies by itself if it succeeds; what it throws is the reply if it fails.
    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            fail(DBusError(reporting: error))
        }
    }
}
