// SPDX-License-Identifier: MIT

/// What is taken from `/proc/uptime` (proc(5)): the time since the machine's start.
struct UptimeRecord {
    let nanoseconds: UInt64

    /// The record of a whole file, nil if it is none.
    static func parse(_ file: ByteScanner) -> UptimeRecord? {
        var scanner = file
        guard let seconds = scanner.decimal(), seconds < 9e9 else { return nil }
        return UptimeRecord(nanoseconds: UInt64(seconds * 1e9))
    }
}
