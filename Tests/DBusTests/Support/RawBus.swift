// SPDX-License-Identifier: MIT

import CDBus
@testable import DBus
import Dispatch
import Foundation
import TestSupport

/// A bus that does what no bus should: it says hello and then only what the test says.
final class RawBus: Sendable {
    private let directory: TemporaryDirectory
    private let listener: Int32

    /// Begins to listen.
    init() throws {
        directory = try TemporaryDirectory()
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = UnixAddress(directory.path(of: "bus"))
        guard address.withPointer({ bind(listener, $0, $1) }) == 0, listen(listener, 1) == 0 else {
            throw TestSupportError("cannot listen: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(listener)
    }

    /// Connects to the bus.
    ///
    /// - Returns: the connection, and the bus's end of it.
    func connect() async throws -> (connection: Connection, peer: RawPeer) {
        let address = try BusAddress("unix:path=\(directory.path(of: "bus"))")
        let accepted = Recorder<Result<RawPeer, any Error>>()
        DispatchQueue.global().async { [self] in
            accepted.append(Result { try accept() })
        }
        let connection = try Connection(to: address, on: EventLoop.startThread())
        return (connection, try await accepted.wait()[0].get())
    }

    private func accept() throws -> RawPeer {
        let peer = RawPeer(socket: Foundation.accept(listener, nil, nil))
        while true {
            let line = try peer.receiveLine()
            if line.hasPrefix("BEGIN") { break }
            let answer =
                line.contains("NEGOTIATE_UNIX_FD") ? "AGREE_UNIX_FD" : "OK \(String(repeating: "0", count: 32))"
            peer.send(bytes: Array("\(answer)\r\n".utf8))
        }
        guard let hello = try peer.receive(upTo: { $0.member == "Hello" }).last else {
            throw TestSupportError("no hello")
        }
        peer.send(
            bytes: try Wire.reply(to: ":1.1", serial: hello.serial, from: .bus) { (writer) throws(DBus.DBusError) in
                try writer.write(":1.1")
            })
        return peer
    }
}
