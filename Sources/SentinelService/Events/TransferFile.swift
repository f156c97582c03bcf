// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc
import SentinelModels

/// A file that a caller has passed, read or written by a thread that may wait for it, until it is cancelled.
///
/// The descriptor's flags are the caller's as well and stay as they are: before each step the thread waits until the
/// file is ready, or the cancellation is. Nothing is asked of the file on the loop's thread: its file system may be one
/// that does not answer.
///
/// `@unchecked Sendable`: the step is confined to the transfer's queue, as is all but making and cancelling it.
final class TransferFile: @unchecked Sendable {
    /// What it is opened for.
    enum Access {
        case reading
        case writing
    }

    /// What can be written without waiting into a pipe that is ready (pipe(7), `PIPE_BUF`).
    private static let pipeStep = 4096
    private static let fileStep = 1 << 20

    private let file: FileDescriptor
    private let access: Access
    private let cancellation: FileDescriptor
    private var step = pipeStep

    /// Takes over a file, which is to be checked first.
    ///
    /// - Throws: code `limitsExceeded` without a descriptor for cancelling.
    init(_ file: FileDescriptor, for access: Access) throws(SentinelError) {
        let event = eventfd(0, Int32(CLINUX_EVENTFD_FLAGS))
        guard event >= 0 else { throw SentinelError(.limitsExceeded, "the service has no file descriptor left") }
        self.file = file
        self.access = access
        cancellation = FileDescriptor(owning: event)
    }

    /// Looks at what the file is, which may wait.
    ///
    /// - Throws: code `invalidArgs` if it is not open for what is wanted.
    func check() throws(SentinelError) {
        let flags = fcntl(file.rawValue, F_GETFL)
        let mode = flags & O_ACCMODE
        let wanted = access == .reading ? O_RDONLY : O_WRONLY
        guard flags >= 0, flags & Int32(CLINUX_O_PATH) == 0, mode == wanted || mode == O_RDWR else {
            throw SentinelError(
                .invalidArgs, "the file descriptor is not open for \(access == .reading ? "reading" : "writing")")
        }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw SentinelError(.invalidArgs, "the file descriptor is no file, pipe or socket")
        }
        // A terminal says that it can be written to, and waits all the same when nobody reads it.
        guard isatty(file.rawValue) == 0 else {
            throw SentinelError(.invalidArgs, "the file descriptor is a terminal: pass a file, pipe or socket")
        }
        step = status.st_mode & S_IFMT == S_IFREG ? Self.fileStep : Self.pipeStep
    }

    /// Ends what is waited for, and all that follows; callable on every thread.
    func cancel() {
        eventfd_write(cancellation.rawValue, 1)
    }

    /// Reads what there is, waiting for some.
    ///
    /// - Returns: nothing at the end of the file.
    /// - Throws: code `unavailable`.
    func read() throws(SentinelError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            try wait(for: Int16(POLLIN))
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file.rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                buffer.removeLast(buffer.count - count)
                return buffer
            }
            try checkError("read")
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: code `unavailable`.
    func write(_ bytes: [UInt8]) throws(SentinelError) {
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(file.rawValue, buffer.baseAddress?.advanced(by: done), min(buffer.count - done, step))
            }
            if count >= 0 {
                done += count
            } else {
                try checkError("written")
            }
        }
    }

    /// Lets a step that was interrupted, or came too early, be tried again.
    private func checkError(_ what: String) throws(SentinelError) {
        let number = errno
        guard number != EINTR, number != EAGAIN else { return }
        throw SentinelError(.unavailable, "the file cannot be \(what): \(String(cString: strerror(number)))")
    }

    private func wait(for events: Int16) throws(SentinelError) {
        var descriptors = [
            pollfd(fd: cancellation.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: file.rawValue, events: events, revents: 0),
        ]
        // An error shows when the file is read or written.
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0, errno == EINTR {}
        guard descriptors[0].revents == 0 else {
            throw SentinelError(.unavailable, "the transfer was ended: its caller has gone, or the service ends")
        }
    }
}
