// SPDX-License-Identifier: MIT

/// What is known of a process whose application is asked for.
public struct ObservedProcess: Sendable {
    /// Process id in the service's own namespace.
    public let processID: Int32
    /// Absolute path of its executable, as `/proc/PID/exe` has it (proc(5)); nil if unknown.
    public let executable: String?
    /// Its environment, as `/proc/PID/environ` has it: what it was started with, or has made of that since.
    public let environment: [String: String]

    /// A process with what is known of it.
    public init(processID: Int32, executable: String?, environment: [String: String]) {
        self.processID = processID
        self.executable = executable
        self.environment = environment
    }
}
