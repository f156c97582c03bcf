// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// Fires triggers when the machine is shaken, as its accelerometer tells.
///
/// It is measured only while a trigger waits and there is something to measure with. Confined to the loop's thread.
final class ShakeTriggers: TriggerSource, @unchecked Sendable {
    private static let unknown = "it is not known yet whether this machine has an accelerometer"

    private let loop: EventLoop
    private let fire: (Name) -> Void
    private let searchInterval: Duration
    private let root: String
    private lazy var sampler = ShakeSampler(root: root) { [weak self, loop] run, report in
        loop.enqueue { [weak self] in self?.take(report, of: run) }
    }

    /// In the order in which they were added.
    private var triggers: [Name] = []
    /// The number of the sampler's run; what an earlier one tells comes too late.
    private var run: UInt64 = 0
    private var isRunning = false
    private var lastSearch: ContinuousClock.Instant?
    /// Why no trigger can fire at the moment.
    private var reason: String? = unknown

    /// Waits for triggers; nothing is looked for yet.
    ///
    /// - Parameters:
    ///   - root: the directory that stands for `/`.
    ///   - searchInterval: where there is no accelerometer, one is looked for again after so long at the earliest.
    ///   - fire: told, on the loop's thread, each trigger that waits when the machine has been shaken.
    init(
        root: String = "/", searchInterval: Duration = .seconds(10), loop: EventLoop, fire: @escaping (Name) -> Void
    ) {
        self.root = root
        self.searchInterval = searchInterval
        self.loop = loop
        self.fire = fire
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        loop.preconditionIsCurrent()
        guard !triggers.contains(trigger) else { return }
        triggers.append(trigger)
        search()
    }

    func remove(_ trigger: Name) {
        loop.preconditionIsCurrent()
        triggers.removeAll { $0 == trigger }
        if triggers.isEmpty {
            end()
        }
    }

    func obstacle(to trigger: Name) -> String? {
        loop.preconditionIsCurrent()
        guard triggers.contains(trigger) else { return nil }
        search()
        return reason
    }

    func stop() {
        loop.preconditionIsCurrent()
        triggers = []
        end()
    }

    /// Looks for an accelerometer where none is measured with, unless that was done just before.
    private func search() {
        guard !isRunning else { return }
        let now = ContinuousClock.now
        if let lastSearch, now - lastSearch < searchInterval { return }
        lastSearch = now
        isRunning = true
        run += 1
        sampler.start(run)
    }

    private func end() {
        guard isRunning else { return }
        isRunning = false
        sampler.stop()
        // What was there is looked for at once when the next trigger comes.
        lastSearch = nil
        reason = Self.unknown
    }

    private func take(_ report: ShakeSampler.Report, of run: UInt64) {
        guard isRunning, run == self.run else { return }
        switch report {
        case .measuring:
            reason = nil
        case .disturbed(let error):
            reason = "the accelerometer cannot be read: \(error)"
        case .ended(let error):
            isRunning = false
            reason = error.code == .absent ? error.message : "the accelerometer cannot be read: \(error)"
        case .shaken:
            for trigger in triggers where triggers.contains(trigger) {
                fire(trigger)
            }
        }
    }
}
