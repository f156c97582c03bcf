// SPDX-License-Identifier: MIT

import Foundation

/// A new directory of its own that goes, with all that is in it, when the last reference to it does.
public final class TemporaryDirectory: Sendable {
    /// Where the directory is; short enough for sockets in it (`unix(7)` allows 107 bytes).
    public let path: String

    /// Makes the directory, readable by the user alone.
    ///
    /// - Throws: ``TestSupportError`` if it cannot be made.
    public init() throws {
        var template = Array("/tmp/sentinel-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw TestSupportError("cannot make a temporary directory: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit {
        remove()
    }

    /// The path of something in the directory.
    public func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    /// Removes the directory now.
    public func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // It is gone already, or the machine's clean-up sees to it.
        }
    }
}
