// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A file descriptor with one owner; it is closed at the end of its owner's life.
struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number; valid while the owner lives.
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Opens a directory as a place to start paths from (`O_PATH`), which needs no right to list it.
    init(directory path: String) throws(SystemFailure) {
        try self.init(path: path, below: AT_FDCWD, flags: Int32(CLINUX_O_PATH) | O_DIRECTORY)
    }

    /// Refers to a process, whatever becomes of its number (pidfd_open(2)).
    init(process processID: Int32) throws(SystemFailure) {
        let number = clinux_pidfd_open(processID)
        guard number >= 0 else { throw SystemFailure.current }
        self.init(owning: number)
    }

    /// Opens something below a directory, close-on-exec.
    init(path: String, below directory: Int32, flags: Int32) throws(SystemFailure) {
        let number = openat(directory, path, flags | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure.current }
        self.init(owning: number)
    }

    /// Opens a file below a directory for reading; takes a constant name, which costs no copy.
    init(file name: StaticString, below directory: Int32) throws(SystemFailure) {
        self.init(owning: try Self.open(name, below: directory))
    }

    /// The number of a newly opened file, which the caller has to close.
    static func open(_ name: StaticString, below directory: Int32) throws(SystemFailure) -> Int32 {
        let number = withCharacters(of: name) { openat(directory, $0, O_RDONLY | O_NOCTTY | O_CLOEXEC) }
        guard number >= 0 else { throw SystemFailure.current }
        return number
    }
}

/// Gives a constant's characters, which end with a NUL, to a call.
func withCharacters<Result>(of name: StaticString, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    UnsafeRawPointer(name.utf8Start).withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1, body)
}
