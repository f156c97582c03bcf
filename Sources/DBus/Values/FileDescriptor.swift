// SPDX-License-Identifier: MIT

import Glibc

/// An open file descriptor with one owner; it is closed when the last reference to it goes.
///
/// A message keeps a duplicate of its own, and what is read out of one belongs to the reader.
public final class FileDescriptor: Hashable, Sendable {
    /// The descriptor's number, valid while this object lives.
    public let rawValue: Int32

    /// Takes over an open descriptor.
    public init(owning descriptor: Int32) {
        rawValue = descriptor
    }

    /// Duplicates a descriptor that stays its owner's, with close-on-exec set.
    ///
    /// - Throws: ``DBusError`` with code `failed` if the descriptor is not open or no more can be had.
    public init(duplicating descriptor: Int32) throws(DBusError) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard duplicate >= 0 else {
            throw DBusError(.failed, "cannot duplicate a file descriptor: \(describe(errno: errno))")
        }
        rawValue = duplicate
    }

    deinit {
        close(rawValue)
    }

    public static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The system's text for an error number.
func describe(errno code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
