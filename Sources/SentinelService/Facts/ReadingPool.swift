// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelModels

/// Does what may block beside the loop, a few at a time and begun in their order.
///
/// A reading that hangs, as one of a program on a network disk that is gone, keeps its place for as long as that lasts;
/// nobody waits behind it while another place is free. Once the pool is stopped what is under way is let go of: a thread
/// holds nothing but what it reads. Confined to the loop's thread.
final class ReadingPool: @unchecked Sendable {
    /// Where a reading's outcome is put before the loop is told of it.
    private final class Outcome<Facts: Sendable>: @unchecked Sendable {
        var facts: Facts?
    }

    private let loop: EventLoop
    /// The places that are free: a serial queue each. A concurrent queue would do, but from its first use on Dispatch
    /// looks after the threads of such queues every second, for as long as the process lives.
    private var free: [DispatchQueue]
    private var waiting = Queue<@Sendable (DispatchQueue) -> Void>()
    /// What is to be done when a reading is over that is under way or waits.
    private var completions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    init(_ label: String, places: Int, loop: EventLoop) {
        self.loop = loop
        free = (0..<places).map { _ in DispatchQueue(label: label, qos: .utility) }
    }

    /// Does `body` on some thread, then `completion` with what came of it on the loop's.
    func read<Facts: Sendable>(
        _ body: @escaping @Sendable () -> Facts, _ completion: @escaping @Sendable (Facts) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        let outcome = Outcome<Facts>()
        completions[number] = {
            if let facts = outcome.facts {
                completion(facts)
            }
        }
        waiting.append { [weak self, loop] queue in
            queue.async { [weak self, loop] in
                outcome.facts = body()
                loop.enqueue { [weak self] in self?.finish(number, on: queue) }
            }
        }
        serve()
    }

    /// Lets go of what waits and is under way, none of which is completed any more: completions may hold who holds this.
    func stop() {
        waiting = Queue()
        completions.removeAll()
    }

    private func serve() {
        while !waiting.isEmpty, let queue = free.popLast(), let next = waiting.popFirst() {
            next(queue)
        }
    }

    private func finish(_ number: UInt64, on queue: DispatchQueue) {
        free.append(queue)
        let completion = completions.removeValue(forKey: number)
        serve()
        completion?()
    }
}
