// SPDX-License-Identifier: MIT

import SentinelModels
import Synchronization

/// Bounds how many calls wait: each takes a place, and gives it back with its reply.
final class Places: Sendable {
    private let limit: Int
    private let what: String
    private let taken = Atomic<Int>(0)

    /// So many places.
    ///
    /// - Parameter what: what waits in them, for the message that refuses one more.
    init(_ limit: Int, of what: String) {
        self.limit = limit
        self.what = what
    }

    /// Takes a place.
    ///
    /// - Throws: `limitsExceeded` without a free one.
    func take() throws(SentinelError) {
        guard taken.add(1, ordering: .relaxed).newValue <= limit else {
            giveBack()
            throw SentinelError(.limitsExceeded, "\(limit) \(what) are waiting already, wait for their replies")
        }
    }

    func giveBack() {
        taken.subtract(1, ordering: .relaxed)
    }
}
