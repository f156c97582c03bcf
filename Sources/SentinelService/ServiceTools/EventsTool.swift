// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// The service's tool `events`: what is recorded, and the newest of it.
///
/// Confined to the loop's thread.
final class EventsTool: ServiceTool {
    /// So many events are shown.
    private static let limit = 100

    let entry = ToolEntry(
        id: "events", name: "Events", kind: "database",
        attributes: ["description": .string("What is recorded of applications, the session and the machine.")])

    private let events: EventsObject

    init(_ events: EventsObject) {
        self.events = events
    }

    func content(completion: @escaping @Sendable (Result<[Section], SentinelError>) -> Void) {
        events.store.events(
            EventFilter(), limit: Self.limit, byteLimit: EventsObject.pageByteLimit, cursor: nil,
            completion: events.loop.completion { [events] result in
                completion(
                    result.map { page in
                        [events.storageSection, Section("newest", "Newest events", page.events.map { Item($0) })]
                    })
            })
    }
}

extension EventsObject {
    fileprivate var storageSection: Section {
        Section(
            "storage", "Storage",
            [
                .fact("capturing", "Recording", capturing),
                .fact("event_count", "Events", eventCount),
                .fact("storage_bytes", "Size", storageBytes, unit: "bytes"),
                .fact("location", "Location", location),
            ])
    }
}

extension Item {
    /// An event as an item of a screen, without what was recorded with it.
    fileprivate init(_ event: Event) {
        let duration = event.duration.map { ", \(Double($0) / 1_000_000) s" } ?? ""
        let open = event.marks.contains(.open) ? ", not over yet" : ""
        self = .fact(
            event.id.description, event.type.text, event.source.text,
            description: "\(event.timestamp)\(duration)\(open)")
    }
}
