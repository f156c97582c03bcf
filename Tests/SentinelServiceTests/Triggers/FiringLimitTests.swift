// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelService

@Suite("Limit of firing")
struct FiringLimitTests {
    @Test("ten are let through within every second, wherever it begins")
    func window() {
        var limit = FiringLimit()
        let start = ContinuousClock.now
        var admitted: [Duration] = []
        // Every 7 ms for five seconds.
        for step in 0..<715 {
            let time = Duration.milliseconds(7 * step)
            if limit.admits(at: start + time) { admitted.append(time) }
        }
        #expect(admitted.count == 50)
        for (index, time) in admitted.enumerated().dropFirst(10) {
            #expect(time - admitted[index - 10] >= .seconds(1))
        }
        #expect(Array(admitted.prefix(10)) == (0..<10).map { .milliseconds(7 * $0) })
    }

    @Test("what is seldom is never held back")
    func seldom() {
        var limit = FiringLimit()
        let start = ContinuousClock.now
        for step in 0..<1000 {
            let isAdmitted = limit.admits(at: start + .milliseconds(100 * step))
            #expect(isAdmitted)
        }
    }
}
