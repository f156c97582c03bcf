// SPDX-License-Identifier: MIT

import DBus

/// The properties of one object of a system service: asked for, and followed while the service is there.
///
/// Confined to the loop's thread.
final class ServiceProperties: @unchecked Sendable {
    /// Whom to ask for what.
    struct Target: Sendable {
        /// What the service is called where a fact tells its source.
        let label: String
        /// What it is asked for, with the verb to say that it is unavailable.
        let purpose: String
        let service: BusName
        let interface: InterfaceName
        /// The object; nil for the caller's session in logind, whose path must be asked for.
        let path: ObjectPath?
        /// Whether asking starts the service.
        let startsService: Bool
        /// Whether what the service has told stays true when it ends, as one does that ends when it is idle.
        let outlivesService: Bool
        /// The properties that are looked at.
        let properties: Set<Key>
    }

    private static let propertiesInterface: InterfaceName = "org.freedesktop.DBus.Properties"

    private let target: Target
    private let loop: EventLoop
    private let deadline: Duration

    /// What is known.
    private(set) var reading: ServiceReading
    /// When the last question's time was over without an answer; nil if there is an answer, or one is waited for.
    private(set) var silence: ContinuousClock.Instant?
    /// Called when ``reading`` is another.
    var onChange: (@Sendable () -> Void)?
    /// Called when the service has left the bus, or another has taken its name.
    var onGone: (@Sendable () -> Void)?

    private(set) var connection: Connection?
    private var owner: BusName?
    private var ownerWatch: Subscription?
    private var changes: (path: ObjectPath, subscription: Subscription)?
    private var waiting: [@Sendable () -> Void] = []
    private var isAsking = false
    private var mustAskAgain = false

    /// Names a service; nothing is asked yet.
    ///
    /// - Parameter deadline: how long one answer is waited for.
    init(_ target: Target, on loop: EventLoop, deadline: Duration) {
        self.target = target
        self.loop = loop
        self.deadline = deadline
        reading = ServiceReading(target.label, absent: ServiceReading.unasked)
    }

    /// Follows and asks the service on a connection.
    func attach(to connection: Connection) {
        loop.preconditionIsCurrent()
        self.connection = connection
        ownerWatch = connection.watchOwner(of: target.service) { [weak self, weak connection] owner in
            guard let self, self.connection === connection else { return }
            ownerChanged(to: owner)
        }
        if let path = target.path {
            follow(path, on: connection)
        }
        ask {}
    }

    /// Lets go of the connection, which may have ended already.
    func detach(_ reason: String) {
        loop.preconditionIsCurrent()
        connection = nil
        ownerWatch = nil
        changes = nil
        owner = nil
        isAsking = false
        mustAskAgain = false
        silence = nil
        noteGone(reason)
        answerWaiting()
    }

    /// Asks for all properties; `completion` is called once when they have come or cannot be had, within the deadline.
    func ask(_ completion: @escaping @Sendable () -> Void) {
        loop.preconditionIsCurrent()
        guard let connection else { return completion() }
        waiting.append(completion)
        guard !isAsking else { return }
        isAsking = true
        silence = nil
        let end = ContinuousClock.now + deadline
        if let path = target.path {
            askAll(of: path, on: connection, until: end)
        } else {
            askSession(on: connection, until: end)
        }
    }

