// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Triggers that wait for signals on the session bus, from whomever unless a sender is named, who may be gone already.
///
/// Confined to the loop's thread.
final class SignalTriggers: TriggerSource, @unchecked Sendable {
    private let connection: Connection
    private let fire: (Name) -> Void
    private var subscriptions: [Name: Subscription] = [:]
    private var refusals: [Name: String] = [:]

    init(_ connection: Connection, fire: @escaping (Name) -> Void) {
        self.connection = connection
        self.fire = fire
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        guard case .signal(let rule) = cause else { return }
        subscriptions[trigger] = connection.subscribe(
            to: rule,
            ended: { [weak self] error in
                self?.refusals[trigger] = "the message bus refuses to tell of it: \(error.code)"
            },
            { [weak self] signal in
                guard let self, signal.sender != connection.uniqueName else { return }
                fire(trigger)
            })
    }

    func remove(_ trigger: Name) {
        subscriptions.removeValue(forKey: trigger)?.cancel()
        refusals[trigger] = nil
    }

    func obstacle(to trigger: Name) -> String? { refusals[trigger] }

    func stop() {
        subscriptions = [:]
    }
}
