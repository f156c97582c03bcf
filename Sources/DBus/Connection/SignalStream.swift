// SPDX-License-Identifier: MIT

/// Signals as a sequence; see ``Connection/signals(matching:capacity:)``.
public struct SignalStream: AsyncSequence, Sendable {
    let buffer: SignalBuffer
    let subscription: Subscription

    public func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer, subscription: subscription)
    }

    /// Waits for the signals one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: SignalBuffer
        let subscription: Subscription

        /// Waits for the next signal; nil once the task is cancelled.
        ///
        /// - Throws: ``DBusError`` when the connection has ended or the bus refuses the rule.
        public mutating func next() async throws(DBusError) -> SignalEvent? {
            try await buffer.next()
        }
    }
}
