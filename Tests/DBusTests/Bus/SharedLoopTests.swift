// SPDX-License-Identifier: MIT

@testable import DBus
import TestSupport
import Testing

extension LiveTests {
    @Suite("Connections that share a loop", .timeLimit(.minutes(5)))
    struct SharedLoopTests {
        @Test("what one connection receives lets the other send at once, whichever is the older", arguments: 0..<2)
        func sending(receiver: Int) async throws {
            let fixture = try BusFixture()
            let loop = try EventLoop.startThread()
            let connections = [
                try Connection(to: BusAddress(fixture.bus.address), on: loop),
                try Connection(to: BusAddress(fixture.bus.address), on: loop),
            ]
            let replies = Recorder<Bool>()
            let rule = MatchRule(interface: TestInterface.name, member: "Changed")
            let subscription = connections[receiver].subscribe(to: rule) { _ in
                connections[1 - receiver].owner(of: .bus) { result in
                    if case .success = result { replies.append(true) }
                }
            }
            try await connections[receiver].settle()
            for count in 1...50 {
                try fixture.emit()
                // Nothing else wakes the loop: a reply that is late is one that never comes.
                try await replies.wait(for: count, within: .seconds(20))
            }
            subscription.cancel()
            connections.forEach { $0.close() }
            loop.stop()
        }
    }
}

extension Connection {
    /// Waits until the bus has done all that it was told before.
    fileprivate func settle() async throws {
        _ = try await withCheckedContinuation { continuation in
            owner(of: .bus) { continuation.resume(returning: $0) }
        }.get()
    }
}
