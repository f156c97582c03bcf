// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport

extension TestClient {
    /// Adds a trigger. Where the machine is so busy that the service answers before it has looked at what it is to watch,
    /// this waits until it has.
    @discardableResult
    func addTrigger(_ id: String, _ kind: String, _ options: [Key: Value] = [:]) async throws -> String {
        let start = ContinuousClock.now
        let trigger = try await sentinel.addTrigger(applicationID: id, kind: kind, options: options)
        if ContinuousClock.now - start > .seconds(1.5) {
            let unknown = ["its file system has not answered yet", "where screenshots are is not known yet"]
            try await waitUntil("it is watched") {
                let reason = try await obstacle(to: trigger)
                return !unknown.contains { $0 == reason }
            }
        }
        return trigger
    }

    /// A trigger in the service's list; nil if there is none of the id.
    func trigger(_ id: String) async throws -> TriggerEntry? {
        try await sentinel.listTriggers().first { $0.id == id }
    }

    /// How often the cause of a trigger has come.
    func fired(_ id: String) async throws -> UInt64 {
        guard let fired = try await trigger(id)?.attributes["fired"] else {
            throw TestSupportError("there is no trigger \(id)")
        }
        return try UInt64(fired)
    }

    /// Why a trigger cannot fire; nil if it can.
    func obstacle(to id: String) async throws -> String? {
        guard let attributes = try await trigger(id)?.attributes, let available = attributes["available"] else {
            throw TestSupportError("there is no trigger \(id)")
        }
        let reason = try attributes["reason"].map { try String($0) }
        guard try Bool(available) == (reason == nil) else { throw TestSupportError("available, and \(reason ?? "")") }
        return reason
    }

    /// Collects what triggers fire from now on: each as its application and its id.
    func recordTriggers() async throws -> (signals: Recorder<Message>, subscription: Subscription) {
        try await record(
            MatchRule(sender: Self.service, interface: Sentinel1.name, member: Sentinel1.Triggered.member))
    }
}

extension Recorder<Message> {
    /// The ids of the triggers whose `Triggered` have come, in order.
    func triggers() throws -> [String] {
        try contents().map(\.triggerID)
    }

    /// The applications whose triggers have fired, in order.
    func applications() throws -> [String] {
        try contents().map(\.applicationID)
    }

    private func contents() throws -> [Sentinel1.Triggered] {
        try elements.map { signal in
            var body = signal.body
            return try Sentinel1.Triggered(from: &body)
        }
    }
}
