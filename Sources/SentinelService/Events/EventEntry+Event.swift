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
