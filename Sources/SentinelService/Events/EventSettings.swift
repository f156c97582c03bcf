// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// What is recorded and for how long it is kept: pause, rules and retention, which last across restarts.
///
/// A change is stored before it counts. Confined to the loop's thread.
final class EventSettings: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Void, SentinelError>) -> Void

    /// A pause that ends with `Resume`.
    static let untilResumed = Int64.max

    private typealias Key = StoredEventSettings.Key

    /// Told of each change after it has happened.
    var changed: (([Events1.Property]) -> Void)?

    /// Told when ``faults`` have changed.
    var faultsChanged: (() -> Void)?

    /// The end of the pause in microseconds: 0 without one, ``untilResumed`` for one without end. It may have passed.
    private(set) var pausedUntil: Int64 = 0
    /// When the pause began that is on.
    private(set) var pausedSince: Timestamp?
    private(set) var rules = EventRules()
    private(set) var retentionDays = RetentionRange.standardDays
    private(set) var maxBytes: UInt64 = 0
    /// What could not be read of what decides on recording, for people: until `Resume`, nothing is recorded for it.
    private(set) var faults: [String] = []

    /// Reads what is stored, which can take its time.
    private static let queue = DispatchQueue(label: "org.sentinel.event-settings", qos: .utility)

    /// Waits until nothing is read any more, whose reader would be kept alive by that.
    static func waitForReading() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {}
    }

    private let store: Store
    private let loop: EventLoop
    private let clock: WallClock
    private let log: Log
    private var pauseEnd: LoopTimer?
    /// A change is compared with what the one before has made of it.
    private let line = WorkLine {}

    init(store: Store, loop: EventLoop, clock: WallClock, log: Log) {
        self.store = store
        self.loop = loop
        self.clock = clock
        self.log = log
    }

    /// Takes in what earlier runs have stored; waits for the disk.
    func load() {
        _ = takeIn(StoredEventSettings(reading: store, log))
    }

    /// Takes in what is stored once more, for a database that has come into use since, and tells what is other than
    /// before.
    func loadAgain(completion: @escaping @Sendable () -> Void) {
        line.add { [self] over in
            Self.queue.async { [self] in
                let stored = StoredEventSettings(reading: store, log)
                loop.enqueue { [self] in
                    let properties = takeIn(stored)
                    if !properties.isEmpty {
                        changed?(properties)
                    }
                    completion()
                    over()
                }
            }
        }
    }

    /// - Returns: what is other than before.
    private func takeIn(_ stored: StoredEventSettings) -> [Events1.Property] {
        let (before, wasPaused) = (pausedUntil, isPaused)
        setFaults(stored.faults)
        pausedUntil = stored.pausedUntil > clock.now().microseconds ? stored.pausedUntil : 0
        if !faults.isEmpty {
            // What must not be recorded is not known: nothing is.
            pausedUntil = Self.untilResumed
        }
        if isPaused != wasPaused {
            pausedSince = isPaused ? clock.now() : nil
        }
        scheduleEnd()
        let changes: [(property: Events1.Property, isChanged: Bool)] = [
            (.pausedUntil, pausedUntil != before), (.capturing, isPaused != wasPaused), (.rules, rules != stored.rules),
            (.retentionDays, retentionDays != stored.retentionDays), (.maxBytes, maxBytes != stored.maxBytes),
        ]
        (rules, retentionDays, maxBytes) = (stored.rules, stored.retentionDays, stored.maxBytes)
        return changes.filter(\.isChanged).map(\.property)
    }

    private func setFaults(_ new: [String]) {
        guard new != faults else { return }
        faults = new
        faultsChanged?()
    }

    /// Whether events are recorded at this moment.
    var isCapturing: Bool { !isPaused }

    private var isPaused: Bool { pausedUntil > clock.now().microseconds }
}

// MARK: - Pause

