// SPDX-License-Identifier: MIT

/// What the system tells about a process at one moment (proc(5)); each fact that may be missing says why it is.
public struct ProcessStatus: Sendable {
    /// The process's number.
    public let processID: Int32
    /// Name of the running program, cut to 15 bytes by the kernel; the process can change it. It may hold any
    /// characters; bytes that are not UTF-8 are U+FFFD (`stat`).
    public let name: String
    /// What the process does (`stat`).
    public let state: ProcessState
    /// The number of the parent process, 0 if there is none in sight (`stat`).
    public let parentID: Int32
    /// Whether it is a thread of the kernel, which has no program (`PF_KTHREAD` in `stat`).
    public let isKernelThread: Bool
    /// Number of threads (`stat`).
    public let threads: UInt32
    /// When the process was started, in microseconds since the epoch, exact to a clock tick (mostly 10 ms) and the same
    /// each time it is asked (`stat`; ``SystemStatus/bootTime``).
    public let startTime: Fact<Int64>
    /// Real user id (`status`).
    public let userID: Fact<UInt32>
    /// Effective user id (`status`). It differs while a program runs with another user's rights.
    public let effectiveUserID: Fact<UInt32>
    /// Resident set size in bytes (`VmRSS` of `status`); absent for kernel threads.
    public let residentBytes: Fact<UInt64>
    /// Largest resident set size so far in bytes (`VmHWM` of `status`); absent for kernel threads.
    public let peakResidentBytes: Fact<UInt64>
    /// Proportional set size in bytes (`Pss` of `smaps_rollup`); absent for kernel threads and before Linux 4.14.
    public let proportionalBytes: Fact<UInt64>
    /// Bytes that were read from and written to storage for the process (`io`).
    public let storage: Fact<StorageTraffic>
    /// Number of open file descriptors (`fd`).
    public let fileDescriptors: Fact<UInt32>
    /// Voluntary and involuntary context switches of the threads that there are now (`status`, and `task/*/schedstat`
    /// where there are several); absent above 256 threads.
    public let contextSwitches: Fact<UInt64>
    /// Arguments of the process (`cmdline`).
    public let commandLine: Fact<CommandLine>
    /// Path of the program (`exe`); absent for kernel threads.
    public let executable: Fact<ExecutablePath>
    /// Absolute path of the working directory (`cwd`).
    public let workingDirectory: Fact<String>
    /// The environment that the process was started with (`environ`); what it has set since does not show.
    public let environment: Fact<[String: String]>
    /// Path in the hierarchy of control groups version 2 (`cgroup`, cgroups(7)); absent where systemd keeps its units
    /// in version 1.
    public let controlGroup: Fact<ControlGroup>
    /// Names of the namespaces, such as `mnt` and `pid`, that are others than this process's, sorted (`ns`,
    /// namespaces(7)). A process in a container has some.
    public let foreignNamespaces: Fact<[String]>
    /// Label of the security module, such as `unconfined` for AppArmor (`attr/current`); absent without a module.
    public let securityLabel: Fact<String>

    /// Reads all facts of a process.
    ///
    /// It makes about 40 system calls, and costs what ``PerformanceReading/read(_:clock:)`` does for threads and
    /// memory.
    ///
    /// - Throws: ``FactError`` `processGone` if the process has ended before all was read, `malformed` if `stat` is
    ///   unreadable.
    public static func read(_ process: ProcessHandle) throws(FactError) -> ProcessStatus {
        var buffer = FileBuffer()
        let status = try ProcessStatus(process, using: &buffer)
        try process.checkAlive()
        return status
    }

    private init(_ process: ProcessHandle, using buffer: inout FileBuffer) throws(FactError) {
        let stat = try process.statRecord(using: &buffer)
        processID = process.processID
        name = stat.name
        state = stat.state
        parentID = stat.parentID
        isKernelThread = stat.isKernelThread
        threads = stat.threads
        startTime = Fact { () throws(FactError) in
            try process.proc.startTime(ticks: stat.startTicks, using: &buffer)
        }
        let status = Fact { () throws(FactError) in
            try process.read(process.status, into: &buffer, StatusRecord.parse)
        }
        userID = Self.line("Uid", of: status, \.userID)
        effectiveUserID = Self.line("Uid", of: status, \.effectiveUserID)
        residentBytes = Self.line("VmRSS", of: status, \.residentBytes)
        peakResidentBytes = Self.line("VmHWM", of: status, \.peakResidentBytes)
        proportionalBytes = Fact { () throws(FactError) in
            try process.read("smaps_rollup", into: &buffer, ProportionalSetSize.parse)
        }
        storage = Fact { () throws(FactError) in
            try process.read(process.io, into: &buffer, StorageTraffic.parse)
        }
        fileDescriptors = Fact { () throws(FactError) in try process.descriptorCount(using: &buffer) }
        contextSwitches = Fact { () throws(FactError) in
            try process.contextSwitches(leader: try status.get(), threads: stat.threads, using: &buffer)
        }
        commandLine = Fact { () throws(FactError) in try process.commandLine(using: &buffer) }
        executable = Fact { () throws(FactError) in
            ExecutablePath(link: try process.target(ofLink: "exe", using: &buffer))
        }
        workingDirectory = Fact { () throws(FactError) in try process.target(ofLink: "cwd", using: &buffer) }
        environment = Fact { () throws(FactError) in try process.environment(using: &buffer) }
        controlGroup = Fact { () throws(FactError) in try process.controlGroup(using: &buffer) }
        foreignNamespaces = Fact { () throws(FactError) in try process.foreignNamespaces(using: &buffer) }
        securityLabel = Fact { () throws(FactError) in try process.securityLabel(using: &buffer) }
    }

    private static func line<Value>(
        _ name: String, of status: Fact<StatusRecord>, _ field: (StatusRecord) -> Value?
    ) -> Fact<Value> {
        status.flatMap { record in
            guard let value = field(record) else {
                return .failure(FactError(.absent, "the process has no \(name) in its status"))
            }
            return .success(value)
        }
    }
}
