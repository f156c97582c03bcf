// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

@Suite("Loop timer")
struct LoopTimerTests {
    @Test("a timer that is asked often whether it is cancelled costs nothing, and can be let go of")
    func manyQuestions() {
        // Each question once wrapped the action once more; what was wrapped 100 000 times overflowed the stack.
        let fired = Recorder<Void>()
        let timer = LoopTimer(deadline: .now + .seconds(3600)) { fired.append(()) }
        for _ in 0..<300_000 where timer.isCancelled {
            Issue.record("nobody has cancelled it")
        }
        timer.fire()
        #expect(fired.count == 1)
        #expect(timer.isCancelled)
        timer.fire()
        #expect(fired.count == 1)
    }
}
