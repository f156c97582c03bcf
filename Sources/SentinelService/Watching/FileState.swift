// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// What tells one state of a file from another.
struct FileState: Hashable, Sendable {
    /// What tells a file with one content from another, as far as its size and its time of change do; whom it belongs to,
    /// what it is called and who may read it do not matter.
    struct Content: Hashable, Sendable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
        fileprivate let size: Int64
        fileprivate let modified: Int64
    }

    let content: Content
    private let changed: Int64
    /// Whether it is a file with content of its own, rather than a directory, a device or the like.
    let isRegular: Bool

    /// The state of what a path leads to; nil where that is nothing.
    init?(of path: String) {
        self.init(of: path, in: AT_FDCWD)
    }

    /// The state of what an entry of a directory leads to; nil where that is nothing.
    init?(of name: UnsafePointer<CChar>, in directory: Int32) {
        var status = stat()
        guard fstatat(directory, name, &status, 0) == 0 else { return nil }
        content = Content(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Self.nanoseconds(status.st_mtim))
        changed = Self.nanoseconds(status.st_ctim)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether something was written into the file not longer ago than that. A time to come says nothing, unless it is as
    /// near.
    func wasModified(within time: Duration) -> Bool {
        let age = Self.now().subtractingReportingOverflow(content.modified)
        return !age.overflow && Duration.nanoseconds(age.partialValue.magnitude) < time
    }

    /// Whether there is nothing in the file.
    var isEmpty: Bool { content.size == 0 }

    /// Whether the file has come, changed or been renamed since a time.
    func hasChanged(since time: Int64) -> Bool { changed >= time }

    /// The time as file systems tell it: nanoseconds since the Unix epoch, of a clock that ticks every few milliseconds.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}
