// SPDX-License-Identifier: MIT

import Glibc
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Rest", .serialized, .timeLimit(.minutes(5)))
    struct RestTests {
        @Test("no timer of Dispatch runs once what was asked for is done and stored")
        func timers() async throws {
            let fixture = try await ServiceFixture()
            _ = try await fixture.client.register("com.example.App")
            // Takes so long that what reading it has set going goes by now.
            _ = try await fixture.client.sentinel.inspect(processID: UInt32(getpid()))
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            try await waitUntil("no timer runs") { try facts.runningTimerCount == 0 }
            try fixture.stop()
        }
    }
}
