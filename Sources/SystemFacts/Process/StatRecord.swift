// SPDX-License-Identifier: MIT

/// What is taken from `/proc/PID/stat` (proc(5), proc_pid_stat(5)).
struct StatRecord: Hashable, Sendable {
    /// `PF_KTHREAD` of the kernel's `sched.h`.
    private static let kernelThreadFlag: UInt64 = 0x20_0000

    let name: String
    let state: ProcessState
    let parentID: Int32
    let isKernelThread: Bool
    /// Clock ticks in user and in kernel mode.
    let processorTicks: UInt64
    let threads: UInt32
    /// Clock ticks between the machine's start and the process's.
    let startTicks: UInt64

    /// The record of a whole file, nil if it is none.
    ///
    /// The name may hold anything, so that the last parenthesis ends it.
    static func parse(_ file: ByteScanner) -> StatRecord? {
        var scanner = file
        guard scanner.unsigned() != nil, scanner.skip(" ("), let name = scanner.next(beforeLast: UInt8(ascii: ")"))
        else { return nil }
        return parse(after: name, &scanner)
    }

    /// Reads on after the name; the numbers are those of proc(5).
    private static func parse(after name: ByteScanner, _ scanner: inout ByteScanner) -> StatRecord? {
        scanner.skipBlanks()
        guard let state = scanner.byte(),  // 3
            let parent = scanner.signed(), let parentID = Int32(exactly: parent),  // 4
            scanner.skipFields(4), let flags = scanner.unsigned(),  // 9
            scanner.skipFields(4), let user = scanner.unsigned(), let kernel = scanner.unsigned(),  // 14, 15
            scanner.skipFields(4), let threadCount = scanner.unsigned(),  // 20
            let threads = UInt32(exactly: threadCount),
            scanner.skipFields(1), let start = scanner.unsigned()  // 22
        else { return nil }
        let (ticks, isTooLarge) = user.addingReportingOverflow(kernel)
        guard !isTooLarge else { return nil }
        return StatRecord(
            name: name.text, state: ProcessState(letter: state), parentID: parentID,
            isKernelThread: flags & kernelThreadFlag != 0, processorTicks: ticks, threads: threads, startTicks: start)
    }
}
