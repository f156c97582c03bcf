// SPDX-License-Identifier: MIT

public import SentinelModels

/// The figures of a process and its machine that `org.sentinel.Performance1.Sample` gives; nil is what cannot be had.
public struct PerformanceSample: Hashable, Sendable {
    /// When it was measured.
    public let time: Timestamp
    /// Processor time of the process between the two readings, in percent of one core; may pass 100.
    public let cpuPercent: Double?
    /// Processor time used of the whole machine between the two readings, in percent, 0 to 100. Processors' waiting for
    /// storage counts as idle.
    public let cpuPercentTotal: Double?
    /// Proportional set size of the process in bytes.
    public let memoryBytes: UInt64?
    /// Largest resident set size of the process so far in bytes.
    public let memoryPeakBytes: UInt64?
    /// Usable main memory of the machine in bytes.
    public let memoryTotalBytes: UInt64?
    /// Threads of the process.
    public let threads: UInt32?
    /// Open file descriptors of the process.
    public let fileDescriptors: UInt32?
    /// Bytes that the process has had read from storage so far.
    public let readBytes: UInt64?
    /// Bytes that the process has had written to storage so far.
    public let writtenBytes: UInt64?
    /// Context switches so far of the threads that the process has now, voluntary or not.
    public let contextSwitches: UInt64?
    /// Age of the process in seconds.
    public let uptimeSeconds: Double?
    /// Time since the machine was started in seconds, suspended times included.
    public let systemUptimeSeconds: Double?
    /// Share of the last 10 s in which tasks of the machine waited for a processor, in percent.
    public let pressureCPU: Double?
    /// The same for memory.
    public let pressureMemory: Double?
    /// The same for storage.
    public let pressureIO: Double?
    /// Processors that are online.
    public let processorCount: UInt32?

    /// The figures of `current`, with the processor's use since `previous`.
    ///
    /// That use is nil without a previous reading, if that is another process's, if no time is between the two, or if a
    /// counter went back.
    public init(previous: PerformanceReading?, current: PerformanceReading) {
        time = current.time
        cpuPercent = previous.flatMap { Self.cpuPercent(from: $0, to: current) }
        cpuPercentTotal = previous.flatMap { Self.cpuPercentTotal(from: $0, to: current) }
        memoryBytes = current.memoryBytes
        memoryPeakBytes = current.memoryPeakBytes
        memoryTotalBytes = current.memoryTotalBytes
        threads = current.threads
        fileDescriptors = current.fileDescriptors
        readBytes = current.storage?.readBytes
        writtenBytes = current.storage?.writtenBytes
        contextSwitches = current.contextSwitches
        uptimeSeconds = current.uptime.map(Self.seconds)
        systemUptimeSeconds = current.systemUptime.map(Self.seconds)
        pressureCPU = current.processorPressure
        pressureMemory = current.memoryPressure
        pressureIO = current.storagePressure
        processorCount = current.processorCount
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private static func cpuPercent(from previous: PerformanceReading, to current: PerformanceReading) -> Double? {
        guard previous.processID == current.processID, previous.startTicks == current.startTicks,
            current.monotonicTime > previous.monotonicTime, current.processorTime >= previous.processorTime
        else { return nil }
        let share = (current.processorTime - previous.processorTime) / (current.monotonicTime - previous.monotonicTime)
        // The two clocks are not read at the very same moment: nobody uses more than there is.
        return min(share, current.processorCount.map(Double.init) ?? share) * 100
    }

    private static func cpuPercentTotal(from previous: PerformanceReading, to current: PerformanceReading) -> Double? {
        guard let before = previous.machineProcessorTime, let now = current.machineProcessorTime,
            now.totalTicks > before.totalTicks
        else { return nil }
        let total = now.totalTicks &- before.totalTicks
        // The kernel's time of waiting for storage can go back (proc(5)).
        let idle = now.idleTicks > before.idleTicks ? min(total, now.idleTicks &- before.idleTicks) : 0
        return Double(total &- idle) / Double(total) * 100
    }
}
