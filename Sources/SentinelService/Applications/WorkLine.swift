// SPDX-License-Identifier: MIT

import SentinelModels

/// Does one work after the other; each tells when it is over, at once or later.
///
/// Confined to the loop's thread.
final class WorkLine: @unchecked Sendable {
    /// Tells that a work is over; called once, on the loop's thread.
    typealias Over = @Sendable () -> Void
    typealias Work = (_ over: @escaping Over) -> Void

    private var waiting = Queue<Work>()
    private var isBusy = false
    private var isServing = false
    private let emptied: () -> Void

    /// Makes a line; `emptied` is called whenever all is done.
    init(emptied: @escaping () -> Void) {
        self.emptied = emptied
    }

    /// Does work when all that was added before is over.
    func add(_ work: @escaping Work) {
        waiting.append(work)
        serve()
    }

    /// Lets go of all work that waits, which is not done any more: it may hold who holds this.
    func cancel() {
        waiting = Queue()
    }

    private func serve() {
        // Works that are over at once are done in this loop and not inside of each other.
        guard !isServing else { return }
        isServing = true
        defer { isServing = false }
        while !isBusy, let work = waiting.popFirst() {
            isBusy = true
            work { [self] in
                isBusy = false
                serve()
            }
        }
        if !isBusy {
            emptied()
        }
    }
}
