// SPDX-License-Identifier: MIT

package import Glibc

/// State behind a lock.
///
/// A pthread mutex, since ThreadSanitizer reports false races on `Synchronization.Mutex`. Inlinable, so that its users
/// in other modules get code for their own kind of state.
///
/// The state must not be a function by itself, nor an optional one: Swift wraps a function that goes in and out of a
/// generic place once more each time. In a structure it stays as it is.
package final class Guarded<State>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var state: State

    /// Makes a lock around a first state.
    @inlinable
    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the state, alone; it must neither block nor call out.
    @inlinable
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }
}
