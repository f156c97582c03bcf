// SPDX-License-Identifier: MIT

import CDBus
@testable import DBus
import Foundation
import TestSupport

/// A peer that writes and reads a bus's bytes itself, and so can do what libdbus keeps others from doing.
///
/// One thread uses it at a time.
final class RawPeer: @unchecked Sendable {
    private let socket: Int32
    private var received: [UInt8] = []

    /// Connects to a bus and says hello.
    init(connectingTo bus: PrivateBus) throws {
        socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = UnixAddress(bus.directory.path(of: "bus"))
        guard address.withPointer({ connect(socket, $0, $1) }) == 0 else {
            throw TestSupportError("cannot connect: \(String(cString: strerror(errno)))")
        }
        let user = "\(getuid())".utf8.map { String($0, radix: 16) }.joined()
        send(bytes: [0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
        try receiveLine()
        send(bytes: Array("BEGIN\r\n".utf8))
        send(try Message.methodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"), serial: 1)
        _ = try receive { $0.replySerial == 1 }
    }

    /// Takes over the socket of a connection on which messages travel already.
    init(socket: Int32) {
        self.socket = socket
    }

    deinit {
        close(socket)
    }

    /// Sends bytes as they are; what a peer that has gone does not take is lost.
    @discardableResult
    func send(bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a message with a number of the caller's choice.
    func send(_ message: Message, serial: UInt32) {
        do {
            send(bytes: try Wire.bytes(of: message, serial: serial))
        } catch {
            fatalError("a message without bytes: \(error)")
        }
    }

    /// Reads messages up to the first that fits.
    ///
    /// - Returns: all that were read, that one included.
    /// - Throws: ``TestSupportError`` if none comes in time or the connection ends.
    func receive(upTo isLast: (Message) -> Bool) throws -> [Message] {
        var messages: [Message] = []
        while true {
            while let message = try nextMessage() {
                messages.append(message)
                if isLast(message) { return messages }
            }
            try receiveBytes()
        }
    }

    /// Whether the other side ends the connection in time.
    func isCutOff(within limit: Duration = patience) -> Bool {
        do {
            while true { try receiveBytes(within: limit) }
        } catch {
            return "\(error)".contains("has ended")
        }
    }

    private func nextMessage() throws -> Message? {
        guard received.count >= 16 else { return nil }
        let length = received.withUnsafeBytes {
            dbus_message_demarshal_bytes_needed($0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count))
        }
        guard length > 0, received.count >= length else { return nil }
        let message = try Wire.parse(Array(received[..<Int(length)]))
        received.removeFirst(Int(length))
        return message
    }

    /// Reads a line of the authentication.
    @discardableResult
    func receiveLine() throws -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[...end], as: UTF8.self)
                received.removeFirst(end + 1)
                return line
            }
            try receiveBytes()
        }
    }

    private func receiveBytes(within limit: Duration = patience) throws {
        var readable = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&readable, 1, Int32(limit / .milliseconds(1))) > 0 else {
            throw TestSupportError("nothing came in \(limit)")
        }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(socket, &buffer, buffer.count)
        guard count > 0 else { throw TestSupportError("the connection has ended") }
        received += buffer[..<count]
    }
}

/// The address of a socket in the file system (`unix(7)`).
struct UnixAddress {
    private var address = sockaddr_un()

    init(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
