// SPDX-License-Identifier: MIT

import DBus
import TestSupport

/// A bus with two connections to it: one that offers objects, one that calls them.
final class BusFixture {
    let server: Connection
    let client: Connection
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
        let address = try BusAddress(bus.address)
        let loop = try EventLoop.startThread()
        server = try Connection(to: address, on: loop)
        client = try Connection(to: address, on: loop)
    }

    deinit {
        server.close()
        client.close()
        server.loop.stop()
    }

    /// Offers an object with one interface, made by `make` on the loop's thread.
    func export(at path: ObjectPath, _ make: @escaping @Sendable () -> any InterfaceImplementation) async {
        await withCheckedContinuation { continuation in
            server.loop.enqueue { [server] in
                server.objects.export(ExportedObject([make()]), at: path)
                continuation.resume()
            }
        }
    }
}
