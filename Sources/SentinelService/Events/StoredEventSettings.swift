// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

/// What is stored of how events are recorded and for how long they are kept.
struct StoredEventSettings: Sendable {
    /// The names of the settings.
    enum Key {
        static let pausedUntil = "events.paused_until"
        static let rules = "events.rules"
        static let retentionDays = "events.retention_days"
        static let maxBytes = "events.max_bytes"
    }

    private(set) var pausedUntil: Int64 = 0
    private(set) var rules = EventRules()
    private(set) var retentionDays = RetentionRange.standardDays
    private(set) var maxBytes: UInt64 = 0
    /// What could not be read of what decides on recording, for people.
    private(set) var faults: [String] = []

    private let store: Store
    private let log: Log

    /// Reads all; waits for the disk. What is not valid, or cannot be read, is as if it had not been set, and where that
    /// decides on recording, a fault.
    init(reading store: Store, _ log: Log) {
        self.store = store
        self.log = log
        if let end = required(Key.pausedUntil, { Self.number($0, 0...Int64.max) }) {
            pausedUntil = end
        }
        if let stored = required(Key.rules, Self.rules) {
            rules = stored
        }
        if let days = optional(Key.retentionDays, { Self.number($0, 0...Int64(RetentionRange.longestDays)) }) {
            retentionDays = UInt32(clamping: days)
        }
        if let bytes = optional(Key.maxBytes, { Self.number($0, RetentionRange.smallestBytes...Int64.max) }) {
            maxBytes = UInt64(clamping: bytes)
        }
    }

    private func optional<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
        do throws(SentinelError) {
            return try value(key, read)
        } catch {
            log.warning("a stored setting is not used", because: error)
            return nil
        }
    }

    private mutating func required<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
        do throws(SentinelError) {
            return try value(key, read)
        } catch {
            if !error.isOfClosedStore {
                log.error("\(error.message): recording is paused until Resume")
            }
            faults.append("\(error.message): recording is paused until Resume")
            return nil
        }
    }

    private func value<Value>(_ key: String, _ read: (String) -> Value?) throws(SentinelError) -> Value? {
        let text: String?
        do throws(SentinelError) {
            text = try store.setting(key)
        } catch {
            throw SentinelError(
                error.code, "the stored setting \(key) cannot be read (\(error.message))", underlying: error)
        }
        guard let text else { return nil }
        guard let value = read(text) else {
            throw SentinelError(.storageDamaged, "the stored setting \(key) is not valid")
        }
        return value
    }

    private static func number(_ text: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let number = Int64(text), range.contains(number) else { return nil }
        return number
    }

    private static func rules(_ text: String) -> EventRules? {
        do {
            return try EventRules(document: try JSONValue(parsing: text.utf8))
        } catch {
            // What is wrong with them would tell what they hold.
            return nil
        }
    }
}
