// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

// MARK: - Pause

extension EventsObject {
    func pause(seconds: Double, reply: Reply<>) {
        reply.attempt {
            let span = try span(seconds, allowsZero: true)
            settings.pause(
                until: span == 0 ? EventSettings.untilResumed : clock.time(at: reply.call.arrival).microseconds + span,
                completion: answering(reply))
        }
    }

    func resume(reply: Reply<>) {
        settings.resume(completion: answering(reply))
    }

    var capturing: Bool { settings.isCapturing }

    func setCapturing(_ value: Bool, reply: Reply<>) {
        if value {
            settings.resume(completion: answering(reply))
        } else {
            settings.pause(until: EventSettings.untilResumed, completion: answering(reply))
        }
    }

    var pausedUntil: Int64 {
        settings.endPauseIfOver()
        return settings.pausedUntil
    }

    private func answering(_ reply: Reply<>) -> EventSettings.Completion {
        { result in
            reply.attempt {
                try result.get()
                reply()
            }
        }
    }
}

// MARK: - Rules and retention

extension EventsObject {
    var rules: [RuleEntry] { settings.rules.entries }

    func setRules(_ value: [RuleEntry], reply: Reply<>) {
        reply.attempt {
            settings.setRules(try EventRules(entries: value), completion: answering(reply))
        }
    }

    var retentionDays: UInt32 { settings.retentionDays }

    func setRetentionDays(_ value: UInt32, reply: Reply<>) {
        reply.attempt {
            guard value <= RetentionRange.longestDays else {
                throw SentinelError(
                    .invalidArgs, "expected 0 (for ever) to \(RetentionRange.longestDays) days (100 years)")
            }
            settings.setRetentionDays(value, completion: answering(reply))
        }
    }

    var maxBytes: UInt64 { settings.maxBytes }

    func setMaxBytes(_ value: UInt64, reply: Reply<>) {
        reply.attempt {
            guard value == 0 || (RetentionRange.smallestBytes...Int64.max).contains(Int64(clamping: value)),
                value <= Int64.max
            else {
                throw SentinelError(
                    .invalidArgs, "expected 0 (no limit), or bytes from \(RetentionRange.smallestBytes) to \(Int64.max)"
                )
            }
            settings.setMaxBytes(value, completion: answering(reply))
        }
    }
}

// MARK: - What is stored

extension EventsObject {
    var eventCount: UInt64 { store.eventCount }
    var storageBytes: UInt64 { store.storageBytes }
    var location: String { store.databasePath }
}

// MARK: - Beginning

extension EventsObject {
    /// Takes in what was set, closes what the end of the service before has left open, and removes what is too old.
    ///
    /// - Parameters:
    ///   - limit: how long the disk is waited for.
    ///   - completion: called once, when no event is open any more or the time is over.
    func begin(limit: Duration, completion: @escaping @Sendable () -> Void) {
        settings.load()
        settingsFollower?()
        let timer = loop.schedule(after: limit) { [weak self] in self?.began(completion) }
        store.closeOpenEvents(
            completion: loop.completion { [weak self, log] result in
                if case .failure(let error) = result {
                    log.warning("cannot close the events that were open at the last end: \(error)")
                }
                timer.cancel()
                self?.began(completion)
            })
        retention.expire()
    }

    private func began(_ completion: () -> Void) {
        guard !hasBegun else { return }
        hasBegun = true
        completion()
    }

    /// What the service tells of its recording.
    var document: JSONValue {
        [
            "capturing": .bool(capturing),
            "paused_until": .integer(pausedUntil),
            "rules": settings.rules.document,
            "retention_days": .integer(Int64(retentionDays)),
            "max_bytes": .unsigned(maxBytes),
            "event_count": .unsigned(eventCount),
            "storage_bytes": .unsigned(storageBytes),
            "location": .string(location),
        ]
    }
}
