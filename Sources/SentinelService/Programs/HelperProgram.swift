// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc
import SentinelModels

/// A program of the machine that knows or does something for the service.
///
/// It is run without a shell, and ends with the service at the latest.
struct HelperProgram: Sendable {
    /// What a program has left that has ended.
    struct Outcome: Sendable {
        /// As waitpid(2) gives it: 0 for success.
        let status: Int32
        let output: [UInt8]
        /// What it has complained of, without what is past ``HelperProgram/longestComplaint``.
        let errors: [UInt8]
    }

    /// So much is kept of what a program complains of, in bytes.
    static let longestComplaint = 1 << 10

    private let name: String
    private let path: String
    private let environment: [String: String]

    /// Finds a program in the directories of `PATH`.
    ///
    /// - Parameter variables: what its environment has otherwise than the service's; nil for what it has not.
    /// - Throws: `unavailable` where there is none.
    init(_ name: String, setting variables: [String: String?] = [:]) throws(SentinelError) {
        var environment = processEnvironment()
        let directories = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").utf8.split(
            separator: UInt8(ascii: ":"))
        let candidates = directories.map { "\(String(decoding: $0, as: UTF8.self))/\(name)" }
        // A relative directory would depend on where the service was started.
        let found = candidates.first { $0.utf8.first == UInt8(ascii: "/") && access($0, X_OK) == 0 }
        guard let found else {
            throw SentinelError(.unavailable, "\(name) cannot be started: it is not installed")
        }
        for (name, value) in variables {
            environment[name] = value
        }
        self.name = name
        path = found
        self.environment = environment
    }

    /// Runs it to its end and gives what it has left. Waits for that, on a thread other than the loop's.
    ///
    /// - Parameters:
    ///   - limit: how many bytes of output are taken.
    ///   - timeout: after so many seconds it is killed, with what it has started.
    /// - Throws: `timeout` where it takes longer or says more, `limitsExceeded`.
    func run(_ arguments: [String], limit: Int, timeout: Int) throws(SentinelError) -> Outcome {
        let end = ContinuousClock.now + .seconds(timeout)
        let process = try start(arguments)
        var streams = [HelperStream(process.output, limit: limit), HelperStream(process.errors, limit: nil)]
        let isWhole = HelperStream.read(&streams, until: end) && Self.wait(for: process.handle, until: end)
        if !isWhole {
            process.kill()
        }
        let status = process.reap()
        guard isWhole else {
            throw SentinelError(.timeout, "\(name) took longer than \(timeout) s, or said too much")
        }
        return Outcome(status: status, output: streams[0].bytes, errors: streams[1].bytes)
    }

    /// Starts it. It is killed when the thread that calls this ends.
    ///
    /// - Throws: `limitsExceeded`.
    func start(_ arguments: [String]) throws(SentinelError) -> HelperProcess {
        let output = try pipe()
        let errors = try pipe()
        let copies = ([name] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { (copies + variables).forEach { free($0) } }
        let process = clinux_spawn_tied(
            path, copies + [nil], variables + [nil], output.writing.rawValue, errors.writing.rawValue)
        guard process > 0 else { throw refusal() }
        let handle = clinux_pidfd_open(process)
        guard handle >= 0 else {
            kill(process, SIGKILL)
            _ = HelperProcess.reap(process)
            throw refusal()
        }
        return HelperProcess(
            identifier: process, handle: FileDescriptor(owning: handle), output: output.reading,
            errors: errors.reading)
    }

    private func pipe() throws(SentinelError) -> (reading: FileDescriptor, writing: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw refusal() }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    }

    private func refusal() -> SentinelError {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return SentinelError(.limitsExceeded, "\(name) cannot be started: \(reason)")
    }

    /// Whether a process ends in time: it may go on when it has closed what it writes to.
    private static func wait(for handle: FileDescriptor, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (end - .now).microseconds / 1000
            guard left > 0 else { return false }
            var event = pollfd(fd: handle.rawValue, events: Int16(POLLIN), revents: 0)
            if poll(&event, 1, Int32(clamping: left)) > 0 { return true }
        }
    }
}

/// A program that runs.
struct HelperProcess: Sendable {
    fileprivate let identifier: pid_t
    /// Readable once it has ended (`pidfd_open(2)`).
    let handle: FileDescriptor
    /// What it writes to its standard output, without waiting.
    let output: FileDescriptor
    /// What it writes to its standard error, without waiting.
    let errors: FileDescriptor

    fileprivate init(identifier: pid_t, handle: FileDescriptor, output: FileDescriptor, errors: FileDescriptor) {
        self.identifier = identifier
        self.handle = handle
        self.output = output
        self.errors = errors
    }

    /// Kills it and what it has started; not once it was reaped.
    func kill() {
        Glibc.kill(-identifier, SIGKILL)
        Glibc.kill(identifier, SIGKILL)
    }

    /// Takes note of its end, once.
    func reap() -> Int32 {
        Self.reap(identifier)
    }

    fileprivate static func reap(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
