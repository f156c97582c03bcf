// SPDX-License-Identifier: MIT

import Locking
import Synchronization

/// A call whose reply is awaited.
public final class PendingCall: Sendable {
    /// Gets the reply, or the error that came instead.
    public typealias Completion = @Sendable (Result<Message, DBusError>) -> Void

    private enum State {
        case idle
        case waiting(Completion)
        /// Told, or given up before there was someone to tell.
        case over(DBusError?)
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
        let reason: DBusError? = state.withLock { state in
            switch state {
            case .over(let reason):
                return reason
            case .idle, .waiting:
                state = .waiting(completion)
                return nil
            }
        }
        if let reason {
            completion(.failure(reason))
        }
    }

    /// Tells the caller the outcome, unless it has been told before.
    func finish(_ result: Result<Message, DBusError>) {
        end(nil)?(result)
    }

    /// Ends the wait without a reply.
    func abandon(_ error: DBusError) {
        guard !isOver else { return }
        let completion = end(error)
        abandoned(self)
        completion?(.failure(error))
    }

    var isOver: Bool {
        state.withLock { state in
            guard case .over = state else { return false }
            return true
        }
    }

    private func end(_ reason: DBusError?) -> Completion? {
        state.withLock { state in
            switch state {
            case .idle:
                state = .over(reason)
                return nil
            case .waiting(let completion):
                state = .over(nil)
                return completion
            case .over:
                return nil
            }
        }
    }

    private static let cancellation = DBusError(.cancelled, "the call was cancelled")
}
