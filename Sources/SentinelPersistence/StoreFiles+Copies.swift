// SPDX-License-Identifier: MIT

import Glibc
import SentinelModels

extension StoreFiles {
    /// How long copies are kept: a week, in microseconds.
    static let copyLifetime: Int64 = 7 * 86_400 * 1_000_000

    /// Names of copies after the database's own: what was set aside as damaged, and what was saved before a migration.
    /// A time follows, of when it was made.
    private static let copyMarks = [".damaged-", ".schema-"]

    /// Size of the database with its journal files.
    var byteCount: Int {
        Self.size(of: ["", "-wal", "-shm", "-journal"].map { database + $0 })
    }

    /// Size of the copies of the database.
    var copyByteCount: Int {
        Self.size(of: countableCopies.map(\.path))
    }

    private static func size(of paths: [String]) -> Int {
        var total = 0
        for path in paths {
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                total += Int(status.st_size)
            }
        }
        return total
    }

    /// Removes all copies of the database.
    func removeCopies() throws(SentinelError) {
        try remove(try copies())
    }

    /// Removes the copies that were made more than a week before a time.
    func removeCopies(expiredAt now: Timestamp) throws(SentinelError) {
        let limit = Timestamp(clamping: now.microseconds - Self.copyLifetime)
        // Their names hold the date in a form that sorts by time.
        let bound = Array(limit.fileNameComponent.utf8)
        try remove(try copies().filter { $0.date.lexicographicallyPrecedes(bound) })
    }

    /// When the oldest copy is old enough to be removed; nil without any.
    var nextCopyExpiry: Timestamp? {
        let oldest = countableCopies.map(\.date).min { $0.lexicographicallyPrecedes($1) }
        // A second later, since a copy stays that was made within the second of the limit.
        return oldest.map { Timestamp(clamping: Self.time(of: $0) + Self.copyLifetime + 1_000_000) }
    }

    private typealias Copy = (path: String, date: [UInt8])

    /// The copies, as far as they can be seen; what keeps them from being removed is said then.
    private var countableCopies: [Copy] {
        do throws(SentinelError) {
            return try copies()
        } catch {
            return []
        }
    }

    /// The files of copies, journals included. Directories that were in the database's place are none.
    ///
    /// - Throws: what keeps them from being found: it does not say that there are none.
    private func copies() throws(SentinelError) -> [Copy] {
        guard let stream = opendir(directory) else {
            guard errno == ENOENT else { throw unseenCopies(errno) }
            return []
        }
        defer { closedir(stream) }
        var found: [Copy] = []
        while let entry = try next(in: stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = "\(directory)/\(name)"
            guard let date = Self.dateOfCopy(Array(path.utf8), of: Array(database.utf8)) else { continue }
            var status = stat()
            guard lstat(path, &status) == 0 else {
                guard errno == ENOENT else { throw unseenCopies(errno) }
                continue
            }
            if status.st_mode & S_IFMT == S_IFREG {
                found.append((path, date))
            }
        }
        return found
    }

    private func next(in stream: OpaquePointer) throws(SentinelError) -> UnsafeMutablePointer<dirent>? {
        // readdir(3) tells its end from a failure by this alone.
        errno = 0
        if let entry = readdir(stream) { return entry }
        guard errno == 0 else { throw unseenCopies(errno) }
        return nil
    }

    private func unseenCopies(_ number: Int32) -> SentinelError {
        SentinelError(systemError: number, "copies of the database in \(directory) cannot be looked for")
    }

    private static func dateOfCopy(_ path: [UInt8], of database: [UInt8]) -> [UInt8]? {
        guard path.starts(with: database) else { return nil }
        let rest = path.dropFirst(database.count)
        guard copyMarks.contains(where: { rest.starts(with: $0.utf8) }) else { return nil }
        // A date as `fileNameComponent` writes it, after the last hyphen that is not one of its own.
        let length = Timestamp.earliest.fileNameComponent.utf8.count
        for start in rest.indices where rest[start...].count >= length {
            let candidate = Array(rest[start..<(start + length)])
            if isDate(candidate) { return candidate }
        }
        return nil
    }

    /// What a date as `fileNameComponent` writes it stands for, in microseconds since the epoch.
    private static func time(of date: [UInt8]) -> Int64 {
        let numbers = date.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { digits in
            digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
        }
        guard numbers.count == 6 else { return 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return Int64(timegm(&parts)) * 1_000_000
    }

    private static func isDate(_ text: [UInt8]) -> Bool {
        zip(text, "0000-00-00T00-00-00Z".utf8).allSatisfy { byte, form in
            form == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == form
        }
    }

    private func remove(_ copies: [Copy]) throws(SentinelError) {
        for copy in copies where unlink(copy.path) != 0 && errno != ENOENT {
            throw SentinelError(systemError: errno, "the copy \(copy.path) cannot be removed")
        }
        if !copies.isEmpty {
            Self.synchronize(directory)
        }
    }
}
