// SPDX-License-Identifier: MIT

import DBus

/// The process that owns the name of the desktop portal at a moment (`xdg-desktop-portal(8)`).
///
/// It is called by its unique name, and signals are taken from that name alone: nobody else can answer for it.
struct DesktopPortal: Sendable {
    static let name: BusName = "org.freedesktop.portal.Desktop"
    static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    /// What has come in a form that the documentation of the portal does not know.
    static let unknownForm = "the desktop portal has answered in a form that is not known"
    /// More than any answer needs, in bytes: the loop serves nobody else while it reads one.
    static let longestAnswer = 1 << 20

    let connection: Connection
    /// Its unique name.
    let owner: BusName
    /// How long the answer to a call is waited for; what a person decides has no such end.
    let deadline: Duration

    /// An object that the portal makes for the service's connection (`org.freedesktop.portal.Request`,
    /// `org.freedesktop.portal.Session`).
    ///
    /// - Parameter kind: `request` or `session`.
    func path(of kind: String, _ token: String) throws(DBusError) -> ObjectPath {
        let sender = connection.uniqueName.text.utf8.dropFirst()
            .map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 }
        return try Self.path.appending(kind).appending(String(decoding: sender, as: UTF8.self)).appending(token)
    }

    /// A last element for a path that is used once and cannot be guessed.
    static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return "sentinel_" + String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
    }

    /// Calls a method; `completion` gets the answer on the loop's thread, within the deadline.
    func call(
        _ interface: InterfaceName, _ member: MemberName, body: (inout Writer) throws(DBusError) -> Void,
        completion: @escaping PendingCall.Completion
    ) {
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: owner, Self.path, interface, member, startsService: false, body: body)
            connection.call(message, timeout: deadline, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Ends one of the objects that the portal has made; whether it has is of no interest.
    func close(_ interface: InterfaceName, at path: ObjectPath) {
        do throws(DBusError) {
            connection.send(
                try Message.methodCall(to: owner, path, interface, "Close", wantsReply: false, startsService: false))
        } catch {
            // The portal ends it with the service's connection.
        }
    }

    /// Takes signals of the portal, as long as the subscription lives.
    func subscribe(
        to interface: InterfaceName, _ member: MemberName, at path: ObjectPath? = nil,
        ended: @escaping @Sendable (DBusError) -> Void = { _ in },
        _ handler: @escaping @Sendable (Message) -> Void
    ) -> Subscription {
        let rule = MatchRule(sender: owner, path: path, interface: interface, member: member)
        return connection.subscribe(to: rule, ended: ended, handler)
    }

    /// Why a call failed, for people. The portal's own words are not repeated.
    static func describe(_ error: DBusError, deadline: Duration) -> String {
        switch error.code {
        case .noReply: "the desktop portal has not answered, for which \(deadline) are allowed"
        case .serviceUnknown, .nameHasNoOwner, .disconnected: "the desktop portal has left the session bus"
        case .unknownMethod, .unknownInterface, .unknownObject: "the desktop portal offers no global shortcuts"
        default: "the desktop portal has refused (\(error.code))"
        }
    }
}
