// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence
import SystemFacts

/// The triggers of all applications: those that were added, the two that are always there, and what comes of their
/// firing.
///
/// Confined to the loop's thread.
final class TriggerService: @unchecked Sendable {
    /// Those that were added.
    let directory: TriggerDirectory
    /// The methods that are about triggers.
    let calls: TriggerCalls

    private let sources: TriggerSources
    private let firing: TriggerFiring
    private let notification: NotificationTrigger

    init(
        connection: Connection, registry: ApplicationRegistry, peers: PeerDirectory, store: Store,
        session: SessionMonitor, capture: EventCapture, environment: [String: String], limit: Int, log: Log
    ) {
        sources = TriggerSources(connection: connection, session: session, environment: environment, log: log)
        firing = TriggerFiring(objects: connection.objects, clock: .system, capture: capture)
        directory = TriggerDirectory(
            store: store, registry: registry, connection: connection, sources: sources, firing: firing, limit: limit,
            log: log)
        notification = NotificationTrigger(connection, registry: registry, firing: firing)
        calls = TriggerCalls(
            registry: registry, peers: peers, directory: directory, firing: firing, notification: notification)
    }

    /// Toggles the presentation of an application whose trigger fires.
    var toggle: ((KnownApplication) -> Void)? {
        get { firing.toggle }
        set { firing.toggle = newValue }
    }

    /// Begins to watch for the causes of triggers.
    func start() {
        notification.start()
        directory.start()
    }

    /// Lets go of all that is watched.
    func stop() {
        notification.stop()
        directory.stop()
    }

    /// Lets go of what belonged to an application that has been forgotten.
    func forget(_ id: ApplicationID) {
        directory.forget(id)
        firing.forget(id)
    }

    /// A signal has been sent to the process.
    func take(_ signal: TriggerCause.UnixSignal) {
        sources.take(signal)
    }

    /// Something has happened to the session or the machine.
    func take(_ event: SessionEvent) {
        sources.take(event)
    }
}
