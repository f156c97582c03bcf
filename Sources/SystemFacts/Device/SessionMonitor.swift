// SPDX-License-Identifier: MIT

public import DBus

/// Follows what `systemd-logind` makes known of this process's session and of the machine's sleep
/// (`org.freedesktop.login1(5)`).
///
/// A session is locked when its `LockedHint` says so, or with the signal `Lock`, which desktops without the hint obey
/// as well; each change counts once. Signals of others than logind do nothing, and logind is not started for it. It has
/// a connection to the system bus of its own: the services of ``DeviceMonitor`` are asked only when somebody wants to
/// know.
///
/// Confined to the loop's thread.
public final class SessionMonitor: @unchecked Sendable {
    private static let service: BusName = "org.freedesktop.login1"
    private static let deadline = Duration.seconds(10)
    /// A bus that is not there, or a logind that has not answered in time, is tried again no sooner than so long after
    /// the last attempt.
    private static let retryInterval = Duration.seconds(10)

    /// Called on the loop's thread when something has happened.
    public var onEvent: (@Sendable (SessionEvent) -> Void)?

    private let link: SystemBusLink
    private let logind: ServiceProperties
    private var subscriptions: [Subscription] = []
    /// Whether the session is locked; nil as long as nobody has told.
    private var isLocked: Bool?
    private var isAsleep = false
    private var isStarted = false

    /// Names the system bus; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - loop: the loop that the monitor lives on.
    ///   - systemBus: where the system bus listens; nil if that is not known.
    public init(on loop: EventLoop, systemBus: BusAddress?) {
        link = SystemBusLink(systemBus, on: loop)
        logind = ServiceProperties(.lockedHint, on: loop, deadline: Self.deadline)
        link.onChange = { [weak self] in self?.linkChanged() }
        logind.onChange = { [weak self] in self?.propertiesChanged() }
    }

    /// Connects in the background and follows logind. It may follow ``stop()``.
    public func start() {
        isStarted = true
        link.connect {}
    }

    /// Tries the system bus again if it is not there, or logind if it has not answered, for somebody who wants to know.
    public func retry() {
        guard isStarted else { return }
        let last = link.connection == nil ? link.lastAttempt : logind.silence
        if let last, .now - last < Self.retryInterval { return }
        if link.connection == nil {
            link.connect {}
        } else if last != nil {
            logind.ask {}
        }
    }

    /// Why an event would not be noticed at the moment, for people; nil if it would.
    public func obstacle(to event: SessionEvent) -> String? {
        guard link.connection != nil else { return link.reason }
        switch event {
        case .lock, .unlock:
            return logind.reading.properties == nil ? logind.reading.lack ?? "logind has not answered yet" : nil
        case .sleep, .wake:
            return logind.isPresent ? nil : "logind is not on the system bus"
        }
    }

    /// Lets go of the bus.
    public func stop() {
        isStarted = false
        detach()
        link.close()
    }

    private func linkChanged() {
        guard let connection = link.connection else { return detach() }
        let sleep = MatchRule(
            sender: Self.service, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
            member: "PrepareForSleep")
        subscriptions = [
            connection.subscribe(to: sleep) { [weak self] signal in self?.preparesForSleep(signal) },
            connection.subscribe(to: Self.sessionRule("Lock")) { [weak self] in self?.noteLock(true, $0) },
            connection.subscribe(to: Self.sessionRule("Unlock")) { [weak self] in self?.noteLock(false, $0) },
        ]
        logind.attach(to: connection)
    }

    private static func sessionRule(_ member: MemberName) -> MatchRule {
        MatchRule(
            sender: service, pathNamespace: "/org/freedesktop/login1/session",
            interface: "org.freedesktop.login1.Session", member: member)
    }

    private func detach() {
        subscriptions = []
        logind.detach(link.reason)
        isLocked = nil
        isAsleep = false
    }

    private func propertiesChanged() {
        guard let hint = logind.reading.truth("LockedHint").value else { return }
        // What was so before anybody looked is no change.
        if isLocked == nil {
            isLocked = hint
        } else {
            change(isLocked: hint)
        }
    }

    private func noteLock(_ isLocked: Bool, _ signal: Message) {
        guard let path = logind.path, signal.path == path else { return }
        change(isLocked: isLocked)
    }

    private func change(isLocked: Bool) {
        guard isLocked != self.isLocked else { return }
        self.isLocked = isLocked
        onEvent?(isLocked ? .lock : .unlock)
    }

    private func preparesForSleep(_ signal: Message) {
        guard signal.signature == "b" else { return }
        do throws(DBusError) {
            var body = signal.body
            let isAsleep: Bool = try body.read()
            guard isAsleep != self.isAsleep else { return }
            self.isAsleep = isAsleep
            onEvent?(isAsleep ? .sleep : .wake)
        } catch {
            // A signal that cannot be read tells nothing.
        }
    }
}

extension ServiceProperties.Target {
    /// Whether this process's session is locked.
    fileprivate static let lockedHint = Self(
        label: "logind", purpose: "the session's state is",
        service: "org.freedesktop.login1", interface: "org.freedesktop.login1.Session", path: nil,
        startsService: false, outlivesService: false, properties: ["LockedHint"])
}
