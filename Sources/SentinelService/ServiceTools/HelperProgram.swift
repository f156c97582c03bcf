// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SentinelModels

/// Runs a program of the machine that knows something.
enum HelperProgram {
    /// Runs a program to its end and gives what it has written to its standard output. Waits for it.
    ///
    /// - Parameters:
    ///   - arguments: the program, looked up in `PATH`, and its arguments.
    ///   - limit: how many bytes are taken.
    ///   - timeout: after so many seconds it is killed.
    static func run(_ arguments: [String], limit: Int, timeout: Int) -> Result<[UInt8], SentinelError> {
        let name = arguments.first ?? ""
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            return .failure(SentinelError(.limitsExceeded, "\(name) cannot be started: no file descriptor is left"))
        }
        defer { close(ends[0]) }
        var process: pid_t = 0
        let code = spawn(arguments, output: ends[1], &process)
        close(ends[1])
        guard code == 0 else {
            let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
            return .failure(SentinelError(.unavailable, "\(name) cannot be started: \(reason)"))
        }
        let (output, isWhole) = read(ends[0], limit: limit, timeout: timeout)
        if !isWhole {
            kill(process, SIGKILL)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard isWhole else {
            return .failure(SentinelError(.timeout, "\(name) took longer than \(timeout) s, or said too much"))
        }
        guard status == 0 else {
            return .failure(SentinelError(.unavailable, "\(name) failed: what it knows may not be read here"))
        }
        return .success(output)
    }

    private static func spawn(_ arguments: [String], output: Int32, _ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whatever the service blocks and ignores, the program begins with the defaults.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let copies = arguments.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return posix_spawnp(&process, arguments.first ?? "", &actions, &attributes, copies + [nil], environ)
    }

    private static func read(_ descriptor: Int32, limit: Int, timeout: Int) -> (output: [UInt8], isWhole: Bool) {
        let end = ContinuousClock.now + .seconds(timeout)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while output.count <= limit {
            let left = (end - .now).microseconds / 1000
            guard left > 0 else { return (output, false) }
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, Int32(clamping: left)) > 0 else { continue }
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return (output, true) }
            if count < 0, errno != EINTR { return (output, false) }
            output += buffer.prefix(max(0, count))
        }
        return (output, false)
    }
}