    /// Calls a method of the service's object, which starts nothing.
    func call(_ member: MemberName, completion: @escaping @Sendable (Result<Message, DBusError>) -> Void) {
        guard let connection, let path = target.path else {
            return completion(.failure(DBusError(.disconnected, "there is no connection to the system bus")))
        }
        do {
            let message = try Message.methodCall(
                to: target.service, path, target.interface, member, startsService: false)
            connection.call(message, timeout: deadline, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// The object that is followed; nil while it is not known.
    var path: ObjectPath? { changes?.path }

    /// Whether the service is on the bus.
    var isPresent: Bool { owner != nil }

    /// What it is asked for, with the verb to say that it is unavailable.
    var purpose: String { target.purpose }

    /// Why a call to the service failed, for a person. A peer's own words are not repeated.
    func describe(_ error: DBusError) -> String {
        switch error.code {
        case .noReply: "no reply, for which \(deadline) are allowed"
        case .serviceUnknown, .nameHasNoOwner: "not on the system bus"
        default: error.code.text
        }
    }
}

// MARK: - Asking

extension ServiceProperties {
    /// Finds this process's session, or its user's graphical one (`GetSession("auto")` of `org.freedesktop.login1(5)`).
    private func askSession(on connection: Connection, until end: ContinuousClock.Instant) {
        send(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "GetSession", "auto", on: connection,
            until: end
        ) { owner, result in
            do throws(DBusError) {
                let reply = try result.get()
                var body = reply.body
                let path: ObjectPath = try body.read()
                owner.follow(path, on: connection)
                owner.askAll(of: path, on: connection, until: end)
            } catch {
                owner.finish(.failure(error))
            }
        }
    }

    private func askAll(of path: ObjectPath, on connection: Connection, until end: ContinuousClock.Instant) {
        send(path, Self.propertiesInterface, "GetAll", target.interface.text, on: connection, until: end) {
            owner, result in
            owner.finish(result.read { (body) throws(DBusError) in try body.read([Key: Value].self) })
        }
    }

    private func send(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ argument: String,
        on connection: Connection, until end: ContinuousClock.Instant,
        completion: @escaping @Sendable (ServiceProperties, Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: target.service, path, interface, member, startsService: target.startsService
            ) { (writer) throws(DBusError) in
                try writer.write(argument)
            }
            let time = max(end - .now, .zero)
            connection.call(message, timeout: time) { [weak self, weak connection] result in
                // What an earlier connection brings is of no use.
                guard let self, let connection, self.connection === connection else { return }
                completion(self, result)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<[Key: Value], DBusError>) {
        isAsking = false
        switch result {
        case .success(let properties):
            reading = ServiceReading(target.label, properties.filter { target.properties.contains($0.key) })
        case .failure(let error):
            if error.code == .noReply {
                silence = .now
            }
            noteGone(describe(error))
        }
        onChange?()
        answerWaiting()
        if mustAskAgain {
            mustAskAgain = false
            ask {}
        }
    }

    private func answerWaiting() {
        let completions = waiting
        waiting = []
        for completion in completions {
            completion()
        }
    }
}

// MARK: - Following

extension ServiceProperties {
    private func ownerChanged(to new: BusName?) {
        let old = owner
        owner = new
        guard old != new else { return }
        if old != nil {
            onGone?()
        }
        guard new != nil else {
            noteGone("it has left the system bus")
            onChange?()
            return
        }
        if isAsking {
            // The question went to an owner that has been replaced, unless there was none.
            mustAskAgain = old != nil
        } else {
            ask {}
        }
    }

    private func noteGone(_ reason: String) {
        if reading.properties == nil || !target.outlivesService {
            reading = ServiceReading(target.label, absent: reason)
        }
    }

    /// Takes changes of the object from the service's owner; the connection drops what others send.
    private func follow(_ path: ObjectPath, on connection: Connection) {
        guard changes?.path != path else { return }
        let rule = MatchRule(
            sender: target.service, path: path, interface: Self.propertiesInterface, member: "PropertiesChanged",
            argument0: target.interface.text)
        let subscription = connection.subscribe(to: rule) { [weak self, weak connection] signal in
            guard let self, self.connection === connection else { return }
            propertiesChanged(signal)
        }
        changes = (path, subscription)
    }

    private func propertiesChanged(_ signal: Message) {
        guard signal.signature == "sa{sv}as" else { return }
        do throws(DBusError) {
            var body = signal.body
            _ = try body.read(String.self)
            let values = try body.read([Key: Value].self).filter { target.properties.contains($0.key) }
            let invalidated = try body.read([String].self).contains { target.properties.contains(Key($0)) }
            if invalidated || reading.properties == nil {
                return ask {}
            }
            guard !values.isEmpty else { return }
            reading.change(values)
            onChange?()
        } catch {
            // A signal that cannot be read tells nothing; the next question does.
        }
    }
}
