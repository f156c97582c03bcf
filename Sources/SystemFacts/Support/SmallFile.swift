// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Reads small regular files whose names and contents others have written.
///
/// A path is looked at before it is opened (`O_PATH` of open(2)): pipes, sockets and devices are never opened, since that
/// may block or act on a device. Symbolic links are followed, out of the tree too: Nix, Guix, GNU Stow and the exports of
/// Flatpak consist of them, and whoever can lay a link into the user's data directories can lay the file itself there.
/// What a link leads to is read as the user that the service runs as and only ever shown as what a metadata file says.
public enum SmallFile {
    private enum Contents {
        case bytes([UInt8])
        case tooLarge
        case notRegular
    }

    /// The bytes of a regular file.
    ///
    /// - Throws: `absent`, `denied`, `failed`, `tooLarge`; `refused` for a path that is not absolute or holds a NUL.
    public static func read(_ path: String, limit: Int) throws(FactError) -> [UInt8] {
        guard path.begins(with: "/"), !path.utf8.contains(0) else {
            throw FactError(.refused, "the path is not absolute, or holds a NUL")
        }
        let contents: Contents
        do {
            contents = try Self.contents(path, limit: limit)
        } catch {
            throw error.factError(for: path)
        }
        switch contents {
        case .bytes(let bytes): return bytes
        case .tooLarge: throw FactError(.tooLarge, "it has more than \(limit) bytes", path: path)
        case .notRegular: throw FactError(.failed, "it is not a regular file", path: path)
        }
    }

    /// The text of a regular file.
    /// - Throws: as ``read(_:limit:)``, and `malformed` where it is not UTF-8 or holds a NUL.
    static func readText(_ path: String, limit: Int) throws(FactError) -> String {
        let bytes = try read(path, limit: limit)
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw FactError(.malformed, "it is not UTF-8 text", path: path)
        }
        return text
    }

    /// Whether a path leads to a regular file, which is not opened.
    static func isRegular(_ path: String) -> Bool {
        FileIdentity(of: path)?.isRegular ?? false
    }

    private static func contents(_ path: String, limit: Int) throws(SystemFailure) -> Contents {
        let place = try OwnedDescriptor(path: path, below: AT_FDCWD, flags: Int32(CLINUX_O_PATH))
        let status = try place.status
        guard status.isRegular else { return .notRegular }
        guard status.st_size <= limit else { return .tooLarge }
        // The same file again, whatever the path leads to by now.
        let file = try OwnedDescriptor(
            path: "/proc/self/fd/\(place.number)", below: AT_FDCWD, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let (bytes, isComplete) = try file.read(limit: limit, expecting: Int(status.st_size))
        return isComplete ? .bytes(bytes) : .tooLarge
    }
}
