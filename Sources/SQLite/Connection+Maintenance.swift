// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

extension Connection {
    /// How far a checkpoint goes (<https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>).
    public enum CheckpointMode: Sendable {
        /// Copies what it can without waiting for anyone.
        case passive
        /// Waits for writers, so that all is copied.
        case full
        /// Waits for readers as well, so that the next write begins the log anew.
        case restart
        /// Like `restart`, and cuts the log to nothing.
        case truncate
    }

    /// What a checkpoint did.
    public struct CheckpointResult: Hashable, Sendable {
        /// Frames in the log, -1 where the database has none.
        public let logFrameCount: Int
        /// Frames of them that are in the database now.
        public let copiedFrameCount: Int
        /// Whether it did not get as far as its mode says, since another connection was at work.
        public let wasBusy: Bool
    }

    /// Copies the write-ahead log into the database. Waits as the mode says, at most the busy timeout.
    @discardableResult
    public func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        let modeNumber =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .full: SQLITE_CHECKPOINT_FULL
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        // A connection that has read nothing yet has not found the log and would do nothing.
        _ = try pragma("schema_version", as: Int64.self)
        var logFrames: Int32 = -1
        var copiedFrames: Int32 = -1
        let result = sqlite3_wal_checkpoint_v2(try usableHandle(), "main", modeNumber, &logFrames, &copiedFrames)
        let isBusy = result & 0xFF == SQLITE_BUSY
        guard result == SQLITE_OK || isBusy else {
            throw error(result)
        }
        if !isBusy, mode == .restart || mode == .truncate {
            logFrameCount = 0
        }
        return CheckpointResult(
            logFrameCount: Int(logFrames), copiedFrameCount: Int(copiedFrames), wasBusy: isBusy)
    }

    /// Checks the database's structure, in time proportional to its size.
    ///
    /// - Returns: what is wrong, about `limit` findings at most; empty where nothing is. Damage that keeps the check
    ///   from going on is the last finding.
    public func quickCheck(limit: Int = 20) throws(SQLiteError) -> [String] {
        var findings: [String] = []
        do throws(SQLiteError) {
            let statement = try prepare("PRAGMA quick_check(\(limit))")
            while try statement.step() {
                findings.append(try statement.column(0))
            }
        } catch let failure where [.corrupt, .notADatabase].contains(failure.code) {
            findings.append(failure.message)
        }
        return findings == ["ok"] ? [] : findings
    }

    /// Copies the whole database, with what others have committed, into a new file of mode 0600.
    ///
    /// - Throws: `cannotOpen` where there is something at the path already. Nothing is left of a copy that failed.
    public func backUp(to path: String) throws(SQLiteError) {
        let source = try usableHandle()
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw SQLiteError(code: .cannotOpen, message: "there is something at the path of the backup", path: path)
        }
        let copy = try Connection(.file(path))
        do throws(SQLiteError) {
            let target = try copy.usableHandle()
            guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
                throw copy.error(sqlite3_extended_errcode(target))
            }
            let result = sqlite3_backup_step(backup, -1)
            let end = sqlite3_backup_finish(backup)
            guard result == SQLITE_DONE, end == SQLITE_OK else {
                throw SQLiteError(result: result == SQLITE_DONE ? end : result, handle: nil, path: path)
            }
            copy.close()
        } catch {
            copy.close()
            unlink(path)
            throw error
        }
    }

    /// Whether the file at the database's path is no longer the one that is open: it was removed or replaced. What is
    /// written after that is lost, and SQLite does not notice in WAL mode.
    public func hasMoved() throws(SQLiteError) -> Bool {
        var moved: Int32 = 0
        let result = sqlite3_file_control(try usableHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard result == SQLITE_OK || result == SQLITE_NOTFOUND else {
            throw error(result)
        }
        return moved != 0
    }

    /// Whether the write-ahead log is no longer the file that was there when this was first asked: it was removed or
    /// replaced. What was written into it since the last checkpoint is lost with this connection, which alone can still
    /// copy it into the database.
    public func hasLostLog() -> Bool {
        guard let path else { return false }
        var status = stat()
        let found =
            lstat("\(path)-wal", &status) == 0 ? FileIdentity(device: status.st_dev, inode: status.st_ino) : nil
        guard let log else {
            log = found
            return false
        }
        return found != log
    }

    /// What tells a file from another.
    struct FileIdentity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// Closes the connection and leaves the write-ahead log as it is, for a file that has been moved or is damaged.
    public func abandon() throws(SQLiteError) {
        guard isOpen else { return }
        try setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: true)
        close()
    }
}
