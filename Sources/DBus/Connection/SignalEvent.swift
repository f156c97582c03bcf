// SPDX-License-Identifier: MIT

/// What a signal stream brings.
public enum SignalEvent: Sendable {
    /// A signal.
    case signal(Message)
    /// So many signals were dropped here since the consumer was too slow.
    case overflow(dropped: Int)
}
