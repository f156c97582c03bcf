// SPDX-License-Identifier: MIT

extension Int64 {
    /// Its decimal digits, with zeros before them up to a width.
    package func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