extension EventSettings {
    /// Pauses until a time, or until it is resumed.
    func pause(until end: Int64, completion: @escaping Completion) {
        // One that is on because of a fault does not end by itself.
        let end = faults.isEmpty ? end : Self.untilResumed
        change(
            Key.pausedUntil, to: String(end), unless: { [self] in pausedUntil == end },
            then: { [self] in takeIn(pauseUntil: end) }, completion)
    }

    /// Ends a pause.
    func resume(completion: @escaping Completion) {
        change(
            Key.pausedUntil, to: nil, unless: { [self] in pausedUntil == 0 },
            then: { [self] in takeIn(pauseUntil: 0) }, completion)
    }

    /// Notes, and tells, that the time of a pause has passed, if it has: perhaps while the machine slept.
    func endPauseIfOver() {
        guard isPauseOver else { return }
        // A change of the pause that is being stored comes first.
        line.add { [self] over in
            guard isPauseOver else { return over() }
            takeIn(pauseUntil: 0)
            store.setSettings(
                [Key.pausedUntil: nil],
                completion: loop.completion { [log] result in
                    if case .failure(let error) = result {
                        log.warning("cannot store that a pause is over", because: error)
                    }
                    over()
                })
        }
    }

    private var isPauseOver: Bool { pausedUntil != 0 && !isPaused }

    private func takeIn(pauseUntil end: Int64) {
        var properties: [Events1.Property] = [.pausedUntil]
        if (end == 0) != (pausedUntil == 0) {
            properties.append(.capturing)
            pausedSince = end == 0 ? nil : clock.now()
        }
        if end == 0 {
            // Whoever ends the pause takes things as they are.
            setFaults([])
        }
        pausedUntil = end
        scheduleEnd()
        changed?(properties)
    }

    private func scheduleEnd() {
        pauseEnd?.cancel()
        pauseEnd = nil
        guard pausedUntil != 0, pausedUntil != Self.untilResumed else { return }
        let left = max(pausedUntil - clock.now().microseconds, 0)
        pauseEnd = loop.schedule(after: .microseconds(left)) { [weak self] in
            guard let self else { return }
            if isPauseOver {
                endPauseIfOver()
            } else {
                // A clock that was set back leaves some of the pause.
                scheduleEnd()
            }
        }
    }
}

// MARK: - Rules and retention

extension EventSettings {
    /// Replaces the rules.
    func setRules(_ new: EventRules, completion: @escaping Completion) {
        change(
            Key.rules, to: new.rules.isEmpty ? nil : new.document.serialized(), unless: { [self] in rules == new },
            then: { [self] in
                rules = new
                changed?([.rules])
            }, completion)
    }

    /// Sets for how many days events are kept; 0 for ever.
    func setRetentionDays(_ days: UInt32, completion: @escaping Completion) {
        change(
            Key.retentionDays, to: String(days), unless: { [self] in retentionDays == days },
            then: { [self] in
                retentionDays = days
                changed?([.retentionDays])
            }, completion)
    }

    /// Sets how large the store may become; 0 for no limit.
    func setMaxBytes(_ bytes: UInt64, completion: @escaping Completion) {
        change(
            Key.maxBytes, to: bytes == 0 ? nil : String(bytes), unless: { [self] in maxBytes == bytes },
            then: { [self] in
                maxBytes = bytes
                changed?([.maxBytes])
            }, completion)
    }

    /// Stores a change, then makes it; all in the order in which they were asked for.
    private func change(
        _ key: String, to text: String?, unless isSo: @escaping @Sendable () -> Bool,
        then apply: @escaping @Sendable () -> Void, _ completion: @escaping Completion
    ) {
        line.add { [store, loop] over in
            guard !isSo() else {
                completion(.success(()))
                return over()
            }
            store.setSettings(
                [key: text],
                completion: loop.completion { result in
                    if case .success = result {
                        apply()
                    }
                    completion(result)
                    over()
                })
        }
    }
}
