// SPDX-License-Identifier: MIT

/// What the system tells about the machine at one moment (proc(5)); each fact that is missing says why.
public struct SystemStatus: Sendable {
    /// What all processors have done since the machine's start (`/proc/stat`).
    public let processorTime: Fact<ProcessorTime>
    /// Number of processors that are online (`/proc/stat`).
    public let processorCount: Fact<UInt32>
    /// When the machine was started, in microseconds since the epoch. It is the same each time it is asked unless the
    /// clock is set by half a second or more (clock_gettime(2); `btime` of `/proc/stat`).
    public let bootTime: Fact<Int64>
    /// Time since the machine was started, suspended times included (`/proc/uptime`).
    public let uptime: Fact<Duration>
    /// Main memory that the kernel can use, in bytes (`MemTotal` of `/proc/meminfo`).
    public let memoryTotalBytes: Fact<UInt64>
    /// Share of the last 10 s in which tasks waited for a processor, in percent (`/proc/pressure/cpu`); absent without
    /// pressure stall information in the kernel (before Linux 4.20, or with `psi=0`).
    public let processorPressure: Fact<Double>
    /// The same for memory (`/proc/pressure/memory`).
    public let memoryPressure: Fact<Double>
    /// The same for storage (`/proc/pressure/io`).
    public let storagePressure: Fact<Double>

    /// Reads all facts of the machine. It makes five system calls, ten the first time.
    public static func read(from proc: ProcFS = .system) -> SystemStatus {
        var buffer = FileBuffer()
        return SystemStatus(proc, using: &buffer)
    }

    private init(_ proc: ProcFS, using buffer: inout FileBuffer) {
        let stat = Fact { () throws(FactError) in
            try proc.read(proc.stat, into: &buffer, MachineStatRecord.parse)
        }
        processorTime = stat.map(\.processorTime)
        processorCount = stat.flatMap { record in
            guard record.processors > 0 else {
                return .failure(FactError(.absent, "/proc/stat tells no single processors"))
            }
            return .success(record.processors)
        }
        bootTime = Fact { () throws(FactError) in try proc.bootTimeMicroseconds(using: &buffer) }
        uptime = Fact { () throws(FactError) in
            .nanoseconds(Int64(clamping: try proc.uptimeNanoseconds(using: &buffer)))
        }
        memoryTotalBytes = Fact { () throws(FactError) in
            try proc.read(proc.memoryInformation, into: &buffer, MemoryTotal.parse)
        }
        processorPressure = Fact { () throws(FactError) in
            try proc.read(proc.processorPressure, into: &buffer, PressureRecord.parse)
        }
        memoryPressure = Fact { () throws(FactError) in
            try proc.read(proc.memoryPressure, into: &buffer, PressureRecord.parse)
        }
        storagePressure = Fact { () throws(FactError) in
            try proc.read(proc.storagePressure, into: &buffer, PressureRecord.parse)
        }
    }
}
