// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// A proc file system (proc(5)), usable on every thread.
///
/// It keeps the few files of the machine open that readings need, from their first use on. A directory that only looks
/// like one works too: what the kernel tells about processes beside the files (pidfd_open(2), clocks) is then left
/// unused.
public final class ProcFS: Sendable {
    /// The machine's own, `/proc`.
    public static let system = ProcFS(root: "/proc")

    /// Whether the kernel makes the files, rather than a directory that looks like it.
    let isReal: Bool
    /// Whether the numbers in it are those that this process's system calls mean.
    let namesOurProcesses: Bool

    /// Files of the machine.
    let stat = HeldFile("stat")
    let memoryInformation = HeldFile("meminfo")
    let uptime = HeldFile("uptime")
    let processorPressure = HeldFile("pressure/cpu")
    let memoryPressure = HeldFile("pressure/memory")
    let storagePressure = HeldFile("pressure/io")

    private let root: OwnedDescriptor?
    /// The machine's start that was told last, in microseconds since the epoch; 0 before the first time.
    private let toldBootTime = Atomic<Int64>(0)

    /// The file system at a path. That it is not there shows at the first reading, as `absent`.
    public init(root path: String) {
        do {
            let directory = try OwnedDescriptor(directory: path)
            let ownNumber = Self.ownNumber(in: directory)
            isReal = clinux_is_proc(directory.number)
            namesOurProcesses = isReal && ownNumber == getpid()
            root = consume directory
        } catch {
            isReal = false
            namesOurProcesses = false
            root = nil
        }
    }

    /// Opens a directory below the root.
    func directory(_ path: String, flags: Int32) throws(SystemFailure) -> OwnedDescriptor {
        switch root {
        case .some(let root): return try OwnedDescriptor(path: path, below: root.number, flags: flags | O_DIRECTORY)
        case .none: throw SystemFailure(code: ENOENT)
        }
    }

    /// Opens this process's own directory.
    func ownDirectory() throws(FactError) -> OwnedDescriptor {
        do {
            return try directory("self", flags: Int32(CLINUX_O_PATH))
        } catch {
            throw error.factError(for: "/proc/self")
        }
    }

    /// Reads one of the machine's files and takes its facts out of it.
    func read<Record>(
        _ file: borrowing HeldFile, into buffer: inout FileBuffer, _ parse: (ByteScanner) -> Record?
    ) throws(FactError) -> Record {
        do {
            let descriptor = try descriptor(of: file)
            try buffer.fill(from: descriptor)
        } catch {
            throw error.factError(for: "/proc/\(file.name)")
        }
        guard let record = buffer.scan(parse) else {
            throw FactError(.malformed, "/proc/\(file.name) is not what proc(5) says")
        }
        return record
    }

    private func descriptor(of file: borrowing HeldFile) throws(SystemFailure) -> Int32 {
        switch root {
        case .some(let directory): return try file.descriptor(below: directory)
        case .none: throw SystemFailure(code: ENOENT)
        }
    }

    /// The time since the machine was started, suspended times included, in nanoseconds.
    ///
    /// `CLOCK_BOOTTIME` is what `/proc/uptime` shows with hundredths of seconds (proc(5), clock_gettime(2)).
    func uptimeNanoseconds(using buffer: inout FileBuffer) throws(FactError) -> UInt64 {
        if isReal, let now = Self.nanoseconds(of: CLOCK_BOOTTIME) { return now }
        return try read(uptime, into: &buffer, UptimeRecord.parse).nanoseconds
    }

    /// When the machine was started, in microseconds since the epoch.
    ///
    /// That is the wall clock less the time since the start. While the wall clock is merely slewed (adjtimex(2)) the
    /// same answer is given again, so that times of processes keep their order and stay what they are; after a step of
    /// half a second or more, such as the first synchronisation, the answer follows. `btime` of `/proc/stat` is used
    /// where the files are not the kernel's.
    func bootTimeMicroseconds(using buffer: inout FileBuffer) throws(FactError) -> Int64 {
        guard isReal, let now = Self.nanoseconds(of: CLOCK_REALTIME), let uptime = Self.nanoseconds(of: CLOCK_BOOTTIME)
        else {
            let record = try read(stat, into: &buffer, MachineStatRecord.parse)
            let (seconds, isTooLarge) = (record.bootTime ?? 0).multipliedReportingOverflow(by: 1_000_000)
            guard record.bootTime != nil, !isTooLarge else {
                throw FactError(.absent, "/proc/stat tells no time of the machine's start")
            }
            return seconds
        }
        let fresh = (Int64(clamping: now) &- Int64(clamping: uptime)) / 1000
        let told = toldBootTime.load(ordering: .relaxed)
        if told != 0, (fresh &- told).magnitude < 500_000 { return told }
        let (exchanged, other) = toldBootTime.compareExchange(expected: told, desired: fresh, ordering: .relaxed)
        return exchanged ? fresh : other
    }

    /// When a process was started that long after the machine, in microseconds since the epoch.
    func startTime(ticks: UInt64, using buffer: inout FileBuffer) throws(FactError) -> Int64 {
        let bootTime = try bootTimeMicroseconds(using: &buffer)
        let (age, isTooLarge) = ticks.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooLarge, let age = Int64(exactly: age / ClockTick.perSecond) else {
            throw FactError(.malformed, "the process's start is not a time")
        }
        let (time, isBeyond) = bootTime.addingReportingOverflow(age)
        guard !isBeyond else { throw FactError(.malformed, "the process's start is not a time") }
        return time
    }

    /// The clock's time; nil if the kernel does not have it.
    static func nanoseconds(of clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// Where `self` leads: this process's number as the file system has it.
    private static func ownNumber(in directory: borrowing OwnedDescriptor) -> Int32? {
        var buffer = FileBuffer()
        do {
            try buffer.fill(fromLink: "self", below: directory)
        } catch {
            return nil
        }
        return buffer.scan { scanner in
            var scanner = scanner
            return scanner.unsigned().flatMap { Int32(exactly: $0) }
        }
    }
}
