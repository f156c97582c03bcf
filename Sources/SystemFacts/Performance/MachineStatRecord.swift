// SPDX-License-Identifier: MIT

/// What is taken from `/proc/stat` (proc(5), proc_stat(5)).
struct MachineStatRecord: Hashable, Sendable {
    var processorTime: ProcessorTime
    /// Processors that are online, each of which has a line.
    var processors: UInt32 = 0
    /// Seconds between the epoch and the machine's start.
    var bootTime: Int64?

    /// The record of a whole file, nil if it is none.
    static func parse(_ file: ByteScanner) -> MachineStatRecord? {
        var lines = file
        guard var record = parseProcessors(&lines) else { return nil }
        while var line = lines.nextLine() {
            guard line.skip("btime ") else { continue }
            guard let bootTime = line.signed() else { return nil }
            record.bootTime = bootTime
            break
        }
        return record
    }

    /// The record of the lines about processors alone, which come first; `bootTime` is not looked for.
    static func parseProcessors(_ file: ByteScanner) -> MachineStatRecord? {
        var lines = file
        return parseProcessors(&lines)
    }

    /// Reads the lines about processors and one more.
    private static func parseProcessors(_ lines: inout ByteScanner) -> MachineStatRecord? {
        guard var total = lines.nextLine(), total.skip("cpu "), let time = ProcessorTime.parse(&total) else {
            return nil
        }
        var record = MachineStatRecord(processorTime: time)
        var rest = lines
        while let line = rest.nextLine(), line.rest.starts(with: "cpu".utf8) {
            record.processors &+= 1
            lines = rest
        }
        return record
    }
}
