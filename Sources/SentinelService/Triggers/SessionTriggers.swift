// SPDX-License-Identifier: MIT

import SentinelModels
import SystemFacts

/// Triggers that wait for what happens to the session or the machine, as `systemd-logind` tells.
///
/// Confined to the loop's thread.
final class SessionTriggers: TriggerSource {
    private let session: SessionMonitor
    private let fire: (Name) -> Void
    private var events: [Name: SessionEvent] = [:]

    init(_ session: SessionMonitor, fire: @escaping (Name) -> Void) {
        self.session = session
        self.fire = fire
    }

    /// Something has happened.
    func take(_ event: SessionEvent) {
        for (trigger, awaited) in events.sorted(by: { $0.key < $1.key }) where awaited == event {
            fire(trigger)
        }
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        guard case .session(let event) = cause else { return }
        events[trigger] = event
        session.retry()
    }

    func remove(_ trigger: Name) {
        events[trigger] = nil
    }

    func obstacle(to trigger: Name) -> String? {
        session.retry()
        return events[trigger].flatMap { session.obstacle(to: $0) }
    }

    func stop() {
        events = [:]
    }
}
