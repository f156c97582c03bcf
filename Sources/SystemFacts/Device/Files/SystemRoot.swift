// SPDX-License-Identifier: MIT

import Glibc

/// The files below a root directory: the system's own, or a test's.
struct SystemRoot: Sendable {
    /// Why a file gave nothing.
    struct Problem: Error {
        /// The system's error number; 0 for one of our own.
        let code: Int32
        /// The file and what is wrong, for a person.
        let text: String

        init(_ path: String, code: Int32) {
            self.code = code
            text = "\(path): " + (strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }

        init(_ path: String, _ text: String) {
            code = 0
            self.text = "\(path): \(text)"
        }

        /// Whether there is no such file.
        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    }

    /// The most names that are taken from a directory.
    private static let mostNames = 1024

    private let prefix: String

    init(_ path: String) {
        prefix = path == "/" ? "" : path
    }

    /// Whether this is the system's own root.
    var isSystem: Bool { prefix.isEmpty }

    /// Reads the first `limit` bytes of a regular file; what is not UTF-8 becomes U+FFFD.
    ///
    /// - Throws: ``Problem`` if it cannot be read or is no regular file.
    func read(_ path: String, limit: Int = 4096) throws(Problem) -> String {
        do throws(SystemFailure) {
            let file = try OwnedDescriptor(
                path: prefix + path, below: AT_FDCWD, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            if try file.status.isRegular {
                return String(decoding: try file.read(limit: limit).bytes, as: UTF8.self)
            }
        } catch {
            throw Problem(path, code: error.code)
        }
        throw Problem(path, "not a regular file")
    }

    /// Opens a directory as a place to start paths from, so that it stays the same one.
    func directory(_ path: String) throws(SystemFailure) -> OwnedDescriptor {
        try OwnedDescriptor(directory: prefix + path)
    }

    /// The first line of a file as a fact; the device tree's texts end with a NUL.
    func line(_ path: String) -> DeviceFact<String> {
        text(path) { FactText.fact($0, from: path) }
    }

    /// The first line of a file that a maker has filled in, as a fact.
    func firmwareLine(_ path: String) -> DeviceFact<String> {
        text(path) { FactText.firmwareFact($0, from: path) }
    }

    /// The first line of a small file without blanks; nil if it cannot be read or is empty.
    func word(_ path: String) -> String? {
        line(path).value
    }

    /// A whole number in a file; nil if there is none.
    func number(_ path: String) -> Int64? {
        word(path).flatMap { Int64($0) }
    }

    /// Whether something is at a path, whatever it is; false also if nobody may look.
    func exists(_ path: String) -> Bool {
        access(prefix + path, F_OK) == 0
    }

    /// Where a symbolic link points.
    ///
    /// - Throws: ``Problem`` if it is no link or cannot be read.
    func target(ofLink path: String) throws(Problem) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(prefix + path, &bytes, bytes.count)
        guard count >= 0 else { throw Problem(path, code: errno) }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The names in a directory, sorted.
    ///
    /// - Throws: ``Problem`` if it cannot be listed.
    func names(in path: String) throws(Problem) -> [String] {
        do {
            return try DirectoryListing.readNames(in: prefix + path, limit: Self.mostNames).filter {
                !$0.utf8.starts(with: ".".utf8)
            }
        } catch {
            throw Problem(path, code: error.code)
        }
    }

    private func text(_ path: String, _ body: (String) -> DeviceFact<String>) -> DeviceFact<String> {
        do throws(Problem) {
            let line = try read(path).utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
            return body(String(Substring(line)))
        } catch {
            return .unknown(error.text)
        }
    }
}
