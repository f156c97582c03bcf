// SPDX-License-Identifier: MIT

import Synchronization

/// How much memory and how many descriptors the calls hold that a service has taken in and not let go of, and the
/// bounds to them.
///
/// Without them those who call faster than they are answered would fill the memory, or take all descriptors that the
/// process may have: libdbus gives up the connection when it cannot receive one. It has bounds of its own, at which it
/// stops reading: then the replies that answering may depend on do not come either.
final class CallLoad: Sendable {
    /// The share of one call, given back when it goes.
    final class Share: Sendable {
        /// What is given back when the call's descriptors are closed; nil for a call without any.
        let descriptors: DescriptorShare?

        private let load: CallLoad
        private let byteCount: Int

        fileprivate init(_ load: CallLoad, _ byteCount: Int, hasDescriptors: Bool) {
            self.load = load
            self.byteCount = byteCount
            descriptors = hasDescriptors ? DescriptorShare(load) : nil
        }

        deinit {
            load.byteCount.subtract(byteCount, ordering: .relaxed)
            if descriptors != nil {
                load.descriptorCallCount.subtract(1, ordering: .relaxed)
            }
        }
    }

    /// The share of a call's descriptors, given back once they are closed, which can come later than the call's end.
    final class DescriptorShare: Sendable {
        private let load: CallLoad

        fileprivate init(_ load: CallLoad) {
            self.load = load
        }

        deinit {
            load.openCallCount.subtract(1, ordering: .relaxed)
        }
    }

    private static let limit = 32 << 20
    /// What a call takes beside its bytes, amply.
    private static let overhead = 1 << 10
    /// So many calls may hold descriptors. Each holds up to 16, libdbus's bound; together they stay far below the 1024
    /// that a process may usually have.
    static let descriptorCallLimit = 32
    /// So many calls may have descriptors that are not closed yet: who calls one after the other is not to wait for
    /// what closes them, and who has them closed by a file system that does not answer is not to take all.
    private static let openCallLimit = 128

    private let byteCount = Atomic(0)
    private let descriptorCallCount = Atomic(0)
    /// Calls that have descriptors which are not closed.
    private let openCallCount = Atomic(0)

    /// Takes in a call; nil if that would pass a bound. One alone is always taken in.
    func take(in message: Message) -> Share? {
        let count = message.byteCount + Self.overhead
        let sum = byteCount.add(count, ordering: .relaxed).newValue
        let hasDescriptors = message.hasDescriptors
        let descriptorCalls = hasDescriptors ? descriptorCallCount.add(1, ordering: .relaxed).newValue : 0
        let openCalls = hasDescriptors ? openCallCount.add(1, ordering: .relaxed).newValue : 0
        let share = Share(self, count, hasDescriptors: hasDescriptors)
        guard descriptorCalls <= Self.descriptorCallLimit, openCalls <= Self.openCallLimit else { return nil }
        return sum == count || sum <= Self.limit ? share : nil
    }
}
