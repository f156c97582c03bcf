// SPDX-License-Identifier: MIT

import DBus
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
    static let standardRetentionDays: UInt32 = 90

    private enum Key {
        static let pausedUntil = "events.paused_until"
        static let rules = "events.rules"
        static let retentionDays = "events.retention_days"
        static let maxBytes = "events.max_bytes"
    }

    /// Told of each change after it has happened.
    var changed: (([Events1.Property]) -> Void)?

    /// The end of the pause in microseconds: 0 without one, ``untilResumed`` for one without end.
    private(set) var pausedUntil: Int64 = 0
    /// When the pause began that is on.
    private(set) var pausedSince: Timestamp?
    private(set) var rules = EventRules()
    private(set) var retentionDays = standardRetentionDays
    private(set) var maxBytes: UInt64 = 0

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

    /// Takes in what earlier runs have stored. What is not valid, or cannot be read, is as if it had not been set.
    func load() {
        let now = clock.now()
        if let end = number(Key.pausedUntil, 0...Int64.max), end > now.microseconds {
            pausedUntil = end
            pausedSince = now
        } else {
            pausedUntil = 0
            pausedSince = nil
        }
        rules = storedRules() ?? EventRules()
        retentionDays =
            number(Key.retentionDays, 0...Int64(RetentionRange.longestDays)).map { UInt32($0) }
            ?? Self.standardRetentionDays
        maxBytes = number(Key.maxBytes, RetentionRange.smallestBytes...Int64.max).map { UInt64($0) } ?? 0
        scheduleEnd()
    }

    /// Whether events are recorded at this moment.
    var isCapturing: Bool {
        endPauseIfOver()
        return pausedUntil == 0
    }
}

// MARK: - Pause

extension EventSettings {
    /// Pauses until a time, or until it is resumed.
    func pause(until end: Int64, completion: @escaping Completion) {
        change(
            Key.pausedUntil, to: String(end), unless: { [self] in pausedUntil == end },
            then: { [self] in takeIn(pauseUntil: end) }, completion)
    }

    /// Ends a pause.
    func resume(completion: @escaping Completion) {
        endPauseIfOver()
        change(
            Key.pausedUntil, to: nil, unless: { [self] in pausedUntil == 0 },
            then: { [self] in takeIn(pauseUntil: 0) }, completion)
    }

    /// Looks at the clock: the time may have passed while the machine slept.
    func endPauseIfOver() {
        guard pausedUntil != 0, pausedUntil <= clock.now().microseconds else { return }
        takeIn(pauseUntil: 0)
        store.setSettings([Key.pausedUntil: nil]) { [log] result in
            if case .failure(let error) = result {
                log.warning("cannot store that a pause is over: \(error)")
            }
        }
    }

    private func takeIn(pauseUntil end: Int64) {
        var properties: [Events1.Property] = [.pausedUntil]
        if (end == 0) != (pausedUntil == 0) {
            properties.append(.capturing)
            pausedSince = end == 0 ? nil : clock.now()
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
            self?.endPauseIfOver()
            // A clock that was set back leaves some of the pause.
            self?.scheduleEnd()
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

// MARK: - What is stored

extension EventSettings {
    private func text(_ key: String) -> String? {
        do throws(SentinelError) {
            return try store.setting(key)
        } catch {
            log.warning("the setting \(key) cannot be read: \(error)")
            return nil
        }
    }

    private func number(_ key: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let text = text(key) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            log.warning("the stored setting \(key) is not valid and not used")
            return nil
        }
        return number
    }

    private func storedRules() -> EventRules? {
        guard let text = text(Key.rules) else { return nil }
        do {
            return try EventRules(document: try JSONValue(parsing: text.utf8))
        } catch {
            log.warning("the stored setting \(Key.rules) is not valid and not used")
            return nil
        }
    }
}

/// What may be set for how long events are kept.
enum RetentionRange {
    /// 100 years.
    static let longestDays: UInt32 = 36_525
    static let smallestBytes: Int64 = 1 << 20
}
