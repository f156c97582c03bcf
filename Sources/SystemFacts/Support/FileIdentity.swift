// SPDX-License-Identifier: MIT

import Glibc

/// What makes a file that one under all its names: device and inode number (inode(7)).
struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt
    private let type: UInt32

    /// The file that a path leads to, links followed; nil where it leads to none.
    init?(of path: String) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        type = status.st_mode & S_IFMT
    }

    /// Whether there is something of that name, if only a link that leads to nothing.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return !path.utf8.contains(0) && lstat(path, &status) == 0
    }

    var isRegular: Bool { type == S_IFREG }
    var isDirectory: Bool { type == S_IFDIR }
}
