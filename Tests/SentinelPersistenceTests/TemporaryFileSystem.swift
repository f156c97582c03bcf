// SPDX-License-Identifier: MIT

import Glibc
import SentinelModels
import TestSupport

@testable import SentinelPersistence

/// A small file system in memory, mounted as long as it is referenced.
final class TemporaryFileSystem: Sendable {
    struct Failure: Error {
        let number: Int32
    }

    private let mountPoint: TemporaryDirectory

    var path: String { mountPoint.path }

    /// Whether this process may mount.
    static let isPossible: Bool = {
        do {
            _ = try TemporaryFileSystem(options: "size=64k")
            return true
        } catch {
            print("not allowed to mount: \(error)")
            return false
        }
    }()

    init(options: String) throws {
        mountPoint = try TemporaryDirectory()
        guard mount("tmpfs", mountPoint.path, "tmpfs", 0, options) == 0 else {
            throw Failure(number: errno)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }

    func remount(_ flags: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | flags), "size=1m") == 0 else {
            throw Failure(number: errno)
        }
    }

    func open(_ directory: String) -> Store {
        Store(Writer(location: .directory("\(path)/\(directory)"), clock: WallClock { StoreFixture.now }))
    }
}
