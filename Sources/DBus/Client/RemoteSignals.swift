// SPDX-License-Identifier: MIT

/// The signals of one kind from one object of a peer, as a sequence for one consumer.
///
/// A signal whose arguments are of other types than `Contents` is passed over. The sequence ends when its task is
/// cancelled, and throws when the connection ends or the bus refuses the subscription.
public struct RemoteSignals<Contents: SignalContents>: AsyncSequence, Sendable {
    /// What the sequence brings.
    public enum Element: Sendable {
        /// A signal.
        case signal(Contents)
        /// So many signals were dropped here since the consumer was too slow.
        case overflow(dropped: Int)
    }

    private let stream: SignalStream

    init(_ stream: SignalStream) {
        self.stream = stream
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(stream.makeAsyncIterator())
    }

    /// Waits for the signals one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var signals: SignalStream.Iterator

        init(_ signals: SignalStream.Iterator) {
            self.signals = signals
        }

        /// Waits for the next signal; nil once the task is cancelled.
        ///
        /// - Throws: ``DBusError`` when the connection has ended or the bus refuses the rule.
        public mutating func next() async throws(DBusError) -> Element? {
            while let event = try await signals.next() {
                switch event {
                case .overflow(let dropped):
                    return .overflow(dropped: dropped)
                case .signal(let message) where message.hasSignature(Contents.signature.text):
                    var body = message.body
                    return .signal(try Contents(from: &body))
                case .signal:
                    continue
                }
            }
            return nil
        }
    }
}
