// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import TestSupport
import Testing

@testable import SentinelService

@Suite("Reading pool", .timeLimit(.minutes(5)))
struct ReadingPoolTests {
    @Test("readings that hang keep nobody waiting while one place is left, and what waited is done when they end")
    func hanging() async throws {
        let loop = try EventLoop.startThread(named: "pool")
        let pool = ReadingPool("test", places: 3, loop: loop)
        let gate = DispatchSemaphore(value: 0)
        let done = Recorder<Int>()
        loop.enqueue {
            for number in 0..<2 {
                pool.read({ gate.wait() }, { done.append(-1 - number) })
            }
            for number in 0..<100 {
                pool.read({ number }, { done.append($0) })
            }
        }
        // In their order, since one place is left.
        #expect(try await done.wait(for: 100) == Array(0..<100))
        loop.enqueue {
            pool.read({ gate.wait() }, { done.append(-3) })
            pool.read({ 100 }, { done.append($0) })
        }
        await loop.settle()
        #expect(done.count == 100)
        for _ in 0..<3 {
            gate.signal()
        }
        try await done.wait(for: 104)
        #expect(Set(done.elements.suffix(4)) == [-1, -2, -3, 100])
        loop.stop()
    }

    @Test("a reading that hangs keeps nobody alive once the pool is stopped")
    func stop() async throws {
        final class Owner: Sendable {}
        let loop = try EventLoop.startThread(named: "pool")
        let pool = ReadingPool("test", places: 1, loop: loop)
        let gate = DispatchSemaphore(value: 0)
        weak let owner: Owner?
        do {
            let held = Owner()
            owner = held
            loop.enqueue {
                for _ in 0..<2 {
                    pool.read({ gate.wait() }, { withExtendedLifetime(held) {} })
                }
            }
        }
        await loop.settle()
        #expect(owner != nil)
        loop.enqueue { pool.stop() }
        await loop.settle()
        #expect(owner == nil)
        gate.signal()
        loop.stop()
    }
}

extension EventLoop {
    /// Waits until what was enqueued before is done.
    fileprivate func settle() async {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume() }
        }
    }
}
