// SPDX-License-Identifier: MIT

import Glibc

/// The path of a database file in the form in which SQLite is given it.
struct DatabasePath {
    /// Absolute, its directory without symbolic links. `SQLITE_OPEN_NOFOLLOW` refuses a link anywhere in the path, also
    /// one that belongs to the system (`/home` → `/var/home`); what is to be refused is a link in the file's place.
    let resolved: String

    init(_ path: String) throws(SQLiteError) {
        // SQLite would cut the path there.
        guard !path.utf8.contains(0) else {
            throw SQLiteError(code: .cannotOpen, message: "the path of a database must not hold NUL", path: path)
        }
        var directory = "."
        var name = path[...]
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            directory = slash == path.startIndex ? "/" : String(path[..<slash])
            name = path[path.utf8.index(after: slash)...]
        }
        guard !name.isEmpty, name != ".", name != ".." else {
            throw SQLiteError(code: .cannotOpen, message: "the path of a database must end in a file name", path: path)
        }
        guard let real = realpath(directory, nil) else {
            let number = errno
            throw SQLiteError(
                code: .cannotOpen, message: "unable to open the directory: \(String(cString: strerror(number)))",
                path: path, systemErrorNumber: number)
        }
        defer { free(real) }
        let parent = String(cString: real)
        resolved = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    /// The path as a URI that marks the file as immutable (<https://www.sqlite.org/uri.html>).
    var immutableURI: String {
        var text = "file:"
        let digits = Array("0123456789ABCDEF")
        for byte in resolved.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 0xF)])"
            }
        }
        return text + "?immutable=1"
    }

    /// Creates the file, empty and for its owner alone, unless there is something. SQLite takes an empty file for a new
    /// database and gives its journals the same mode; by itself it would create it readable by all.
    func createFile() throws(SQLiteError) {
        let descriptor = open(resolved, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        let number = errno
        guard number == EEXIST else {
            throw SQLiteError(
                code: .cannotOpen, message: "unable to create the database: \(String(cString: strerror(number)))",
                path: resolved, systemErrorNumber: number)
        }
    }
}
