// SPDX-License-Identifier: MIT

import Glibc

/// A file descriptor that is closed at the end of its scope.
struct OpenFile: ~Copyable {
    /// The descriptor; negative if it could not be opened.
    let number: Int32
    /// Why it could not be opened, as in `errno`.
    let error: Int32

    init(_ number: Int32) {
        self.number = number
        error = number < 0 ? errno : 0
    }

    deinit {
        if isOpen {
            close(number)
        }
    }

    var isOpen: Bool { number >= 0 }

    /// What it is; nil where that cannot be told.
    var status: stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }
}
