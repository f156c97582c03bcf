// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc

/// Tells that something has changed in directories, also in ones that are not there yet: then those above them are
/// watched (inotify(7)). Nothing is polled.
///
/// Confined to the loop's thread.
final class DirectoryWatch: @unchecked Sendable {
    /// What changes a directory's files: they are replaced, written and closed, linked, removed, made readable.
    private static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR | IN_EXCL_UNLINK)
    /// What concerns the watched directory as a whole.
    private static let ownEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW)

    /// So often is a path looked at again that is just being made.
    private static let mostRounds = 16

    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private let changed: @Sendable () -> Void
    private var watch: DescriptorWatch?
    private var wanted: [String] = []
    /// What is looked for in each directory that is watched: names of entries, nil for all.
    private var places: [Int32: Set<String>?] = [:]

    /// Begins to watch nothing; `changed` is called on the loop's thread for every gathering of changes.
    ///
    /// - Throws: code `unavailable` where the system gives no descriptor.
    init(on loop: EventLoop, changed: @escaping @Sendable () -> Void) throws(DBusError) {
        let number = inotify_init1(Int32(CLINUX_INOTIFY_FLAGS))
        guard number >= 0 else { throw DBusError(.failed, "directories cannot be watched: error \(errno)") }
        self.loop = loop
        descriptor = FileDescriptor(owning: number)
        self.changed = changed
        watch = loop.watch(readable: number) { [weak self] in self?.takeEvents() }
    }

    /// Ends the watch; on the loop's thread, before the last reference goes.
    func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// Watches directories, in place of those before.
    ///
    /// - Parameter paths: absolute ones without a slash at the end.
    /// - Returns: those that cannot be watched, and neither can those above them.
    @discardableResult
    func set(_ paths: [String]) -> [String] {
        wanted = paths
        return renew()
    }

    /// Adds what is there by now and lets go of what is no more watched.
    @discardableResult
    private func renew() -> [String] {
        var failed: [String] = []
        var found: [Int32: Set<String>?] = [:]
        for path in wanted {
            if !add(path, to: &found) {
                failed.append(path)
            }
        }
        for number in places.keys where found[number] == nil {
            _ = inotify_rm_watch(descriptor.rawValue, number)
        }
        places = found
        return failed
    }

    /// Watches a directory and all above it up to two that are there: one of them may be moved away with all below.
    private func add(_ path: String, to found: inout [Int32: Set<String>?]) -> Bool {
        var deepest = addOnce(path, to: &found)
        // One that was made after it was looked for, and before what is above it was watched, is told of by nobody.
        // Where that goes on, what is watched by then tells of it.
        for _ in 0..<Self.mostRounds where deepest != nil && deepest != path {
            let next = addOnce(path, to: &found)
            if next == deepest { break }
            deepest = next
        }
        return deepest != nil
    }

    /// - Returns: the deepest place that is watched.
    private func addOnce(_ path: String, to found: inout [Int32: Set<String>?]) -> String? {
        var (place, name) = (path, String?.none)
        var deepest: String?
        var present = 0
        while present < 3 {
            let number = inotify_add_watch(descriptor.rawValue, place.isEmpty ? "/" : place, Self.mask)
            if number >= 0 {
                present += 1
                deepest = deepest ?? place
                if let name, let names = found[number, default: []] {
                    found[number] = .some(names.union([name]))
                } else if name == nil {
                    found[number] = .some(nil)
                }
            } else if errno == ENOSPC || errno == ENOMEM {
                return deepest
            }
            guard !place.isEmpty, let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
            name = String(place[place.utf8.index(after: slash)...])
            place = String(place[..<slash])
        }
        return deepest
    }

    private func takeEvents() {
        var isRelevant = false
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                isRelevant = concerns(UnsafeRawBufferPointer(rebasing: bytes[..<count])) || isRelevant
            }
        }
        guard isRelevant else { return }
        renew()
        changed()
    }

    /// Whether one of the events read concerns what is watched for.
    private func concerns(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A descriptor, a mask, a cookie, and the length of the name that follows.
        let headerSize = 16
        var offset = 0
        while offset + headerSize <= bytes.count {
            let number = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(offset + headerSize + length, bytes.count)
            let name = bytes[offset + headerSize..<end].prefix { $0 != 0 }
            offset = end
            if mask & UInt32(IN_IGNORED) != 0, places[number] == nil { continue }
            if mask & Self.ownEvents != 0 { return true }
            guard let names = places[number] else { continue }
            guard let names else { return true }
            if names.contains(where: { $0.utf8.elementsEqual(name) }) { return true }
        }
        return false
    }
}
