// SPDX-License-Identifier: MIT

/// What a process, its ended threads included, has had read from and written to storage (`/proc/PID/io`, proc(5),
/// proc_pid_io(5)). What the page cache answered is not in it.
public struct StorageTraffic: Hashable, Sendable {
    /// Bytes that were fetched from storage.
    public let readBytes: UInt64
    /// Bytes that were sent, or are still to be sent, to storage.
    public let writtenBytes: UInt64

    /// The traffic that a whole file tells, nil if it is none.
    static func parse(_ file: ByteScanner) -> StorageTraffic? {
        var lines = file
        var readBytes: UInt64?
        var writtenBytes: UInt64?
        while var line = lines.nextLine() {
            if line.skip("read_bytes:") {
                readBytes = line.unsigned()
            } else if line.skip("write_bytes:") {
                writtenBytes = line.unsigned()
            }
        }
        guard let readBytes, let writtenBytes else { return nil }
        return StorageTraffic(readBytes: readBytes, writtenBytes: writtenBytes)
    }
}
