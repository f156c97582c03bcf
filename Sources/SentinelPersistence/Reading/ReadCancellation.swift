// SPDX-License-Identifier: MIT

import SentinelModels
import Synchronization

/// Ends reading that takes many transactions once nobody waits for it any more: it is looked at before each of them.
public final class ReadCancellation: Sendable {
    private let cancelled = Atomic<Bool>(false)

    /// One that goes on until it is cancelled.
    public init() {}

    /// Ends the reading, which fails with `unavailable` unless it is done. Can be called from any thread, more than once.
    public func cancel() {
        cancelled.store(true, ordering: .relaxed)
    }

    /// Whether it was cancelled.
    var isCancelled: Bool {
        cancelled.load(ordering: .relaxed)
    }

    func check() throws(SentinelError) {
        if isCancelled {
            throw Self.error
        }
    }

    /// What reading fails with that was cancelled.
    static let error = SentinelError(
        .unavailable, "the reading was ended: its caller has gone, the service ends, or a deletion is under way")
}
