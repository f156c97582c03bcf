// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A root directory with some programs and what they need, as a sandbox has one; chroot(2) is root's alone.
final class Confinement: Sendable {
    private let directory: TemporaryDirectory

    /// Makes the directory.
    ///
    /// - Parameter programs: programs to take in, looked up in the usual places.
    init(programs: [String]) throws {
        directory = try TemporaryDirectory()
        for program in programs {
            let path = try Self.find(program)
            try copy(path, to: "/bin/\(program)")
            for library in try Self.libraries(of: path) {
                try copy(library, to: library)
            }
        }
    }

    /// Where Flatpak has what it says of a sandbox.
    var info: String { directory.path(of: ".flatpak-info") }

    /// Writes a file into the root.
    func writeInfo(_ text: String, to name: String = ".flatpak-info") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path(of: name)))
    }

    /// Puts a pipe in the file's place, of which a reader would wait for a writer.
    func makePipe() throws {
        guard mkfifo(info, 0o600) == 0 else { throw TestSupportError("cannot make a pipe") }
    }

    /// Makes the socket of a bus reachable from inside, as `/bus`.
    func link(_ bus: PrivateBus) throws {
        try FileManager.default.linkItem(atPath: bus.directory.path(of: "bus"), toPath: directory.path(of: "bus"))
    }

    /// Starts one of the programs, and waits until it is inside.
    func start(_ arguments: [String]) async throws -> ChildProcess {
        let process = try ChildProcess(self.arguments(arguments))
        let root = URL(fileURLWithPath: "/proc/\(process.identifier)/root")
        try await waitUntil("\(arguments[0]) is confined") {
            root.resolvingSymlinksInPath().path == directory.path
        }
        return process
    }

    /// The command line that runs one of the programs inside.
    func arguments(_ arguments: [String]) -> [String] {
        ["chroot", directory.path, "/bin/\(arguments[0])"] + arguments.dropFirst()
    }

    private func copy(_ source: String, to path: String) throws {
        let target = URL(fileURLWithPath: directory.path + path)
        guard !FileManager.default.fileExists(atPath: target.path) else { return }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        let original = URL(fileURLWithPath: source).resolvingSymlinksInPath()
        try FileManager.default.copyItem(at: original, to: target)
    }

    private static func find(_ program: String) throws -> String {
        for directory in ["/usr/bin", "/bin", "/usr/local/bin"] where access("\(directory)/\(program)", X_OK) == 0 {
            return "\(directory)/\(program)"
        }
        throw TestSupportError("there is no \(program)")
    }

    /// The libraries that a program is linked with, the loader included.
    private static func libraries(of program: String) throws -> [String] {
        let process = try ChildProcess(["ldd", program])
        try process.waitForEnd()
        return process.output.matches(of: /(\/[^ ]+) \(0x/).map { String($0.output.1) }
    }
}
