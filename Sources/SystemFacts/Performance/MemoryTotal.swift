// SPDX-License-Identifier: MIT

/// What is taken from `/proc/meminfo` (proc(5)): `MemTotal`, the main memory that the kernel can use.
struct MemoryTotal {
    /// The bytes that a whole file tells, nil if it is none.
    static func parse(_ file: ByteScanner) -> UInt64? {
        var lines = file
        while var line = lines.nextLine() {
            if line.skip("MemTotal:") { return line.kilobytes() }
        }
        return nil
    }
}
