// SPDX-License-Identifier: MIT

/// What is taken from `/proc/PID/status` or `/proc/PID/task/TID/status` (proc(5), proc_pid_status(5)).
///
/// Lines that are missing, such as those of a kernel thread's memory, leave their field nil.
struct StatusRecord: Hashable, Sendable {
    /// Real and effective user.
    var userID: UInt32?
    var effectiveUserID: UInt32?
    var threads: UInt32?
    /// Largest and present resident set size.
    var peakResidentBytes: UInt64?
    var residentBytes: UInt64?
    /// Of the one thread that the file belongs to: for a process, of its first thread.
    var voluntarySwitches: UInt64?
    var involuntarySwitches: UInt64?

    /// The record of a whole file, nil if it is none.
    static func parse(_ file: ByteScanner) -> StatusRecord? {
        var lines = file
        var record = StatusRecord()
        guard let first = lines.nextLine(), first.rest.starts(with: "Name:".utf8) else { return nil }
        while var line = lines.nextLine() {
            guard record.take(&line) else { return nil }
        }
        return record
    }

    /// Context switches of the one thread, voluntary or not.
    var contextSwitches: UInt64? {
        guard let voluntarySwitches, let involuntarySwitches else { return nil }
        let (sum, isTooLarge) = voluntarySwitches.addingReportingOverflow(involuntarySwitches)
        return isTooLarge ? nil : sum
    }

    /// Takes a line's value if it is wanted; false if it should have one and has not.
    private mutating func take(_ line: inout ByteScanner) -> Bool {
        switch line.rest.first {
        case UInt8(ascii: "U"):
            guard line.skip("Uid:") else { return true }
            userID = line.unsigned().flatMap { UInt32(exactly: $0) }
            effectiveUserID = line.unsigned().flatMap { UInt32(exactly: $0) }
            return userID != nil && effectiveUserID != nil
        case UInt8(ascii: "V"):
            if line.skip("VmHWM:") {
                peakResidentBytes = line.kilobytes()
                return peakResidentBytes != nil
            }
            guard line.skip("VmRSS:") else { return true }
            residentBytes = line.kilobytes()
            return residentBytes != nil
        case UInt8(ascii: "T"):
            guard line.skip("Threads:") else { return true }
            threads = line.unsigned().flatMap { UInt32(exactly: $0) }
            return threads != nil
        case UInt8(ascii: "v"):
            guard line.skip("voluntary_ctxt_switches:") else { return true }
            voluntarySwitches = line.unsigned()
            return voluntarySwitches != nil
        case UInt8(ascii: "n"):
            guard line.skip("nonvoluntary_ctxt_switches:") else { return true }
            involuntarySwitches = line.unsigned()
            return involuntarySwitches != nil
        default:
            return true
        }
    }
}

extension ByteScanner {
    /// A number of `kB`, which are 1024 bytes in proc(5), in bytes; nil if it is none or does not fit.
    mutating func kilobytes() -> UInt64? {
        guard let number = unsigned() else { return nil }
        skipBlanks()
        guard rest.elementsEqual("kB".utf8) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: 1024)
        return isTooLarge ? nil : bytes
    }
}
