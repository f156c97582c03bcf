// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Memory that small files are read into, one after the other, so that a reading of many files allocates once.
struct FileBuffer: ~Copyable {
    /// What most files below `/proc` fit in.
    static let usualCapacity = 8 << 10
    /// The most that is read of a file unless the reader knows better, in bytes.
    static let usualLimit = 1 << 20

    private var memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(capacity: Int = usualCapacity) {
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// What was read last; the bytes are valid only inside `body`.
    borrowing func scan<Result>(_ body: (ByteScanner) -> Result) -> Result {
        body(ByteScanner(UnsafeRawBufferPointer(rebasing: memory[..<count])))
    }

    /// Reads a file of proc(5) from its beginning, in one call where it fits: none of those that are read here gives
    /// less than it is asked for before its end.
    ///
    /// A file that does not fit is read anew into more memory rather than read on: the kernel makes its text for each
    /// call, and the parts of two texts need not match.
    ///
    /// - Returns: whether all of it was read; only the first `limit` bytes are there if not.
    @discardableResult
    mutating func fill(from descriptor: Int32, limit: Int = usualLimit) throws(SystemFailure) -> Bool {
        count = 0
        while true {
            let room = min(memory.count, limit)
            let length = try Self.retrying { pread(descriptor, memory.baseAddress, room, 0) }
            guard length == room, room < limit else {
                count = min(length, room)
                return length < room
            }
            grow()
        }
    }

    /// Opens, reads and closes a file below a directory.
    @discardableResult
    mutating func fill(
        from name: StaticString, below directory: borrowing OwnedDescriptor, limit: Int = usualLimit
    ) throws(SystemFailure) -> Bool {
        let file = try OwnedDescriptor(file: name, below: directory.number)
        return try fill(from: file.number, limit: limit)
    }

    /// Reads a symbolic link's target below a directory.
    mutating func fill(fromLink name: StaticString, below directory: borrowing OwnedDescriptor) throws(SystemFailure) {
        count = 0
        guard let start = memory.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        let length = withCharacters(of: name) { readlinkat(directory.number, $0, start, memory.count) }
        guard length >= 0 else { throw SystemFailure.current }
        // The kernel gives at most a page (proc(5)), which is less than a whole buffer.
        guard length < memory.count else { throw SystemFailure(code: EFBIG) }
        count = length
    }

    /// Reads the next entries of an open directory, for ``DirectoryEntries``; false at its end.
    mutating func fillEntries(from descriptor: Int32) throws(SystemFailure) -> Bool {
        count = 0
        let length = try Self.retrying { getdents64(descriptor, memory.baseAddress, memory.count) }
        count = min(length, memory.count)
        return count > 0
    }

    private mutating func grow() {
        let capacity = memory.count * 2
        memory.deallocate()
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    private static func retrying(_ call: () -> Int) throws(SystemFailure) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw SystemFailure.current }
        }
    }
}
