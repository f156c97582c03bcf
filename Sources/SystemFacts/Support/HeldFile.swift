// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A file that is opened when it is first read and then kept open, usable on every thread.
///
/// The files of proc(5) are made anew whenever they are read from their beginning, so that one descriptor serves all
/// readings and saves a path's walk each time.
struct HeldFile: ~Copyable, Sendable {
    let name: StaticString
    /// -1 while it is not open.
    private let number = Atomic<Int32>(-1)

    init(_ name: StaticString) {
        self.name = name
    }

    deinit {
        let number = number.load(ordering: .acquiring)
        if number >= 0 {
            close(number)
        }
    }

    /// The open file's number; valid while this value lives. An attempt that fails is made anew the next time.
    func descriptor(below directory: borrowing OwnedDescriptor) throws(SystemFailure) -> Int32 {
        let open = number.load(ordering: .acquiring)
        if open >= 0 { return open }
        let opened = try OwnedDescriptor.open(name, below: directory.number)
        let (exchanged, original) = number.compareExchange(
            expected: -1, desired: opened, ordering: .acquiringAndReleasing)
        if exchanged { return opened }
        // Another thread was faster.
        close(opened)
        return original
    }
}
