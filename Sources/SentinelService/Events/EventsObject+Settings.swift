// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

// MARK: - Pause

extension EventsObject {
    func pause(seconds: Double, reply: Reply<>) {
        reply.attempt {
            let span = try Self.span(seconds, allowsZero: true)
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

    var pausedUntil: Int64 { settings.isCapturing ? 0 : settings.pausedUntil }

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
            guard value == 0 || (UInt64(RetentionRange.smallestBytes)...UInt64(Int64.max)).contains(value) else {
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
