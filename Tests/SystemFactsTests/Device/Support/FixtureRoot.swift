// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport

/// A directory that stands for `/`, with the files of some machine.
final class FixtureRoot: Sendable {
    private let directory: TemporaryDirectory

    /// Writes files, and symbolic links where the text begins with `->`.
    init(_ files: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        for (path, text) in files {
            try write(path, text)
        }
    }

    var path: String { directory.path }

    func write(_ path: String, _ text: String) throws {
        if text.hasPrefix("->") {
            try prepare(path)
            try FileManager.default.createSymbolicLink(
                atPath: self.path + path, withDestinationPath: String(text.dropFirst(2)))
        } else {
            try write(path, Array(text.utf8))
        }
    }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        try prepare(path)
        try Data(bytes).write(to: URL(fileURLWithPath: self.path + path))
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: self.path + path)
    }

    /// Reads the files with an environment of its own. The files stay as long as somebody reads them.
    func files(
        _ environment: [String: String] = [:],
        kernel: KernelIdentity = KernelIdentity(release: "6.1.0-18-amd64", version: "#1 SMP", machine: "x86_64")
    ) -> DeviceFiles {
        DeviceFiles(
            root: path, environment: { name in withExtendedLifetime(self) { environment[name] } }, kernel: kernel)
    }

    private func prepare(_ path: String) throws {
        let parent = URL(fileURLWithPath: self.path + path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }
}
