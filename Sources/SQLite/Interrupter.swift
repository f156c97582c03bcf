// SPDX-License-Identifier: MIT

import CSQLite
import Locking

/// The one part of a connection that other threads may use: it ends the statement that is running.
public final class Interrupter: Sendable {
    // Behind a lock, so that no interrupt meets a handle that is being closed.
    private let handle: Guarded<OpaquePointer?>

    init(handle: OpaquePointer) {
        self.handle = Guarded(handle)
    }

    /// Makes the statements that run at this moment fail with `interrupt`. Does nothing once the connection is closed.
    public func interrupt() {
        handle.withLock { handle in
            if let handle {
                sqlite3_interrupt(handle)
            }
        }
    }

    func invalidate() {
        handle.withLock { $0 = nil }
    }
}
