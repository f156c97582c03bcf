// SPDX-License-Identifier: MIT

import DBus
import Glibc

/// A directory that is watched, and what is looked for in it (inotify(7)).
struct WatchedPlace: Hashable {
    /// What stands for the directory.
    let number: Int32
    /// The name of an entry; empty for all.
    let name: FilePath

    /// What changes a directory's files: they are replaced, written and closed, linked, removed, made readable.
    private static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR | IN_EXCL_UNLINK)
    /// So many links are followed that lead to each other, as the kernel does it.
    private static let mostLinks = 40
    /// So many directories are watched that are there: one of them may be moved away with all below.
    private static let depth = 3

    /// Watches what a path leads to, and each link on the way. Blocks as long as the file system does.
    static func watch(_ path: String, with descriptor: FileDescriptor) -> Set<WatchedPlace> {
        var places: Set<WatchedPlace> = []
        var next: String? = path
        for _ in 0...mostLinks {
            guard let path = next, watch(path, &places, with: descriptor), let link = firstLink(on: path),
                watch(link.directory, for: link.name, &places, with: descriptor)
            else { break }
            next = link.destination
        }
        return places
    }

    /// Watches a directory for an entry, or for all, and what is above it up to so many directories that are there.
    ///
    /// - Returns: whether the system still watches more.
    private static func watch(
        _ path: String, for entry: String = "", _ places: inout Set<WatchedPlace>, with descriptor: FileDescriptor
    ) -> Bool {
        var (place, name) = (path, entry)
        var present = 0
        while present < depth {
            let number = inotify_add_watch(descriptor.rawValue, place.isEmpty ? "/" : place, mask)
            if number >= 0 {
                present += 1
                places.insert(WatchedPlace(number: number, name: FilePath(name)))
            } else if errno == ENOSPC || errno == ENOMEM {
                return false
            }
            guard !place.isEmpty, let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
            name = String(place[place.utf8.index(after: slash)...])
            place = String(place[..<slash])
        }
        return true
    }

    /// The first link on a path, and where the path leads to by it; nil where there is none.
    private static func firstLink(
        on path: String
    ) -> (directory: String, name: String, destination: String)? {
        var end = path.utf8.startIndex
        while end < path.utf8.endIndex {
            let start = end
            let next = path.utf8.index(after: end)
            end = path.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
            if let target = target(of: String(path[..<end])) {
                return (String(path[..<start]), String(path[next..<end]), "\(target)\(path[end...])")
            }
        }
        return nil
    }

    /// What a link leads to; nil where there is none.
    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0, count < buffer.count,
            let target = String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        else { return nil }
        guard target.utf8.first != UInt8(ascii: "/") else { return target }
        return link.utf8.lastIndex(of: UInt8(ascii: "/")).map { "\(link[...$0])\(target)" }
    }
}
