// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A new directory that only this user can enter.
struct TemporaryDirectory {
    /// Its absolute path.
    let path: String

    private let cleanup: Cleanup

    /// Makes the directory in the system's place for temporary files.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    init(cleanup: Cleanup) throws {
        self.cleanup = cleanup
        path = try cleanup.adoptDirectory {
            let pattern = FileManager.default.temporaryDirectory.appendingPathComponent("sentinel-benchmark-XXXXXX")
            var bytes = Array(pattern.path.utf8CString)
            guard mkdtemp(&bytes) != nil else {
                throw BenchmarkError(
                    code: .system, message: "cannot make a temporary directory: \(String(cString: strerror(errno)))")
            }
            return String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Removes the directory with its contents.
    func remove() {
        cleanup.removeDirectory(path)
    }

    /// Returns the path of an entry.
    func path(of name: String) -> String {
        path + "/" + name
    }
}
