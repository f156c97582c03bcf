// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("Queue")
struct QueueTests {
    private final class Guest {}

    @Test("what was added first comes out first, however many there are")
    func order() {
        var queue = Queue<Int>()
        #expect(queue.isEmpty && queue.first == nil && queue.popFirst() == nil)
        var (added, taken) = (0, 0)
        // Three come for each two that go, so that places are given back while others wait.
        for _ in 0..<5_000 {
            for _ in 0..<3 {
                queue.append(added)
                added += 1
            }
            for _ in 0..<2 {
                #expect(queue.first == taken)
                #expect(queue.popFirst() == taken)
                taken += 1
            }
            #expect(queue.count == added - taken)
        }
        #expect(queue.elements == Array(taken..<added))
        while let next = queue.popFirst() {
            #expect(next == taken)
            taken += 1
        }
        #expect(taken == added && queue.isEmpty)
    }

    @Test("what was taken out is held no more")
    func release() {
        var queue = Queue<Guest>()
        weak var guest: Guest?
        do {
            let first = Guest()
            guest = first
            queue.append(first)
        }
        queue.append(Guest())
        #expect(guest != nil)
        _ = queue.popFirst()
        #expect(guest == nil)
        #expect(queue.count == 1)
    }
}
