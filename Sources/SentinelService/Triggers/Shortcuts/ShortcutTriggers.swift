// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Watches for key combinations with the desktop's portal (`org.freedesktop.portal.GlobalShortcuts`).
///
/// Nothing is asked while there are no triggers. All triggers are bound in one session, and changes that come close
/// together at once, since people may be asked each time. Where that does not succeed, it is tried again when the
/// triggers change or another portal comes.
///
/// Confined to the loop's thread.
final class ShortcutTriggers: TriggerSource, @unchecked Sendable {
    private let connection: Connection
    private let log: Log
    private let gathering: Duration
    private let deadline: Duration
    private let applicationName: (Name) -> String?
    private let fire: (Name) -> Void

    private var wishes: [Name: ShortcutSession.Wish] = [:]
    private var presence: PortalPresence?
    private var session: ShortcutSession?
    /// Runs while changes are gathered.
    private var timer: LoopTimer?
    private var isStopped = false

    /// - Parameters:
    ///   - gathering: how long further changes are waited for after a first.
    ///   - deadline: how long the portal has to answer a call; people have all the time.
    ///   - applicationName: tells what people call the application of a trigger; nil where that is not known.
    ///   - fire: called with the id of a trigger whose keys are pressed.
    init(
        connection: Connection, log: Log, gathering: Duration = .milliseconds(250), deadline: Duration = .seconds(10),
        applicationName: @escaping (Name) -> String? = { _ in nil }, fire: @escaping (Name) -> Void
    ) {
        self.connection = connection
        self.log = log
        self.gathering = gathering
        self.deadline = deadline
        self.applicationName = applicationName
        self.fire = fire
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        guard !isStopped, case .shortcut(let shortcut) = cause else { return }
        let wish = ShortcutSession.Wish(
            description: shortcut.description?.text ?? defaultDescription(of: trigger),
            preferred: shortcut.preferred?.text)
        guard wishes.updateValue(wish, forKey: trigger) != wish else { return }
        if presence == nil {
            let presence = PortalPresence(connection, log: log, deadline: deadline)
            presence.onChange = { [weak self] in self?.portalChanged() }
            self.presence = presence
        }
        gather()
    }

    func remove(_ trigger: Name) {
        guard wishes.removeValue(forKey: trigger) != nil else { return }
        gather()
    }

    func obstacle(to trigger: Name) -> String? {
        guard let presence, let wish = wishes[trigger] else { return "nothing watches for it" }
        guard presence.portal != nil else { return presence.absence }
        guard let session, session.wishes[trigger] == wish else { return ShortcutSession.asking }
        return session.obstacle(to: trigger)
    }

    func stop() {
        isStopped = true
        wishes = [:]
        letGo()
    }

    private func defaultDescription(of trigger: Name) -> String {
        let menu = "Open the debug menu"
        return applicationName(trigger).map { "\(menu) of \($0)" } ?? menu
    }

    /// Waits for further changes before the portal is asked.
    private func gather() {
        guard timer == nil else { return }
        timer = connection.loop.schedule(after: gathering) { [weak self] in
            guard let self else { return }
            timer = nil
            triggersChanged()
        }
    }

    private func triggersChanged() {
        guard !wishes.isEmpty, let presence else { return letGo() }
        guard let portal = presence.portal else { return presence.startPortal() }
        guard session?.wishes != wishes else { return }
        bind(at: portal)
    }

    /// Binds at the portal that has come, or drops what the one that has left was asked.
    private func portalChanged() {
        session?.close()
        session = nil
        // The end of the gathering binds otherwise.
        if let portal = presence?.portal, timer == nil {
            bind(at: portal)
        }
    }

    private func bind(at portal: DesktopPortal) {
        session?.close()
        let session = ShortcutSession(wishes, at: portal, log: log) { [weak self] trigger in
            // One that is removed does not wait for the portal's doing.
            guard let self, wishes[trigger] != nil else { return }
            fire(trigger)
        }
        self.session = session
        session.start()
    }

    private func letGo() {
        timer?.cancel()
        timer = nil
        session?.close()
        session = nil
        presence?.end()
        presence = nil
    }
}
