// SPDX-License-Identifier: MIT

import Glibc
import SentinelModels

/// The files of a store in its directory.
struct StoreFiles: Sendable {
    /// What is in the database's place.
    enum Finding: Equatable {
        /// Nothing, or an empty file that was never written.
        case new
        /// A file. `wasClosed` is false where the log of a process that ended early is there as well.
        case database(wasClosed: Bool)
        /// Something that cannot be opened as a database, or only at the cost of what is in its journal.
        case damage(String)
    }

    let directory: String

    var database: String { "\(directory)/sentinel.db" }

    /// What SQLite appends to a database's path for the files beside it.
    private static let companions = ["-wal", "-shm", "-journal"]

    init(directory: String) {
        var path = directory[...]
        // lstat(2) follows a link that has a slash behind it.
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
            path.removeLast()
        }
        self.directory = String(path)
    }

    /// Creates the directory with its parents, or makes sure that the one that is there is fit and for its owner alone.
    func prepareDirectory() throws(SentinelError) {
        guard !directory.isEmpty, !directory.utf8.contains(0) else {
            throw SentinelError(.unavailable, "the data directory has no usable path")
        }
        try Self.createDirectory(directory)
        guard let status = try Self.status(of: directory) else {
            throw SentinelError(.unavailable, "the data directory \(directory) was removed while it was opened")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw SentinelError(
                .unavailable, "\(directory) is not a directory, and a symbolic link is not followed: remove it")
        }
        try Self.makePrivate(directory, status, mode: 0o700)
    }

    /// Looks at what is in the database's place, before SQLite does.
    func inspect() throws(SentinelError) -> Finding {
        let hasJournal = try Self.hasContent(database + "-wal", database + "-journal")
        guard let status = try Self.status(of: database) else {
            return hasJournal ? .damage("the database is missing, its journal is there") : .new
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            try Self.makePrivate(database, status, mode: 0o600)
            for suffix in Self.companions {
                if let status = try Self.status(of: database + suffix), status.st_mode & S_IFMT == S_IFREG {
                    try Self.makePrivate(database + suffix, status, mode: 0o600)
                }
            }
        case S_IFLNK:
            throw SentinelError(.unavailable, "\(database) is a symbolic link, which is not followed: remove it")
        default:
            return .damage("what is in the database's place is not a file")
        }
        if status.st_size == 0 {
            // SQLite would delete the journal of an empty database.
            return hasJournal ? .damage("the database is empty, its journal is not") : .new
        }
        return .database(wasClosed: !hasJournal)
    }

    /// Whether the write-ahead log holds anything.
    func hasLog() throws(SentinelError) -> Bool {
        try Self.hasContent(database + "-wal")
    }

    /// Moves the database, with the files beside it, to a name with the date.
    ///
    /// - Returns: the database's new path.
    func setAside(at time: Timestamp) throws(SentinelError) -> String {
        let target = try unusedPath("damaged-\(time.fileNameComponent)")
        for suffix in [""] + Self.companions {
            guard rename(database + suffix, target + suffix) == 0 || errno == ENOENT else {
                throw SentinelError(systemError: errno, "the damaged database \(database) cannot be set aside")
            }
        }
        Self.synchronize(directory)
        return target
    }

    /// A path for a copy of the database before its schema changes.
    func backupPath(ofSchema version: Int, at time: Timestamp) throws(SentinelError) -> String {
        try unusedPath("schema-\(version)-\(time.fileNameComponent)")
    }

    private func unusedPath(_ suffix: String) throws(SentinelError) -> String {
        var path = "\(database).\(suffix)"
        var number = 1
        while try Self.exists(path, path + "-wal", path + "-shm", path + "-journal") {
            number += 1
            path = "\(database).\(suffix).\(number)"
        }
        return path
    }
}

extension StoreFiles {
    /// Whether one of these files holds anything.
    static func hasContent(_ paths: String...) throws(SentinelError) -> Bool {
        for path in paths {
            if let status = try status(of: path), status.st_size > 0 { return true }
        }
        return false
    }

    private static func exists(_ paths: String...) throws(SentinelError) -> Bool {
        for path in paths where try status(of: path) != nil { return true }
        return false
    }

    /// Status of what is at a path, links not followed; nil where nothing is.
    private static func status(of path: String) throws(SentinelError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let number = errno
            guard number == ENOENT else {
                throw SentinelError(systemError: number, "\(path) cannot be looked at")
            }
            return nil
        }
        return status
    }

    private static func createDirectory(_ path: String) throws(SentinelError) {
        if mkdir(path, 0o700) == 0 {
            synchronize(parent(of: path))
            return
        }
        switch errno {
        case EEXIST:
            return
        case ENOENT where parent(of: path) != path:
            try createDirectory(parent(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw SentinelError(systemError: errno, "the directory \(path) cannot be created")
            }
            synchronize(parent(of: path))
        case let number:
            throw SentinelError(systemError: number, "the directory \(path) cannot be created")
        }
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes sure that a file belongs to this user, and takes others' permissions away.
    private static func makePrivate(_ path: String, _ status: stat, mode: mode_t) throws(SentinelError) {
        guard status.st_uid == geteuid() else {
            throw SentinelError(.unavailable, "\(path) belongs to another user")
        }
        // A read-only file system cannot change it, and nobody but its owner could have made it so.
        guard status.st_mode & 0o077 == 0 || chmod(path, mode) == 0 || errno == EROFS else {
            throw SentinelError(systemError: errno, "\(path) cannot be made private")
        }
    }

    /// Makes the names in a directory durable. File systems that cannot do this on its own do it with the next commit,
    /// so that a failure changes nothing.
    static func synchronize(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }
}
