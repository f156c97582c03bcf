// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// The standard error stream of this process.
public enum StandardError {
    /// Whether a person reads along.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether something can be written without waiting for a reader.
    static var hasRoom: Bool {
        var stream = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&stream, 1, 0) > 0
    }

    /// Writes text in one piece, which keeps lines of several threads apart; what cannot be written is dropped.
    ///
    /// Callable on every thread.
    public static func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
