// SPDX-License-Identifier: MIT

import Glibc
import SystemFacts

/// The pictures in a folder at some moment.
struct PictureListing: Sendable {
    /// The pictures by name; nil where there is no folder.
    let pictures: [[UInt8]: FileState]?
    /// When the folder was looked at, as file systems tell the time: nanoseconds since the Unix epoch.
    let time: Int64

    /// Looks at a folder.
    init(of path: String) {
        time = FileState.now()
        guard let stream = opendir(path) else {
            pictures = nil
            return
        }
        defer { closedir(stream) }
        var found: [[UInt8]: FileState] = [:]
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                    guard ScreenshotFolder.isPicture(name: String(cString: name)),
                        let state = FileState(of: name, in: dirfd(stream)), state.isRegular
                    else { return }
                    found[Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))] = state
                }
            }
        }
        pictures = found
    }
}

/// Tells which pictures of a folder are new. Those that were there at first are not, nor is one that was renamed, that has
/// got another name beside the one it had, or that came with a folder and was there before that was last looked for.
struct PictureFolder {
    private var earlier: PictureListing?
    /// The pictures that are not new any more, or never were.
    private var known: Set<[UInt8]> = []

    /// Takes in what is there now.
    ///
    /// - Returns: whether there is a new picture.
    mutating func take(_ listing: PictureListing) -> Bool {
        defer { earlier = listing }
        guard let pictures = listing.pictures else {
            known = []
            return false
        }
        known.formIntersection(pictures.keys)
        let contents = Set((earlier?.pictures ?? [:]).values.filter { !$0.isEmpty }.map(\.content))
        var hasNew = false
        for (name, state) in pictures where !known.contains(name) {
            if isOld(state) || contents.contains(state.content) {
                known.insert(name)
            } else if !state.isEmpty {
                // Until something is in it, somebody is still about to write it.
                known.insert(name)
                hasNew = true
            }
        }
        return hasNew
    }

    /// Whether a picture was there before anybody could look for it.
    private func isOld(_ state: FileState) -> Bool {
        guard let earlier else { return true }
        return earlier.pictures == nil && !state.hasChanged(since: earlier.time)
    }
}
