// SPDX-License-Identifier: MIT

internal import Synchronization

/// A call whose reply is awaited.
public final class PendingCall: Sendable {
    /// Gets the reply, or the error that came instead.
    public typealias Completion = @Sendable (Result<Message, DBusError>) -> Void

    private enum State {
        case idle
        case waiting(Completion)
        case over
    }

    private let state = Guarded(State.idle)
    /// The serial number of the call; 0 until it is sent.
    let serial = Atomic<UInt32>(0)
    /// Told when the wait ends without a reply.
    private let abandoned: @Sendable (PendingCall) -> Void

    init(abandoned: @escaping @Sendable (PendingCall) -> Void) {
        self.abandoned = abandoned
    }

    /// Gives up the call: it ends with code `cancelled`, and a later reply is dropped. The peer is not told.
    public func cancel() {
        abandon(Self.cancellation)
    }

    /// Sets who is told the outcome, at once if the call has been given up already.
    func start(_ completion: @escaping Completion) {
        let isOver = state.withLock { state in
            guard case .idle = state else { return true }
            state = .waiting(completion)
            return false
        }
        if isOver {
            completion(.failure(Self.cancellation))
        }
    }

    /// Tells the caller the outcome, unless it has been told before.
    func finish(_ result: Result<Message, DBusError>) {
        end()?(result)
    }

    /// Ends the wait without a reply.
    func abandon(_ error: DBusError) {
        guard !isOver else { return }
        let completion = end()
        abandoned(self)
        completion?(.failure(error))
    }

    var isOver: Bool {
        state.withLock { state in
            guard case .over = state else { return false }
            return true
        }
    }

    private func end() -> Completion? {
        state.withLock { state in
            defer { state = .over }
            guard case .waiting(let completion) = state else { return nil }
            return completion
        }
    }

    private static let cancellation = DBusError(.cancelled, "the call was cancelled")
}
