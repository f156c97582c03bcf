// SPDX-License-Identifier: MIT

import Glibc

/// The clock that tells what time it is, given to whoever needs the time so that tests can set it.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// A clock that asks `read`, which is called from any thread.
    public init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    /// The time now.
    public func now() -> Timestamp {
        read()
    }

    /// The system's clock (`CLOCK_REALTIME`). A machine whose clock is set outside the range of timestamps reads as the
    /// nearer end of it.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(clamping: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
