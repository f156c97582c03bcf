// SPDX-License-Identifier: MIT

import Glibc

/// A system call that failed, as errno(3) tells, before it is known what that means for the fact.
struct SystemFailure: Error {
    let code: Int32

    /// The failure of the call just made.
    static var current: SystemFailure { SystemFailure(code: errno) }

    /// Whether this process, or the machine, has no descriptor left.
    var isLackOfDescriptors: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    /// What the failure means for a file.
    func factError(for file: String) -> FactError {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ESRCH, EINVAL, ENODATA, EOPNOTSUPP, ENOSYS, ENXIO, ENODEV:
            FactError(.absent, "there is no \(file) here")
        case EACCES, EPERM:
            FactError(.denied, "\(file) may not be read")
        case EFBIG:
            FactError(.malformed, "\(file) is longer than it should ever be")
        default:
            FactError(.failed, "\(file) cannot be read: \(description)")
        }
    }

    /// What the system says of it, such as `Input/output error`.
    var description: String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
