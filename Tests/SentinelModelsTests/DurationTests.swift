// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("A duration")
struct DurationTests {
    @Test(
        "in microseconds is cut towards zero",
        arguments: [
            (.zero, 0), (.seconds(10), 10_000_000), (.seconds(24 * 60 * 60), 86_400_000_000), (.microseconds(-1), -1),
            (.nanoseconds(1_999), 1), (.nanoseconds(-1_999), -1), (.milliseconds(-1_500), -1_500_000),
        ] as [(Duration, Int64)])
    func microseconds(_ duration: Duration, _ expected: Int64) {
        #expect(duration.microseconds == expected)
    }

    @Test("that is too long for microseconds is the longest that fits")
    func longest() {
        #expect(Duration.seconds(Int64.max).microseconds == .max)
        #expect(Duration.seconds(Int64.min).microseconds == .min)
        #expect(Duration.microseconds(Int64.max).microseconds == .max)
        #expect((Duration.microseconds(Int64.max) + .microseconds(1)).microseconds == .max)
    }
}
