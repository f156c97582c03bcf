// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport

/// A temporary tree of files.
struct FileTree {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Absolute path of something in the tree.
    func path(_ name: String) -> String {
        directory.path(of: name)
    }

    /// Writes a file, making the directories above it.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let place = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: place)
        return place.path
    }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a symbolic link, and the directories above it.
    func link(_ name: String, to destination: String) throws {
        try makeDirectory((name as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
    }

    func makePipe(_ name: String) throws {
        try makeDirectory((name as NSString).deletingLastPathComponent)
        guard mkfifo(path(name), 0o600) == 0 else { throw TestSupportError("cannot make a pipe") }
    }

    /// A user's and a system's data directory in the tree, `home` and `system`.
    var dataDirectories: DataDirectories {
        DataDirectories(paths: [path("home"), path("system")])
    }
}
