// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport

/// An event as it travels.
typealias EventEntry = SentinelInterfaces.Event

extension TestClient {
    /// The event store, which some calls keep busy for long.
    var events: Events1Proxy {
        Events1Proxy(connection, destination: Self.service, path: "/org/sentinel", timeout: patience)
    }

    /// Records an event of type `test` and source `com.example.Test`, unless others are given.
    @discardableResult
    func record(
        _ type: String = "test", source: String = "com.example.Test", _ options: [Key: Value] = [:]
    ) async throws -> String {
        try await events.record(eventType: type, source: source, options: options)
    }

    /// All events that fit a filter, the newest first, page by page.
    func allEvents(_ filter: [Key: Value] = [:], limit: UInt32 = 0) async throws -> [EventEntry] {
        var all: [EventEntry] = []
        var cursor = ""
        repeat {
            let page = try await events.query(filter: filter, limit: limit, cursor: cursor)
            all += page.events
            cursor = page.nextCursor
        } while !cursor.isEmpty
        return all
    }

    /// The only event that fits a filter.
    func event(_ filter: [Key: Value]) async throws -> EventEntry {
        let found = try await allEvents(filter)
        guard found.count == 1 else { throw TestSupportError("\(found.count) events instead of one: \(found)") }
        return found[0]
    }

    /// The only event of an id.
    func event(id: String) async throws -> EventEntry {
        try await event(["ids": .strings([id])])
    }

    /// Collects what comes for the subscriptions of this client.
    func recordedSignals() async throws -> (signals: Recorder<Message>, subscription: Subscription) {
        try await record(MatchRule(interface: Events1.name, member: "Recorded"))
    }

    /// Collects the changes of the properties of the event store.
    func eventChanges() async throws -> (changes: Recorder<Message>, subscription: Subscription) {
        let rule = MatchRule(
            path: "/org/sentinel", interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            argument0: Events1.name.text)
        let (signals, subscription) = try await record(rule)
        return (signals, subscription)
    }
}

extension EventEntry {
    /// What was recorded with the event.
    var data: [Key: Value] {
        get throws { try attributes["data"].map { try [Key: Value]($0) } ?? [:] }
    }

    /// Whether a mark of the event is there and true.
    func isMarked(_ key: Key) -> Bool {
        attributes[key] == .boolean(true)
    }
}
