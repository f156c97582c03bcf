// SPDX-License-Identifier: MIT

import Glibc

/// What has happened to entries of directories, and to directories as a whole.
struct WatchEvents {
    /// What concerns the watched directory as a whole.
    private static let ownEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW)

    /// Entries other than directories that were changed, moved or removed.
    var changed: Set<WatchedPlace> = []
    /// Directories that were made, changed, moved or removed.
    var directories: Set<WatchedPlace> = []
    /// The files that are being made.
    var made: Set<WatchedPlace> = []
    /// The directories as a whole; -1 where events were lost.
    var whole: Set<Int32> = []

    /// What stands for the directories that something has happened in.
    var numbers: Set<Int32> { whole.union(changed.union(directories).union(made).map(\.number)) }

    /// Takes in events as the kernel writes them.
    mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        // A descriptor, a mask, a cookie, and the length of the name that follows.
        let headerSize = 16
        var offset = 0
        while offset + headerSize <= bytes.count {
            let number = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(offset + headerSize + length, bytes.count)
            let name = String(decoding: bytes[offset + headerSize..<end].prefix { $0 != 0 }, as: UTF8.self)
            offset = end
            let places = [FilePath(name), FilePath("")].map { WatchedPlace(number: number, name: $0) }
            if mask & Self.ownEvents != 0 {
                whole.insert(number)
            } else if mask & UInt32(IN_ISDIR) != 0 {
                directories.formUnion(places)
            } else if mask & UInt32(IN_CREATE) != 0 {
                made.formUnion(places)
            } else {
                changed.formUnion(places)
            }
        }
    }
}
