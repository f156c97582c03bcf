// SPDX-License-Identifier: MIT

/// What is taken from `/proc/PID/smaps_rollup` (proc(5), proc_pid_smaps(5)): `Pss`, the memory that a process has in
/// RAM, of which it is charged for a shared page only its share.
struct ProportionalSetSize {
    /// The bytes that a whole file tells, nil if it is none.
    static func parse(_ file: ByteScanner) -> UInt64? {
        var lines = file
        while var line = lines.nextLine() {
            if line.skip("Pss:") { return line.kilobytes() }
        }
        return nil
    }
}
