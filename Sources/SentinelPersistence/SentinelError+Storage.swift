// SPDX-License-Identifier: MIT

import Glibc
import SQLite
public import SentinelModels

extension SentinelError {
    /// What a caller of the store hears of a failure below it.
    init(storage error: any Error) {
        switch error {
        case let error as SentinelError: self = error
        case let error as SQLiteError: self.init(error)
        default: self.init(.failed, "the store failed: \(error)", underlying: error)
        }
    }

    /// What a caller hears of a failed system call.
    init(systemError number: Int32, _ message: String) {
        let reason = String(cString: strerror(number))
        self.init(Self.isFull(number) ? .storageFull : .unavailable, "\(message): \(reason)")
    }

    private init(_ error: SQLiteError) {
        let (code, message): (Code, String) =
            switch error.code {
            case _ where error.isDamage: (.storageDamaged, "the database is damaged")
            case .full: (.storageFull, "the disk is full")
            case .ioError where Self.isFull(error.systemErrorNumber): (.storageFull, "the disk is full")
            case .cannotOpen where Self.isFull(error.systemErrorNumber): (.storageFull, "the disk is full")
            case .busy, .locked: (.timeout, "another process keeps the database locked")
            case .interrupt: (.timeout, "the database was interrupted")
            case .newerSchema: (.unavailable, "the database is from a newer version of Sentinel, update this one")
            case .readOnly, .permission, .cannotOpen, .ioError: (.unavailable, "the database cannot be used")
            case .tooBig: (.limitsExceeded, "a value is too long for the database")
            case .constraint: (.conflict, "the database does not allow this change")
            default: (.failed, "the database failed")
            }
        self.init(code, "\(message): \(error.message)", underlying: error)
    }

    /// Whether the store was closed before it came to what was asked for.
    public var isOfClosedStore: Bool {
        underlying is StoreClosure || (underlying as? SentinelError)?.isOfClosedStore == true
    }

    /// Whether it says something about the database rather than about what was asked for.
    var isOfStorage: Bool {
        [.storageDamaged, .storageFull, .unavailable, .timeout].contains(code)
    }

    private static func isFull(_ number: Int32) -> Bool {
        number == ENOSPC || number == EDQUOT
    }
}

/// Marks the error of a store that is closed.
struct StoreClosure: Error {}

extension SQLiteError {
    /// Whether the database itself is at fault, so that only another one helps. A value of a type that its column does
    /// not allow got there past SQLite.
    var isDamage: Bool {
        [.corrupt, .notADatabase, .mismatch].contains(code) || extendedCode == .ioErrorCorruptFileSystem
    }
}
