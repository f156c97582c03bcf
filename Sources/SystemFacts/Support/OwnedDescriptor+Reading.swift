// SPDX-License-Identifier: MIT

import Glibc

extension OwnedDescriptor {
    /// What is open (inode(7)).
    var status: stat {
        get throws(SystemFailure) {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw SystemFailure.current }
            return status
        }
    }

    /// Whether the process of a pidfd runs: its descriptor becomes readable when it ends (pidfd_open(2)).
    var processRuns: Bool {
        var ended = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&ended, 1, 0) == 0
    }

    /// Reads a regular file from where it stands to its end or its first `limit` bytes.
    ///
    /// - Parameters:
    ///   - limit: how much is given at most, in bytes.
    ///   - size: how much is expected, in bytes; files of proc(5) have the size 0 and are longer.
    /// - Returns: the bytes, and whether they are all.
    func read(limit: Int, expecting size: Int = 0) throws(SystemFailure) -> (bytes: [UInt8], isComplete: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(size, limit))
        var chunk = [UInt8](repeating: 0, count: min(max(size, 4096), 64 << 10))
        // One byte more than allowed tells that there is more.
        while bytes.count <= limit {
            let room = min(chunk.count, limit + 1 - bytes.count)
            let count = chunk.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, room) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFailure.current }
            guard count > 0 else { return (bytes, true) }
            bytes += chunk.prefix(count)
        }
        bytes.removeLast(bytes.count - limit)
        return (bytes, false)
    }
}

extension stat {
    /// Whether it is a regular file.
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
