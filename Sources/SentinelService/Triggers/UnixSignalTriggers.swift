// SPDX-License-Identifier: MIT

import SentinelModels

/// Triggers that wait for signals which are sent to the service's process.
///
/// Confined to the loop's thread.
final class UnixSignalTriggers: TriggerSource {
    private let fire: (Name) -> Void
    private var signals: [Name: TriggerCause.UnixSignal] = [:]

    init(fire: @escaping (Name) -> Void) {
        self.fire = fire
    }

    /// A signal has been sent to the process.
    func take(_ signal: TriggerCause.UnixSignal) {
        for (trigger, awaited) in signals.sorted(by: { $0.key < $1.key }) where awaited == signal {
            fire(trigger)
        }
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        if case .unixSignal(let signal) = cause {
            signals[trigger] = signal
        }
    }

    func remove(_ trigger: Name) {
        signals[trigger] = nil
    }

    func obstacle(to trigger: Name) -> String? { nil }

    func stop() {
        signals = [:]
    }
}
