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
        let descriptor = open(prefix + path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem(path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Problem(path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Problem(path, "not a regular file") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Problem(path, code: errno) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
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
        guard let directory = opendir(prefix + path) else { throw Problem(path, code: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < Self.mostNames, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.utf8.starts(with: ".".utf8) {
                names.append(name)
            }
        }
        return names.sorted()
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
