// SPDX-License-Identifier: MIT

/// What the session or the machine does, as `systemd-logind` makes it known.
public enum SessionEvent: String, CaseIterable, Sendable {
    /// The session has been locked.
    case lock
    /// The session has been unlocked.
    case unlock
    /// The machine is about to sleep.
    case sleep
    /// The machine has woken up.
    case wake
}
