// SPDX-License-Identifier: MIT

/// What all processors of the machine together have spent since its start, in clock ticks (the first line of
/// `/proc/stat`, proc(5)).
public struct ProcessorTime: Hashable, Sendable {
    /// All time, guests' included (the kernel counts these in `user` and `nice`), time that a hypervisor took included.
    public let totalTicks: UInt64
    /// Time without anything to do, waiting for storage included.
    public let idleTicks: UInt64

    /// Reads the fields `user nice system idle iowait irq softirq steal`, of which old kernels lack the last ones; what
    /// follows is counted in them already.
    static func parse(_ fields: inout ByteScanner) -> ProcessorTime? {
        var total: UInt64 = 0
        var idle: UInt64 = 0
        for index in 0..<8 {
            fields.skipBlanks()
            if fields.isAtEnd, index >= 4 { break }
            guard let ticks = fields.unsigned() else { return nil }
            let (sum, isTooLarge) = total.addingReportingOverflow(ticks)
            guard !isTooLarge else { return nil }
            total = sum
            if index == 3 || index == 4 {
                idle &+= ticks
            }
        }
        return ProcessorTime(totalTicks: total, idleTicks: idle)
    }
}
