// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// The one part of a connection that other threads may use: it ends the statement that is running.
public final class Interrupter: @unchecked Sendable {
    // The mutex guards `handle`, so that no interrupt meets a handle that is being closed.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var handle: OpaquePointer?

    init(handle: OpaquePointer) {
        self.handle = handle
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Makes the statements that run at this moment fail with `interrupt`. Does nothing once the connection is closed.
    public func interrupt() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let handle {
            sqlite3_interrupt(handle)
        }
    }

    func invalidate() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        handle = nil
    }
}
