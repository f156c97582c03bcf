// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// Removes events that are older, or more, than is wanted, and copies of the database that are old.
///
/// A timer exists only while there is something that can grow too old. Confined to the loop's thread.
final class EventRetention: @unchecked Sendable {
    /// Events grow too old all the time; they are removed together, so often at most.
    private static let interval = Duration.seconds(60 * 60)
    /// After so many bytes of events another attempt is made where the last one has not made the store small enough.
    private static let stride = 256 << 10

    private let store: Store
    private let loop: EventLoop
    private let settings: EventSettings
    private let clock: WallClock
    private let log: Log
    private var timer: LoopTimer?
    private var due: Int64 = .max
    private var isExpiring = false
    private var mustExpireAgain = false
    /// How many bytes of events have been stored since the last attempt began.
    private var recordedBytes = 0
    /// Whether the last attempt has left the store larger than is wanted, as readers can cause it.
    private var wasInVain = false
    private var lastRun: Timestamp?

    init(store: Store, loop: EventLoop, settings: EventSettings, clock: WallClock, log: Log) {
        self.store = store
        self.loop = loop
        self.settings = settings
        self.clock = clock
        self.log = log
    }

    /// Removes what is to go now, and sees to the next.
    func expire() {
        guard !isExpiring else {
            mustExpireAgain = true
            return
        }
        timer?.cancel()
        timer = nil
        due = .max
        recordedBytes = 0
        isExpiring = true
        let now = clock.now()
        lastRun = now
        let limit = lifetime.map { Timestamp(clamping: now.microseconds - $0) }
        store.expireEvents(
            before: limit, maxBytes: settings.maxBytes == 0 ? nil : settings.maxBytes,
            completion: loop.completion { [weak self] result in self?.finish(result.map { _ in }) })
    }

    /// Notes events that have been stored.
    func note(_ events: [Event]) {
        recordedBytes += events.reduce(0) { $0 + $1.weight }
        guard !isExpiring else { return }
        if isTooLarge, !wasInVain || recordedBytes >= Self.stride {
            return expire()
        }
        guard let oldest = events.map(\.timestamp).min() else { return }
        schedule(for: oldest)
    }

    private var isTooLarge: Bool {
        settings.maxBytes != 0 && store.storageBytes > settings.maxBytes
    }

    /// For how long events are kept, in microseconds; nil for ever.
    private var lifetime: Int64? {
        settings.retentionDays == 0 ? nil : Int64(settings.retentionDays) * 86_400_000_000
    }

    private func finish(_ result: Result<Void, SentinelError>) {
        if case .failure(let error) = result {
            log.warning("cannot remove events that are to go", because: error)
        }
        store.oldestEvent(
            completion: loop.completion { [weak self] (result: Result<Timestamp?, SentinelError>) in
                self?.scheduleNext(result)
            })
    }

    private func scheduleNext(_ result: Result<Timestamp?, SentinelError>) {
        isExpiring = false
        wasInVain = isTooLarge && recordedBytes == 0
        // What was stored meanwhile may be too much again.
        if mustExpireAgain || isTooLarge && recordedBytes > 0 {
            mustExpireAgain = false
            return expire()
        }
        if case .success(let oldest?) = result {
            schedule(for: oldest)
        }
        store.nextCopyExpiry { [weak self, loop] time in
            loop.enqueue { [weak self] in
                if let time {
                    self?.schedule(at: time)
                }
            }
        }
    }

    /// Sees to it that an event goes when its time is over.
    private func schedule(for oldest: Timestamp) {
        guard let lifetime else { return }
        schedule(at: Timestamp(clamping: oldest.microseconds + lifetime))
    }

    private func schedule(at time: Timestamp) {
        let earliest = (lastRun ?? clock.now()).microseconds + Self.interval.microseconds
        let time = max(time.microseconds, earliest)
        guard time < due else { return }
        due = time
        timer?.cancel()
        timer = loop.schedule(after: .microseconds(max(time - clock.now().microseconds, 0))) { [weak self] in
            self?.expire()
        }
    }
}
