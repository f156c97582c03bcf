// SPDX-License-Identifier: MIT

import Glibc

/// Names of the entries of directories.
enum DirectoryListing {
    /// The names in a directory but `.` and `..`, sorted by their bytes; none where it cannot be read.
    ///
    /// Names that are not UTF-8 are left out: no id or locale has one.
    /// - Parameter limit: how many entries are looked at.
    static func names(in path: String, limit: Int) -> [String] {
        do {
            return try readNames(in: path, limit: limit)
        } catch {
            return []
        }
    }

    /// The same, with the reason where it cannot be read.
    static func readNames(in path: String, limit: Int) throws(SystemFailure) -> [String] {
        guard !path.utf8.contains(0) else { throw SystemFailure(code: ENOENT) }
        // With O_DIRECTORY anything else fails before it is opened.
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure.current }
        guard let stream = fdopendir(number) else {
            let failure = SystemFailure.current
            close(number)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        var count = 0
        while count < limit, let entry = readdir(stream) {
            count += 1
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." {
                names.append(name)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
