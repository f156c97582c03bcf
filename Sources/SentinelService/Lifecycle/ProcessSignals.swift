// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc

/// The signals that mean something to the service, as something that the event loop waits for (`signalfd(2)`).
struct ProcessSignals {
    /// What a signal asks for.
    enum Request {
        /// That the service ends, with the signal's name.
        case termination(String)
        /// What waits for it.
        case trigger(TriggerCause.UnixSignal)
    }

    private let descriptor: FileDescriptor

    /// Blocks the signals for this thread and those that it starts. Call it before any are started.
    ///
    /// - Throws: `DBusError` with code `failed` if no descriptor can be had.
    init() throws(DBusError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGUSR1, SIGUSR2] {
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let number = signalfd(-1, &signals, Int32(CLINUX_SIGNALFD_FLAGS))
        guard number >= 0 else {
            throw DBusError(.failed, "cannot wait for signals: error \(errno)")
        }
        descriptor = FileDescriptor(owning: number)
    }

    /// Has `handler` called on the loop's thread for each signal.
    func watch(on loop: EventLoop, _ handler: @escaping @Sendable (Request) -> Void) -> DescriptorWatch {
        loop.watch(readable: descriptor.rawValue) { [descriptor] in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            // One of each can wait; who sends more meanwhile waits for the loop's next turn.
            for _ in 0..<4 where read(descriptor.rawValue, &information, size) == size {
                handler(Self.request(Int32(bitPattern: information.ssi_signo)))
            }
        }
    }

    private static func request(_ signal: Int32) -> Request {
        switch signal {
        case SIGUSR1: .trigger(.first)
        case SIGUSR2: .trigger(.second)
        case SIGINT: .termination("SIGINT")
        default: .termination("SIGTERM")
        }
    }
}
