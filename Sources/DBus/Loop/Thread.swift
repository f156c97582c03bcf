// SPDX-License-Identifier: MIT

import CLinux
import Glibc

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Starts a thread that nobody joins, with all signals blocked: they are the main thread's.
///
/// - Throws: ``DBusError`` with code `failed` if no thread can be had.
func startDetachedThread(named name: String, _ run: @escaping @Sendable () -> Void) throws(DBusError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }

    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, body.toOpaque())
    guard code == 0 else {
        body.release()
        throw DBusError(.failed, "cannot start a thread: \(describe(errno: code))")
    }
    // The kernel keeps 15 bytes of a thread's name.
    pthread_setname_np(thread, String(name.prefix(15)))
}
