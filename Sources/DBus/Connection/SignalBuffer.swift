// SPDX-License-Identifier: MIT

import Locking

/// Holds signals between the loop's thread and one consumer.
final class SignalBuffer: Sendable {
    typealias Outcome = Result<SignalEvent?, DBusError>

    private struct State {
        /// The signals that wait, with their sizes.
        var signals: [(message: Message, byteCount: Int)] = []
        var byteCount = 0
        var dropped = 0
        var outcome: Outcome?
        var waiting: CheckedContinuation<Outcome, Never>?

        /// The next thing to hand out; nil if there is none yet.
        mutating func take() -> Outcome? {
            guard signals.isEmpty else {
                let (message, count) = signals.removeFirst()
                byteCount -= count
                return .success(.signal(message))
            }
            guard dropped == 0 else {
                defer { dropped = 0 }
                return .success(.overflow(dropped: dropped))
            }
            return outcome
        }
    }

    /// So many bytes of signals wait at most, or one signal.
    private static let longest = 16 << 20

    private let capacity: Int
    private let state = Guarded(State())

    init(capacity: Int) {
        precondition(capacity > 0, "a stream needs room for one signal")
        self.capacity = capacity
    }

    func append(_ signal: Message) {
        let byteCount = signal.byteCount
        change { state in
            // After a gap nothing is taken until the consumer has heard of it.
            let isWithinBytes = state.signals.isEmpty || state.byteCount + byteCount <= Self.longest
            if state.signals.count < capacity, isWithinBytes, state.dropped == 0 {
                state.signals.append((signal, byteCount))
                state.byteCount += byteCount
            } else {
                state.dropped += 1
            }
        }
    }

    func finish(throwing error: DBusError) {
        change { state in
            if state.outcome == nil {
                state.outcome = .failure(error)
            }
        }
    }

    func next() async throws(DBusError) -> SignalEvent? {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                change { state in
                    precondition(state.waiting == nil, "a signal stream has one consumer")
                    state.waiting = continuation
                }
            }
        } onCancel: {
            change { $0.outcome = .success(nil) }
        }
        // ThreadSanitizer knows this lock, but not a continuation that is resumed before it is waited for.
        assert(state.withLock { $0.waiting == nil }, "a consumer waits once")
        return try outcome.get()
    }

    /// Changes the state and hands something to a waiting consumer if there is something.
    private func change(_ body: (inout State) -> Void) {
        let handOut: (CheckedContinuation<Outcome, Never>, Outcome)? = state.withLock { state in
            body(&state)
            guard let waiting = state.waiting, let outcome = state.take() else { return nil }
            state.waiting = nil
            return (waiting, outcome)
        }
        handOut?.0.resume(returning: handOut?.1 ?? .success(nil))
    }
}
