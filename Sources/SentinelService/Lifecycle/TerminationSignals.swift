// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc

/// The signals that ask the service to end, as something that the event loop waits for (`signalfd(2)`).
struct TerminationSignals {
    private let descriptor: FileDescriptor

    /// Blocks the signals for this thread and those that it starts. Call it before any are started.
    ///
    /// - Throws: `DBusError` with code `failed` if no descriptor can be had.
    init() throws(DBusError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let number = signalfd(-1, &signals, Int32(CLINUX_SIGNALFD_FLAGS))
        guard number >= 0 else {
            throw DBusError(.failed, "cannot wait for signals: error \(errno)")
        }
        descriptor = FileDescriptor(owning: number)
    }

    /// Has `handler` called on the loop's thread for each signal, with its name.
    func watch(on loop: EventLoop, _ handler: @escaping @Sendable (String) -> Void) -> DescriptorWatch {
        loop.watch(readable: descriptor.rawValue) { [descriptor] in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(descriptor.rawValue, &information, size) == size {
                handler(information.ssi_signo == UInt32(SIGINT) ? "SIGINT" : "SIGTERM")
            }
        }
    }
}
