// SPDX-License-Identifier: MIT

import DBus

/// The desktop's notification server: the one connection that has been found behind the name.
///
/// Desktop Notifications Specification, 1.2.
struct NotificationServer: Sendable {
    static let wellKnownName: BusName = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"
    private static let interface: InterfaceName = "org.freedesktop.Notifications"
    /// So long the server may take to start, and to show something.
    static let deadline = Duration.seconds(5)
    /// So long the number is waited for of what it shows late, so that it can be closed.
    private static let lateness = Duration.seconds(600)
    /// The largest answer that is looked at, in bytes.
    private static let largestAnswer = 64 << 10

    /// What a server tells of a notification.
    enum Event: Sendable {
        /// A person has pressed the action of a key.
        case invoked(String)
        /// It is there no more.
        case closed
    }

    /// The key of an action, and its text.
    typealias Action = (key: String, label: String)

    /// Its unique name.
    let name: BusName
    let capabilities: NotificationCapabilities
    private let connection: Connection

    /// Finds the server, which the bus starts where it can; `completion` gets nil if there is none.
    static func find(
        on connection: Connection, completion: @escaping @Sendable (NotificationServer?) -> Void
    ) -> PendingCall? {
        do throws(DBusError) {
            let message = try Message.methodCall(to: wellKnownName, path, interface, "GetCapabilities")
            return connection.call(message, timeout: deadline) { result in
                guard case .success(let reply) = result, let name = reply.sender,
                    let names: [String] = results(reply)
                else { return completion(nil) }
                completion(
                    NotificationServer(
                        name: name, capabilities: NotificationCapabilities(names), connection: connection))
            }
        } catch {
            completion(nil)
            return nil
        }
    }

    /// Shows a notification, in the place of another if `replaced` is not 0; `completion` gets its number, nil if it is
    /// not shown.
    func notify(
        _ contents: NotificationContents, actions: [Action], replacing replaced: UInt32,
        completion: @escaping @Sendable (UInt32?) -> Void
    ) {
        // It stays until it is dismissed, and makes no noise: who sees it has asked for it.
        let hints: [Key: Value] = [
            "resident": .boolean(true), "suppress-sound": .boolean(true), "urgency": .byte(1),
        ]
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: name, Self.path, Self.interface, "Notify"
            ) { (writer) throws(DBusError) in
                try writer.write("Sentinel")
                try writer.write(replaced)
                try writer.write(contents.icon)
                try writer.write(contents.summary)
                try writer.write(contents.body)
                try writer.write(actions.flatMap { [$0.key, $0.label] })
                try writer.write(hints)
                try writer.write(Int32(0))
            }
            connection.call(message, timeout: Self.lateness) { result in
                guard case .success(let reply) = result, let number: UInt32 = Self.results(reply), number != 0
                else { return completion(nil) }
                completion(number)
            }
        } catch {
            completion(nil)
        }
    }

    /// Closes a notification; nobody waits for that.
    func close(_ number: UInt32) {
        do throws(DBusError) {
            connection.send(
                try Message.methodCall(
                    to: name, Self.path, Self.interface, "CloseNotification", wantsReply: false, startsService: false
                ) { (writer) throws(DBusError) in
                    try writer.write(number)
                })
        } catch {
            // Without memory for a message it stays.
        }
    }

    /// Has `handler` called with what this server, and nobody else, tells of notifications.
    func subscribe(_ handler: @escaping @Sendable (UInt32, Event) -> Void) -> [Subscription] {
        let pressed = connection.subscribe(to: rule("ActionInvoked")) { signal in
            guard let (number, key) = Self.arguments(signal, of: "us", as: String.self) else { return }
            handler(number, .invoked(key))
        }
        let closed = connection.subscribe(to: rule("NotificationClosed")) { signal in
            guard let (number, _) = Self.arguments(signal, of: "uu", as: UInt32.self) else { return }
            handler(number, .closed)
        }
        return [pressed, closed]
    }

    private func rule(_ member: MemberName) -> MatchRule {
        MatchRule(sender: name, path: Self.path, interface: Self.interface, member: member)
    }

    private static func arguments<Second: WireCodable>(
        _ signal: Message, of signature: String, as type: Second.Type
    ) -> (UInt32, Second)? {
        guard signal.signature.text == signature else { return nil }
        do throws(DBusError) {
            var body = signal.body
            return (try body.read(), try body.read())
        } catch {
            // What is not as it is specified says nothing.
            return nil
        }
    }

    private static func results<Results: WireCodable>(_ reply: Message) -> Results? {
        guard reply.byteCount <= largestAnswer, reply.signature.text == Results.wireType else { return nil }
        do throws(DBusError) {
            var body = reply.body
            return try body.read()
        } catch {
            // A server that answers with something else is none.
            return nil
        }
    }
}
