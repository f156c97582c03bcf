// SPDX-License-Identifier: MIT

import Synchronization

/// Something that a loop will do once at a later time; see ``EventLoop/schedule(after:_:)``.
public final class LoopTimer: Sendable {
    let deadline: ContinuousClock.Instant
    private let action: @Sendable () -> Void
    private let isOver = Atomic(false)

    init(deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.action = action
    }

    /// Keeps the timer from firing; callable on every thread, at any time.
    public func cancel() {
        isOver.store(true, ordering: .relaxed)
    }

    var isCancelled: Bool { isOver.load(ordering: .relaxed) }

    func fire() {
        if !isOver.exchange(true, ordering: .relaxed) {
            action()
        }
    }
}
