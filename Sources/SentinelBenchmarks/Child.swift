// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A process that this one started, in a process group of its own.
struct Child {
    /// The moment just before the process was made.
    let spawned: ContinuousClock.Instant

    private let process: pid_t
    private let logPath: String
    private let cleanup: Cleanup

    /// Starts a program with nothing on standard input.
    ///
    /// - Parameters:
    ///   - command: The program, looked up in `PATH` if it has no slash, and its arguments.
    ///   - environment: What to set besides the inherited environment.
    ///   - logPath: The file that gets the standard error and, without `output`, the standard output.
    ///   - output: The descriptor that becomes the standard output.
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    init(
        _ command: [String], environment: [String: String] = [:], logPath: String, output: Int32? = nil,
        cleanup: Cleanup
    ) throws {
        self.cleanup = cleanup
        self.logPath = logPath

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // No signal is blocked or ignored in the child, whatever is in this process; and the terminal's Ctrl-C goes
        // to this process alone, which then ends the child.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var defaulted = sigset_t()
        sigemptyset(&defaulted)
        sigaddset(&defaulted, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaulted)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, output ?? STDERR_FILENO, STDOUT_FILENO)

        let inherited = ProcessInfo.processInfo.environment
        let variables = inherited.merging(environment) { $1 }.map { $0 + "=" + $1 }
        let arguments = command.map { strdup($0) } + [nil]
        let settings = variables.map { strdup($0) } + [nil]
        defer { (arguments + settings).forEach { free($0) } }

        var spawned = ContinuousClock.now
        process = try cleanup.adoptChild {
            var process: pid_t = 0
            spawned = .now
            let failure = posix_spawnp(&process, command[0], &actions, &attributes, arguments, settings)
            guard failure == 0 else {
                throw BenchmarkError(
                    code: .unavailable, message: "cannot start \(command[0]): \(String(cString: strerror(failure)))")
            }
            return process
        }
        self.spawned = spawned
    }

    /// Whether the process has not ended yet.
    var isRunning: Bool {
        !Self.hasExited(process)
    }

    /// The last lines that the process wrote.
    var output: String {
        guard let data = FileManager.default.contents(atPath: logPath) else {
            return ""
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(10).joined(separator: "\n")
    }

    /// Asks the process to end, insists after three seconds, and collects it.
    func end() {
        cleanup.endChild(process)
    }

    /// Returns whether a child that is not collected yet has ended; it stays uncollected.
    static func hasExited(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return result != 0 || information.si_signo == SIGCHLD
    }
}
