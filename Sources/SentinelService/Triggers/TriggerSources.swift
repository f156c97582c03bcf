// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// The sources of all kinds of trigger; each is made when its first trigger comes.
///
/// Confined to the loop's thread.
final class TriggerSources: @unchecked Sendable {
    /// Told when a trigger's cause has come.
    var fire: ((Name) -> Void)?
    /// Tells what people call the application of a trigger.
    var applicationName: ((Name) -> String?)?

    private let connection: Connection
    private let session: SessionMonitor
    private let environment: [String: String]
    private let log: Log
    /// The kinds that there are triggers of, or have been.
    private var used: Set<TriggerCause.Kind> = []

    private lazy var signals = SignalTriggers(connection) { [weak self] in self?.fire?($0) }
    private lazy var unixSignals = UnixSignalTriggers { [weak self] in self?.fire?($0) }
    private lazy var sessions = SessionTriggers(session) { [weak self] in self?.fire?($0) }
    private lazy var shortcuts = ShortcutTriggers(
        connection: connection, log: log, applicationName: { [weak self] in self?.applicationName?($0) }
    ) { [weak self] in self?.fire?($0) }
    private lazy var screenshots = ScreenshotTriggers(environment: environment, loop: connection.loop) {
        [weak self] in self?.fire?($0)
    }
    private lazy var shakes = ShakeTriggers(loop: connection.loop) { [weak self] in self?.fire?($0) }
    private lazy var files = FileTriggers(loop: connection.loop) { [weak self] in self?.fire?($0) }

    init(connection: Connection, session: SessionMonitor, environment: [String: String], log: Log) {
        self.connection = connection
        self.session = session
        self.environment = environment
        self.log = log
    }

    private func source(of kind: TriggerCause.Kind) -> any TriggerSource {
        switch kind {
        case .signal: signals
        case .unixSignal: unixSignals
        case .session: sessions
        case .file: files
        case .shortcut: shortcuts
        case .screenshot: screenshots
        case .shake: shakes
        }
    }

    /// Watches for the cause of a trigger.
    func add(_ trigger: Trigger) {
        let kind = trigger.plan.cause.kind
        used.insert(kind)
        source(of: kind).add(trigger.id, trigger.plan.cause)
    }

    /// Watches no more for the cause of a trigger.
    func remove(_ trigger: Trigger) {
        source(of: trigger.plan.cause.kind).remove(trigger.id)
    }

    /// Why a trigger cannot fire at the moment; nil if it can.
    func obstacle(to trigger: Trigger) -> String? {
        source(of: trigger.plan.cause.kind).obstacle(to: trigger.id)
    }

    /// Calls `completion` once the cause of a trigger would not be missed any more.
    func whenWatching(_ trigger: Trigger, _ completion: @escaping () -> Void) {
        source(of: trigger.plan.cause.kind).whenWatching(trigger.id, completion)
    }

    /// A signal has been sent to the process.
    func take(_ signal: TriggerCause.UnixSignal) {
        unixSignals.take(signal)
    }

    /// Something has happened to the session or the machine.
    func take(_ event: SessionEvent) {
        sessions.take(event)
    }

    /// Lets go of all that is watched.
    func stop() {
        for kind in used {
            source(of: kind).stop()
        }
    }
}
