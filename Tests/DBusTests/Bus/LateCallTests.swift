// SPDX-License-Identifier: MIT

import DBus
import TestSupport
import Testing

extension LiveTests {
    @Suite("Calls at the end of the bus", .timeLimit(.minutes(5)))
    struct LateCallTests {
        @Test("a call that is made when the end is known and not yet told fails at once")
        func callBeforeEndIsTold() async throws {
            let bus = try PrivateBus()
            let connection = try BusFixture.connect(to: bus)
            let outcomes = Recorder<ErrorName?>()
            // The loop sees the end of the bus after the first job, and hears of it after the second.
            connection.loop.enqueue {
                bus.close()
                connection.loop.enqueue {
                    connection.owner(of: .bus) { result in
                        if case .failure(let error) = result {
                            outcomes.append(error.code)
                        }
                    }
                }
            }
            #expect(try await outcomes.wait() == [.disconnected])
            connection.close()
            connection.loop.enqueue { connection.loop.stop() }
        }
    }
}
