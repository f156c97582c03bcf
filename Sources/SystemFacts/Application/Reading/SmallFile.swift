// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Reads small regular files whose names and contents others have written.
///
/// A path is looked at before it is opened (`O_PATH` of open(2)): pipes, sockets and devices are never opened, since that
/// may block or act on a device. Symbolic links are followed, out of the tree too: Nix, Guix, GNU Stow and the exports of
/// Flatpak consist of them, and whoever can lay a link into the user's data directories can lay the file itself there.
/// What a link leads to is read as the user that the service runs as and only ever shown as what a metadata file says.
enum SmallFile {
    /// The bytes of a regular file.
    /// - Throws: `missing`, `unreadable`, `tooLarge`; `refused` for a path that is not absolute or holds a NUL.
    static func read(_ path: String, limit: Int) throws(Absence) -> [UInt8] {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Absence(.refused, "the path is not absolute, or holds a NUL")
        }
        let place = OpenFile(open(path, Int32(CLINUX_O_PATH) | O_CLOEXEC))
        guard place.isOpen, let status = place.status else { throw failure(place.error, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Absence(.unreadable, "it is not a regular file", path: path)
        }
        guard status.st_size <= limit else { throw tooLarge(limit, path) }
        // The same file again, whatever the path leads to by now.
        let file = OpenFile(open("/proc/self/fd/\(place.number)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        guard file.isOpen else { throw failure(file.error, path) }
        return try contents(of: file, expecting: Int(status.st_size), limit: limit, path: path)
    }

    /// The text of a regular file.
    /// - Throws: as ``read(_:limit:)``, and `damaged` where it is not UTF-8 or holds a NUL.
    static func readText(_ path: String, limit: Int) throws(Absence) -> String {
        let bytes = try read(path, limit: limit)
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw Absence(.damaged, "it is not UTF-8 text", path: path)
        }
        return text
    }

    /// Whether a path leads to a regular file, which is not opened.
    static func isRegular(_ path: String) -> Bool {
        FileIdentity(of: path)?.isRegular ?? false
    }

    private static func contents(
        of file: borrowing OpenFile, expecting size: Int, limit: Int, path: String
    ) throws(Absence) -> [UInt8] {
        var bytes: [UInt8] = []
        // Files of /proc have the size 0.
        var chunk = [UInt8](repeating: 0, count: min(max(size, 4096), 64 << 10))
        bytes.reserveCapacity(size)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, path) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw tooLarge(limit, path) }
            bytes += chunk.prefix(count)
        }
    }

    private static func failure(_ error: Int32, _ path: String) -> Absence {
        switch error {
        case ENOENT, ENOTDIR, ENAMETOOLONG:
            Absence(.missing, "there is no such file", path: path)
        case EACCES, EPERM:
            Absence(.unreadable, "it may not be read", path: path)
        case ELOOP:
            Absence(.unreadable, "its links lead in a circle", path: path)
        default:
            Absence(.unreadable, "it cannot be read (error \(error))", path: path)
        }
    }

    private static func tooLarge(_ limit: Int, _ path: String) -> Absence {
        Absence(.tooLarge, "it has more than \(limit) bytes", path: path)
    }
}
