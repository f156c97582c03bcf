// SPDX-License-Identifier: MIT

/// What is taken from a file below `/proc/pressure` (proc(5); "PSI" in the kernel's documentation): `avg10` of the line
/// `some`.
struct PressureRecord {
    /// The percentage that a whole file tells, nil if it is none.
    static func parse(_ file: ByteScanner) -> Double? {
        var lines = file
        while var line = lines.nextLine() {
            guard line.skip("some avg10=") else { continue }
            return line.decimal().flatMap { $0 <= 100 ? $0 : nil }
        }
        return nil
    }
}
