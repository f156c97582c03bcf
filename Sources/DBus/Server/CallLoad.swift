// SPDX-License-Identifier: MIT

import Synchronization

/// How much memory the calls hold that a service has taken in and not let go of, and the bound to it.
///
/// Without it those who call faster than they are answered would fill the memory. libdbus has a bound of its own, at
/// which it stops reading: then the replies that answering may depend on do not come either.
final class CallLoad: Sendable {
    /// The share of one call, given back when it goes.
    final class Share: Sendable {
        private let load: CallLoad
        private let byteCount: Int

        fileprivate init(_ load: CallLoad, _ byteCount: Int) {
            self.load = load
            self.byteCount = byteCount
        }

        deinit {
            load.byteCount.subtract(byteCount, ordering: .relaxed)
        }
    }

    private static let limit = 32 << 20
    /// What a call takes beside its bytes, amply.
    private static let overhead = 1 << 10

    private let byteCount = Atomic(0)

    /// Takes in a call; nil if that would pass the bound. One alone is always taken in.
    func take(in message: Message) -> Share? {
        let count = message.byteCount + Self.overhead
        let sum = byteCount.add(count, ordering: .relaxed).newValue
        let share = Share(self, count)
        return sum == count || sum <= Self.limit ? share : nil
    }
}
