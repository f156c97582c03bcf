// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// The trigger that every application has: the signal `org.sentinel.Notification.Trigger`, from whomever and any path,
/// with an application's id or nothing.
///
/// Whoever has sent it may be gone already, as a shell's client is, so that nobody is asked who that was. Confined to the
/// loop's thread.
final class NotificationTrigger: @unchecked Sendable {
    private let connection: Connection
    private let registry: ApplicationRegistry
    private let firing: TriggerFiring
    private var subscription: Subscription?

    /// Why it cannot fire; nil if it can.
    private(set) var obstacle: String?

    init(_ connection: Connection, registry: ApplicationRegistry, firing: TriggerFiring) {
        self.connection = connection
        self.registry = registry
        self.firing = firing
    }

    /// Listens from now on.
    func start() {
        let rule = MatchRule(interface: Notification.Trigger.interface, member: Notification.Trigger.member)
        subscription = connection.subscribe(
            to: rule,
            ended: { [weak self] error in self?.obstacle = "the message bus refuses to tell of it: \(error.code)" },
            { [weak self] in self?.take($0) })
    }

    /// Listens no more.
    func stop() {
        subscription?.cancel()
        subscription = nil
    }

    private func take(_ signal: Message) {
        guard signal.sender != connection.uniqueName else { return }
        guard let application = application(of: signal) else { return firing.count(.notificationTrigger) }
        firing.fire(.notificationTrigger, Name.notificationTrigger.text, of: application, presents: true)
    }

    /// The application that is meant; nil if it is not known.
    private func application(of signal: Message) -> KnownApplication? {
        guard signal.signature != "" else { return registry.service }
        var body = signal.body
        guard let text = body.optionalText() else { return nil }
        do throws(SentinelError) {
            return text.isEmpty ? registry.service : registry.find(try ApplicationID(text))
        } catch {
            // What is no id is nobody's.
            return nil
        }
    }
}
