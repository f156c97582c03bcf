// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc

/// The owner of every child process and temporary directory, which ends and removes them in any case.
///
/// Queue-confined: everything below happens on `queue`, so that a signal can never slip between the start of a child
/// and its registration. That makes it `@unchecked Sendable`.
final class Cleanup: @unchecked Sendable {
    private let queue = DispatchQueue(label: "org.sentinel.benchmarks.cleanup")
    private var children: Set<pid_t> = []
    private var directories: Set<String> = []

    /// Starts a child with `spawn`, which returns its process identifier, and takes care of it from there on.
    func adoptChild(_ spawn: () throws -> pid_t) rethrows -> pid_t {
        try queue.sync {
            let process = try spawn()
            children.insert(process)
            return process
        }
    }

    /// Ends a child and everything in its process group, and collects it. Does nothing the second time.
    func endChild(_ process: pid_t) {
        queue.sync { end(process) }
    }

    /// Makes a directory with `make`, which returns its path, and takes care of it from there on.
    func adoptDirectory(_ make: () throws -> String) rethrows -> String {
        try queue.sync {
            let path = try make()
            directories.insert(path)
            return path
        }
    }

    /// Removes a directory with its contents. Does nothing the second time.
    func removeDirectory(_ path: String) {
        queue.sync { remove(path) }
    }

    /// Ends all children, then removes all directories.
    func run() {
        queue.sync { endAndRemoveAll() }
    }

    /// Cleans up and ends the process with status 128 + N when signal N (`SIGINT`, `SIGTERM` or `SIGHUP`) arrives.
    ///
    /// To be called before the process has a second thread: all threads inherit the signal mask. Children get a
    /// clean one from ``Child``.
    func runOnTerminationSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A reader that goes away (`… | head`) must not end the process before it has cleaned up.
        signal(SIGPIPE, SIG_IGN)

        let awaited = signals
        Thread.detachNewThread { @Sendable [self] in
            var awaited = awaited
            var received: Int32 = 0
            guard sigwait(&awaited, &received) == 0 else {
                return
            }
            // The process ends on the queue: nothing can be started behind its back.
            queue.sync {
                endAndRemoveAll()
                _exit(128 + received)
            }
        }
    }

    // MARK: On the queue

    private func endAndRemoveAll() {
        dispatchPrecondition(condition: .onQueue(queue))
        children.forEach(end)
        directories.forEach(remove)
    }

    private func end(_ process: pid_t) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard children.remove(process) != nil else {
            return
        }
        kill(-process, SIGTERM)
        let deadline = ContinuousClock.now + .seconds(3)
        while !Child.hasExited(process), ContinuousClock.now < deadline {
            usleep(1_000)
        }
        // The child may be a script whose own child ignored the request. The group's number cannot have been given
        // to anyone else, since its leader is not collected yet.
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private func remove(_ path: String) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard directories.remove(path) != nil else {
            return
        }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            StandardError.print("cannot remove \(path): \(error)")
        }
    }
}
