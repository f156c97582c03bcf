// SPDX-License-Identifier: MIT

import Synchronization

/// The right to signals; it ends when it is cancelled or the last reference to it goes.
public final class Subscription: Sendable {
    private let cancellation: @Sendable () -> Void
    private let isCancelled = Atomic(false)

    init(cancellation: @escaping @Sendable () -> Void) {
        self.cancellation = cancellation
    }

    deinit {
        cancel()
    }

    /// Ends the subscription; callable on every thread, more than once. On the loop's thread nothing comes after it.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .relaxed) {
            cancellation()
        }
    }
}
