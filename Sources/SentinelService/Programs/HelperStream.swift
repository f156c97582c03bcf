// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc
import SentinelModels

/// What a program writes.
struct HelperStream {
    private(set) var bytes: [UInt8] = []
    private let descriptor: FileDescriptor
    /// How many bytes it may be; nil where what is past ``HelperProgram/longestComplaint`` is dropped.
    private let limit: Int?
    private var isOpen = true

    init(_ descriptor: FileDescriptor, limit: Int?) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// Reads streams until all have ended.
    ///
    /// - Returns: false where they have not ended in time, or one has more than it may have.
    static func read(_ streams: inout [HelperStream], until end: ContinuousClock.Instant) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while streams.contains(where: \.isOpen) {
            let left = (end - .now).microseconds / 1000
            guard left > 0 else { return false }
            // poll(2) leaves out negative descriptors.
            var events = streams.map { stream in
                pollfd(fd: stream.isOpen ? stream.descriptor.rawValue : -1, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&events, nfds_t(events.count), Int32(clamping: left)) > 0 else { continue }
            for (index, event) in events.enumerated() where event.revents != 0 {
                guard streams[index].take(&buffer) else { return false }
            }
        }
        return true
    }

    private mutating func take(_ buffer: inout [UInt8]) -> Bool {
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor.rawValue, $0.baseAddress, $0.count) }
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        isOpen = count > 0
        bytes += buffer.prefix(count)
        if let limit { return bytes.count <= limit }
        bytes.removeLast(max(0, bytes.count - HelperProgram.longestComplaint))
        return true
    }
}
