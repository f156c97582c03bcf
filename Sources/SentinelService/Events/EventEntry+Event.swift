// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// An event as the service knows it.
typealias Event = SentinelModels.Event
/// An event as it travels.
typealias EventEntry = SentinelInterfaces.Event

extension EventEntry {
    /// The event as it travels.
    init(_ event: Event) {
        var attributes: [Key: Value] = [:]
        if !event.data.isEmpty {
            attributes["data"] = .options(event.data.busOptions)
        }
        for (key, mark) in Event.Marks.names where event.marks.contains(mark) {
            attributes[Key(key)] = .boolean(true)
        }
        self.init(
            id: event.id.description, timestamp: event.timestamp.microseconds, type: event.type.text,
            source: event.source.text, duration: EventDuration.seconds(event.duration), attributes: attributes)
    }
}

extension Event.Marks {
    /// The marks by their names, in the order of the contract.
    static let names: [(name: String, mark: Event.Marks)] = [
        ("open", .open), ("interrupted", .interrupted), ("redacted", .redacted),
    ]
}

/// The duration of an event in seconds, as the bus and files have it.
enum EventDuration {
    /// The seconds of a duration in microseconds; -1 for none.
    static func seconds(_ microseconds: Int64?) -> Double {
        microseconds.map { Double($0) / 1_000_000 } ?? -1
    }

    /// The microseconds of a duration in seconds; nil for none, which is -1.
    ///
    /// - Throws: code `invalidArgs` for what is neither -1 nor 0 to 30 days.
    static func microseconds(_ seconds: Double) throws(SentinelError) -> Int64? {
        guard seconds != -1 else { return nil }
        let longest = Double(Event.longestDuration) / 1_000_000
        guard seconds >= 0, seconds <= longest else {
            throw SentinelError(
                .invalidArgs, "duration: expected seconds from 0 to \(Int64(longest)) (30 days), or -1 for none")
        }
        return Int64((seconds * 1_000_000).rounded())
    }
}
