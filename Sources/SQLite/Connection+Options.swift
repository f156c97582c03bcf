// SPDX-License-Identifier: MIT

extension Connection {
    /// Where a database is.
    public enum Location: Hashable, Sendable {
        /// The file at a path. Its directory must exist and may lie behind symbolic links; the file itself may not be
        /// one.
        case file(String)
        /// Memory of this connection alone.
        case memory
    }

    /// What a connection may do to a database file.
    public enum Access: Hashable, Sendable {
        /// Reads.
        case readOnly
        /// Reads and writes a file that is there.
        case readWrite
        /// Reads and writes, and creates a missing file with mode 0600.
        case readWriteCreate
    }

    /// How a database is opened.
    public struct Options: Sendable {
        /// What the connection may do.
        public var access: Access

        /// How long a statement waits for another connection's lock before it fails with `busy`.
        public var busyTimeout: Duration

        /// Promises that nobody changes the file, so that it is read without locks, journal or shared memory: the one
        /// way to read a database in WAL mode on a read-only file system. Needs `readOnly`, and an empty journal.
        public var isImmutable: Bool

        /// Whether the last connection to close copies the write-ahead log into the database and removes it.
        public var checkpointsOnClose: Bool

        /// How many idle statements are kept.
        public var statementCacheCapacity: Int

        /// Directory of the files that SQLite makes for what does not fit into memory: they have no name from the moment
        /// they are made. Nil for where SQLite puts them.
        public var temporaryDirectory: String?

        /// How many bytes such files may have that are made in ``temporaryDirectory``, in all; a statement that needs more
        /// fails with `full`.
        public var temporaryByteLimit: Int64

        /// Options with these values.
        public init(
            access: Access = .readWriteCreate,
            busyTimeout: Duration = .seconds(5),
            isImmutable: Bool = false,
            checkpointsOnClose: Bool = true,
            statementCacheCapacity: Int = 64,
            temporaryDirectory: String? = nil,
            temporaryByteLimit: Int64 = .max
        ) {
            self.access = access
            self.busyTimeout = busyTimeout
            self.isImmutable = isImmutable
            self.checkpointsOnClose = checkpointsOnClose
            self.statementCacheCapacity = statementCacheCapacity
            self.temporaryDirectory = temporaryDirectory
            self.temporaryByteLimit = temporaryByteLimit
        }
    }
}
