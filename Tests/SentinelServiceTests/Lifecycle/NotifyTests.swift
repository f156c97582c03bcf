// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Service manager", .serialized, .timeLimit(.minutes(5)))
    struct NotifyTests {
        @Test("the service manager hears when the service answers and when it ends", arguments: [false, true])
        func messages(isAbstract: Bool) async throws {
            let bus = try PrivateBus()
            let socket = try NotifySocket(
                isAbstract ? "@\(bus.directory.path)/notify" : bus.directory.path(of: "notify"))
            let service = try SentinelProcess(on: bus, environment: ["NOTIFY_SOCKET": socket.path])
            var ready: String?
            try await waitUntil("READY=1 comes") {
                ready = socket.next()
                return ready != nil
            }
            let lines = try #require(ready).split(separator: "\n")
            #expect(lines.contains("READY=1"))
            #expect(lines.contains("MAINPID=\(service.process.identifier)"))
            // READY means that calls are answered.
            let client = try TestClient(on: bus)
            #expect(try await client.sentinel.health() == "ok")
            #expect(socket.next() == nil)
            #expect(try service.stop() == .exited(0))
            #expect(socket.next() == "STOPPING=1")
            #expect(socket.next() == nil)
        }

        @Test(
            "a socket that is not there or has no usable name changes nothing",
            arguments: ["/nowhere/notify", "relative", "", "@", "vsock:2:1", "/" + String(repeating: "n", count: 200)])
        func unusableSocket(path: String) async throws {
            let bus = try PrivateBus()
            let service = try await SentinelProcess.started(on: bus, environment: ["NOTIFY_SOCKET": path])
            let client = try TestClient(on: bus)
            #expect(try await client.sentinel.health() == "ok")
            #expect(try service.stop() == .exited(0))
        }
    }
}
