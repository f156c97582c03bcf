// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

@Suite("Timer queue")
struct TimerQueueTests {
    private func timer(_ offset: Duration, _ action: @escaping @Sendable () -> Void = {}) -> LoopTimer {
        LoopTimer(deadline: .now + offset, action: action)
    }

    @Test("timers come up in the order of their deadlines")
    func order() {
        var queue = TimerQueue()
        var generator = SeededGenerator(seed: 8)
        let timers = (1...500).map { timer(.microseconds(-$0)) }.shuffled(using: &generator)
        timers.forEach { queue.insert($0) }
        let due = queue.takeDue(at: .now)
        #expect(due.count == 500)
        #expect(due.map(\.deadline) == due.map(\.deadline).sorted())
        #expect(queue.takeDue(at: .now).isEmpty)
        let left = queue.timeToNext
        #expect(left == nil)
    }

    @Test("a timer that is not due stays")
    func notDue() throws {
        var queue = TimerQueue()
        queue.insert(timer(.seconds(100)))
        queue.insert(timer(.seconds(-1)))
        #expect(queue.takeDue(at: .now).count == 1)
        let next = queue.timeToNext
        let left = try #require(next)
        #expect(left > .seconds(90) && left <= .seconds(100))
    }

    @Test("a cancelled timer does not fire, nor one that has fired")
    func cancel() {
        let fired = Recorder<Int>()
        let cancelled = timer(.zero) { fired.append(1) }
        cancelled.cancel()
        cancelled.fire()
        let once = timer(.zero) { fired.append(2) }
        once.fire()
        once.fire()
        #expect(fired.elements == [2])
    }

    @Test("a timer that is looked at often stays as it was")
    func lookedAtOften() {
        let fired = Recorder<Int>()
        let timer = timer(.zero) { fired.append(1) }
        for _ in 0..<200_000 {
            _ = timer.isCancelled
        }
        timer.fire()
        #expect(fired.elements == [1])
    }

    @Test("a cancelled timer does not wake the loop")
    func cancelledFirst() throws {
        var queue = TimerQueue()
        let first = timer(.seconds(1))
        queue.insert(first)
        queue.insert(timer(.seconds(100)))
        first.cancel()
        let left = queue.timeToNext
        #expect(try #require(left) > .seconds(90))
    }

    @Test("cancelled timers are swept out: the queue stays as long as what lives")
    func sweep() {
        var queue = TimerQueue()
        for _ in 0..<10 {
            queue.insert(timer(.seconds(50)))
        }
        for _ in 0..<10_000 {
            let cancelled = timer(.seconds(100))
            queue.insert(cancelled)
            cancelled.cancel()
            #expect(queue.count <= 64)
        }
        for _ in 0..<200 {
            queue.insert(timer(.seconds(50)))
        }
        #expect(queue.count >= 210)
    }
}
