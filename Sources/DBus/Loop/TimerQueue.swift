// SPDX-License-Identifier: MIT

/// The timers of a loop, the earliest first: a binary heap.
struct TimerQueue {
    private var heap: [LoopTimer] = []
    /// A cancelled timer stays in the heap until it comes up or the heap has doubled since the last sweep.
    private var sweepSize = 64

    /// The number of timers, with cancelled ones that have not been swept out.
    var count: Int { heap.count }

    mutating func insert(_ timer: LoopTimer) {
        if heap.count >= sweepSize {
            sweep()
        }
        heap.append(timer)
        siftUp(from: heap.count - 1)
    }

    /// The time until the next timer is due; nil without one.
    var timeToNext: Duration? {
        mutating get {
            dropCancelled()
            return heap.first.map { $0.deadline - .now }
        }
    }

    /// Removes the timers that were due at a time, cancelled ones among them.
    mutating func takeDue(at time: ContinuousClock.Instant) -> [LoopTimer] {
        var due: [LoopTimer] = []
        while let first = heap.first, first.isCancelled || first.deadline <= time {
            removeFirst()
            due.append(first)
        }
        return due
    }

    private mutating func dropCancelled() {
        while let first = heap.first, first.isCancelled {
            removeFirst()
        }
    }

    private mutating func sweep() {
        let live = heap.filter { !$0.isCancelled }
        sweepSize = max(64, live.count * 2)
        heap = live.sorted { $0.deadline < $1.deadline }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[smallest].deadline {
                    smallest = child
                }
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
