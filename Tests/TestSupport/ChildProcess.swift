// SPDX-License-Identifier: MIT

import Foundation

/// A program that runs beside the test; its output is collected. It is killed when the last reference to it goes.
public final class ChildProcess: @unchecked Sendable {
    /// How a process ended.
    public enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// The process's number.
    public let identifier: Int32
    private let record: Record
    /// The end of the pipe to the program's standard input that is held open; -1 for none.
    private let lifeline: Int32

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: the program, looked up in `PATH`, and its arguments.
    ///   - environment: variables to set beside, or instead of, those of this process.
    ///   - removing: variables of this process that the program does not get.
    ///   - directory: the directory that the program starts in; this process's if nil.
    ///   - hasLifeline: whether the standard input stays open, without anything in it, until this process ends or lets
    ///     the program go; else it is at its end at once.
    /// - Throws: ``TestSupportError`` if it cannot be started.
    public init(
        _ arguments: [String], environment: [String: String] = [:], removing: Set<String> = [],
        directory: String? = nil, hasLifeline: Bool = false
    ) throws {
        let output = try Pipe.make()
        let errors = try Pipe.make()
        let input = try Pipe.make()
        lifeline = hasLifeline ? input.write : -1
        defer {
            close(output.write)
            close(errors.write)
            close(input.read)
            if !hasLifeline {
                close(input.write)
            }
        }
        do {
            identifier = try Self.spawn(
                directory.map { ["env", "-C", $0] + arguments } ?? arguments,
                environment: Self.merged(environment, removing: removing), input: input.read,
                output: output.write, errors: errors.write)
        } catch {
            close(output.read)
            close(errors.read)
            close(lifeline)
            throw error
        }
        record = Record()
        Self.startThread { [record] in record.collect(from: output.read, into: \.output) }
        Self.startThread { [record] in record.collect(from: errors.read, into: \.errors) }
        Self.startThread { [record, identifier] in record.awaitEnd(of: identifier) }
    }

    deinit {
        send(SIGKILL)
        close(lifeline)
    }

    /// What the program has written to its standard output so far.
    public var output: String { String(decoding: record.read { $0.output }, as: UTF8.self) }

    /// What the program has written to its standard error so far.
    public var errors: String { String(decoding: record.read { $0.errors }, as: UTF8.self) }

    /// How the program has ended; nil while it runs.
    public var ending: Ending? { record.read { $0.ending } }

    /// Sends a signal, unless the program has ended.
    public func send(_ signal: Int32) {
        record.whileRunning { kill(identifier, signal) }
    }

    /// Waits, blocking the thread, until the program has ended and its output is complete.
    ///
    /// - Throws: ``TestSupportError`` if the time is over before.
    @discardableResult
    public func waitForEnd(within limit: Duration = patience) throws -> Ending {
        try record.wait(within: limit, for: "the end of process \(identifier)") { state in
            state.openStreams == 0 ? state.ending : nil
        }
    }

    /// Waits, blocking the thread, for a whole line on the standard output.
    ///
    /// - Returns: the first line, without its end.
    /// - Throws: ``TestSupportError`` if the time is over or the output ends before.
    public func waitForFirstLine(within limit: Duration = patience) throws -> String {
        let line: String? = try record.wait(within: limit, for: "a line from process \(identifier)") { state in
            guard let end = state.output.firstIndex(of: UInt8(ascii: "\n")) else {
                return state.openStreams == 0 ? .some(nil) : nil
            }
            return String(decoding: state.output[..<end], as: UTF8.self)
        }
        guard let line else { throw TestSupportError("the process ended without a line of output: \(errors)") }
        return line
    }

    private static func merged(_ environment: [String: String], removing: Set<String>) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !removing.contains($0.key) }.merging(environment) { $1 }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 256 << 10
        thread.start()
    }

    private static func spawn(
        _ arguments: [String], environment: [String: String], input: Int32, output: Int32, errors: Int32
    ) throws -> pid_t {
        guard let program = arguments.first else { throw TestSupportError("no program to start") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whatever this thread blocks and ignores, the program begins with the defaults.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var identifier: pid_t = 0
        let variables = environment.map { "\($0)=\($1)" }
        let code = withCStrings(arguments) { argv in
            withCStrings(variables) { envp in
                posix_spawnp(&identifier, program, &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else {
            throw TestSupportError("cannot start \(program): \(String(cString: strerror(code)))")
        }
        return identifier
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}

/// The ends of a pipe, neither of which programs inherit.
private struct Pipe {
    let read: Int32
    let write: Int32

    static func make() throws -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TestSupportError("cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return Pipe(read: ends[0], write: ends[1])
    }
}

/// What is known of a running process, shared with the threads that watch it.
private final class Record: @unchecked Sendable {
    struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openStreams = 2
        var ending: ChildProcess.Ending?
    }

    private let condition = NSCondition()
    private var state = State()

    func read<Result>(_ body: (State) -> Result) -> Result {
        condition.withLock { body(state) }
    }

    func whileRunning(_ body: () -> Void) {
        condition.withLock {
            if state.ending == nil {
                body()
            }
        }
    }

    func wait<Result>(within limit: Duration, for what: String, _ body: (State) -> Result?) throws -> Result {
        let end = Date(timeIntervalSinceNow: limit / .seconds(1))
        return try condition.withLock {
            while true {
                if let result = body(state) { return result }
                guard condition.wait(until: end) else {
                    throw TestSupportError("waited \(limit) in vain for \(what)")
                }
            }
        }
    }

    func collect(from descriptor: Int32, into field: WritableKeyPath<State, [UInt8]>) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            change { $0[keyPath: field] += buffer[..<count] }
        }
        close(descriptor)
        change { $0.openStreams -= 1 }
    }

    func awaitEnd(of identifier: pid_t) {
        // The number must not be another process's when a signal is sent: it is freed under the lock.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        change { state in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            state.ending = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        condition.withLock {
            body(&state)
            condition.broadcast()
        }
    }
}
