// SPDX-License-Identifier: MIT

import Glibc

/// An open file descriptor with one owner; it is closed when the last reference to it goes.
///
/// A message keeps a duplicate of its own, and what is read out of one belongs to the reader. What has come over the bus
/// is closed on another thread than the one that lets go of it: whoever has passed it decides how long that takes.
public final class FileDescriptor: Hashable, Sendable {
    /// The descriptor's number, valid while this object lives.
    public let rawValue: Int32
    /// Closes it beside the thread that lets go of it; nil to close it there.
    private let closing: DescriptorClosing?

    /// Takes over an open descriptor.
    public convenience init(owning descriptor: Int32) {
        self.init(owning: descriptor, closing: nil)
    }

    init(owning descriptor: Int32, closing: DescriptorClosing?) {
        rawValue = descriptor
        self.closing = closing
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
        closing = nil
    }

    deinit {
        guard let closing else {
            close(rawValue)
            return
        }
        closing.enqueue { [rawValue] in close(rawValue) }
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
