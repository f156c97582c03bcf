// SPDX-License-Identifier: MIT

import CSQLite

extension SQLiteError {
    /// A result code of SQLite (<https://www.sqlite.org/rescode.html>), primary or extended. Negative ones are this
    /// binding's own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number that SQLite's header gives it.
        public let rawValue: Int32

        /// The code of a number, also of one that has no name here.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The code without what extends it.
        public var primary: Code {
            rawValue < 0 ? self : Code(rawValue: rawValue & 0xFF)
        }
    }
}

extension SQLiteError.Code {
    /// A mistake in SQL, or a failure without a code of its own.
    public static let error = Self(rawValue: SQLITE_ERROR)
    /// A defect in SQLite.
    public static let `internal` = Self(rawValue: SQLITE_INTERNAL)
    /// The file's permissions do not allow it.
    public static let permission = Self(rawValue: SQLITE_PERM)
    /// A callback asked to stop.
    public static let abort = Self(rawValue: SQLITE_ABORT)
    /// Another connection holds a lock.
    public static let busy = Self(rawValue: SQLITE_BUSY)
    /// A table is locked within this connection.
    public static let locked = Self(rawValue: SQLITE_LOCKED)
    /// Memory ran out.
    public static let noMemory = Self(rawValue: SQLITE_NOMEM)
    /// The database cannot be written.
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    /// Interrupted from another thread.
    public static let interrupt = Self(rawValue: SQLITE_INTERRUPT)
    /// The system failed to read or write.
    public static let ioError = Self(rawValue: SQLITE_IOERR)
    /// The database is damaged.
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    /// The disk, or the database's page limit, is full.
    public static let full = Self(rawValue: SQLITE_FULL)
    /// The file cannot be opened.
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    /// The schema changed while a statement was prepared.
    public static let schema = Self(rawValue: SQLITE_SCHEMA)
    /// A text or blob is longer than the limit.
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    /// A constraint of the schema is violated.
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    /// A value has another type than the one asked for.
    public static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    /// A call that the interface does not allow, such as one on a closed connection.
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    /// An authorizer refused.
    public static let authorization = Self(rawValue: SQLITE_AUTH)
    /// A column or parameter that does not exist.
    public static let range = Self(rawValue: SQLITE_RANGE)
    /// The file is not a database.
    public static let notADatabase = Self(rawValue: SQLITE_NOTADB)

    /// The path leads through a symbolic link (extends `cannotOpen`).
    public static let cannotOpenSymbolicLink = Self(rawValue: Int32(CSQLITE_CANTOPEN_SYMLINK))
    /// A unique or primary key exists already (extends `constraint`).
    public static let constraintPrimaryKey = Self(rawValue: Int32(CSQLITE_CONSTRAINT_PRIMARYKEY))
    /// A value exists already in a unique column (extends `constraint`).
    public static let constraintUnique = Self(rawValue: Int32(CSQLITE_CONSTRAINT_UNIQUE))
    /// A foreign key leads nowhere (extends `constraint`).
    public static let constraintForeignKey = Self(rawValue: Int32(CSQLITE_CONSTRAINT_FOREIGNKEY))
    /// The file system reports damage (extends `ioError`).
    public static let ioErrorCorruptFileSystem = Self(rawValue: Int32(CSQLITE_IOERR_CORRUPTFS))

    /// The database was written with a newer schema than the one known here. It can still be opened read-only.
    public static let newerSchema = Self(rawValue: -1)
}
