// SPDX-License-Identifier: MIT

import CLinux
import Glibc
public import SentinelModels

/// The counters of a process and its machine at one moment, as the system gives them (proc(5)); nil is what cannot be
/// had. Two of them make a ``PerformanceSample``.
public struct PerformanceReading: Hashable, Sendable {
    /// The process's number.
    public let processID: Int32
    /// When it was read, by the wall clock.
    public let time: Timestamp
    /// When it was read, by a clock that never jumps and stands still while the machine sleeps (`CLOCK_MONOTONIC`,
    /// clock_gettime(2)).
    public let monotonicTime: Duration
    /// Processor time that all threads of the process have used so far, ended ones included: to the nanosecond from the
    /// process's clock (clock_getcpuclockid(3)), in clock ticks (`stat`) where there is none.
    public let processorTime: Duration
    /// Number of threads (`stat`).
    public let threads: UInt32
    /// Age of the process (`stat` and the time since the machine's start).
    public let uptime: Duration?
    /// Time since the machine was started, suspended times included (`/proc/uptime`).
    public let systemUptime: Duration?
    /// What all processors have done since the machine's start (`/proc/stat`).
    public let machineProcessorTime: ProcessorTime?
    /// Number of processors that are online (`/proc/stat`).
    public let processorCount: UInt32?
    /// Proportional set size in bytes (`Pss` of `smaps_rollup`).
    public let memoryBytes: UInt64?
    /// Largest resident set size so far in bytes (`VmHWM` of `status`).
    public let memoryPeakBytes: UInt64?
    /// Main memory that the kernel can use, in bytes (`MemTotal` of `/proc/meminfo`).
    public let memoryTotalBytes: UInt64?
    /// Number of open file descriptors (`fd`).
    public let fileDescriptors: UInt32?
    /// Bytes that were read from and written to storage for the process (`io`).
    public let storage: StorageTraffic?
    /// Context switches of the threads that there are now, voluntary or not (`status`, and
    /// `task/*/schedstat` where there are several); nil above 256 threads.
    public let contextSwitches: UInt64?
    /// Share of the last 10 s in which tasks of the machine waited for a processor, in percent (`/proc/pressure`).
    public let processorPressure: Double?
    /// The same for memory.
    public let memoryPressure: Double?
    /// The same for storage.
    public let storagePressure: Double?

    /// Clock ticks between the machine's start and the process's, which tell processes of one number apart.
    let startTicks: UInt64

    /// Reads a process's counters.
    ///
    /// It makes about fifteen system calls, and three more for each thread if there are several: 0.1 ms and 7 µs for
    /// each thread. For `memoryBytes` the kernel walks the process's memory, about 15 ms for each gigabyte in use.
    ///
    /// - Throws: ``FactError``: `processGone` if the process has ended before all was read; `malformed`, `denied` or
    ///   `failed` if `stat` is unreadable. All else that cannot be had is nil.
    public static func read(
        _ process: ProcessHandle, clock: WallClock = .system
    ) throws(FactError) -> PerformanceReading {
        var buffer = FileBuffer()
        let reading = try PerformanceReading(process, clock: clock, using: &buffer)
        // What was read of a process that has ended meanwhile may be missing or, by its number, another one's.
        try process.checkAlive()
        return reading
    }

    private init(
        _ process: ProcessHandle, clock: WallClock, using buffer: inout FileBuffer
    ) throws(FactError) {
        let proc = process.proc
        let stat = try process.statRecord(using: &buffer)
        processID = process.processID
        threads = stat.threads
        startTicks = stat.startTicks
        time = clock.now()
        monotonicTime = Self.duration(ProcFS.nanoseconds(of: CLOCK_MONOTONIC) ?? 0)
        processorTime = Self.duration(try Self.processorNanoseconds(of: process, stat))
        let machine = Self.optional { () throws(FactError) in
            try proc.read(proc.stat, into: &buffer, MachineStatRecord.parseProcessors)
        }
        machineProcessorTime = machine?.processorTime
        processorCount = machine.flatMap { $0.processors > 0 ? $0.processors : nil }
        let uptime = Self.optional { () throws(FactError) in try proc.uptimeNanoseconds(using: &buffer) }
        systemUptime = uptime.map(Self.duration)
        self.uptime = Self.age(at: uptime, startTicks: stat.startTicks)
        memoryTotalBytes = Self.optional { () throws(FactError) in
            try proc.read(proc.memoryInformation, into: &buffer, MemoryTotal.parse)
        }
        processorPressure = Self.optional { () throws(FactError) in
            try proc.read(proc.processorPressure, into: &buffer, PressureRecord.parse)
        }
        memoryPressure = Self.optional { () throws(FactError) in
            try proc.read(proc.memoryPressure, into: &buffer, PressureRecord.parse)
        }
        storagePressure = Self.optional { () throws(FactError) in
            try proc.read(proc.storagePressure, into: &buffer, PressureRecord.parse)
        }
        let status = Self.optional { () throws(FactError) in
            try process.read(process.status, into: &buffer, StatusRecord.parse)
        }
        memoryPeakBytes = status?.peakResidentBytes
        fileDescriptors = Self.optional { () throws(FactError) in try process.descriptorCount(using: &buffer) }
        storage = Self.optional { () throws(FactError) in
            try process.read(process.io, into: &buffer, StorageTraffic.parse)
        }
        if let status {
            contextSwitches = Self.optional { () throws(FactError) in
                try process.contextSwitches(leader: status, threads: stat.threads, using: &buffer)
            }
        } else {
            contextSwitches = nil
        }
        // Opened each time: an open one goes on telling of the memory that the process had before it ran execve(2).
        memoryBytes = Self.optional { () throws(FactError) in
            try process.read("smaps_rollup", into: &buffer, ProportionalSetSize.parse)
        }
    }

    private static func processorNanoseconds(
        of process: ProcessHandle, _ stat: StatRecord
    ) throws(FactError) -> UInt64 {
        if let number = process.systemProcessID,
            let nanoseconds = ProcFS.nanoseconds(of: clinux_process_clock(number))
        {
            return nanoseconds
        }
        guard let nanoseconds = ClockTick.nanoseconds(stat.processorTicks) else {
            throw FactError(.malformed, "/proc/\(process.processID)/stat tells an impossible processor time")
        }
        return nanoseconds
    }

    private static func age(at uptime: UInt64?, startTicks: UInt64) -> Duration? {
        guard let uptime, let start = ClockTick.nanoseconds(startTicks), start <= uptime else { return nil }
        return duration(uptime &- start)
    }

    private static func duration(_ nanoseconds: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: nanoseconds))
    }

    private static func optional<Value>(_ read: () throws(FactError) -> Value) -> Value? {
        Fact(catching: read).value
    }
}
