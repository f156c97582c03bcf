// SPDX-License-Identifier: MIT

import Foundation

/// A temporary tree of files.
public struct FileTree: Sendable {
    /// Where the tree is; it goes with the last reference to this.
    public let directory: TemporaryDirectory

    /// Makes an empty tree.
    public init() throws {
        directory = try TemporaryDirectory()
    }

    /// Absolute path of something in the tree.
    public func path(_ name: String) -> String {
        directory.path(of: name)
    }

    /// Writes a file, making the directories above it.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    /// Writes a file of any bytes.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let place = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: place)
        return place.path
    }

    /// Makes a directory, and those above it.
    public func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a symbolic link, and the directories above it.
    public func link(_ name: String, to destination: String) throws {
        try makeDirectory((name as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
    }

    /// Makes a named pipe.
    public func makePipe(_ name: String) throws {
        try makeDirectory((name as NSString).deletingLastPathComponent)
        guard mkfifo(path(name), 0o600) == 0 else { throw TestSupportError("cannot make a pipe") }
    }
}
