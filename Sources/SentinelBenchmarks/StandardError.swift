// SPDX-License-Identifier: MIT

import Glibc

/// The standard error stream.
///
/// `FileHandle.write(_:)` ends the process when the reader has gone, and no child would be ended.
enum StandardError {
    /// Writes a line; what cannot be written is dropped.
    static func print(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else {
                return
            }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }
}
