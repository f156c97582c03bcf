// SPDX-License-Identifier: MIT

import DBus

/// Follows who is the desktop portal, and makes the service known to everyone who becomes it.
///
/// Confined to the loop's thread.
final class PortalPresence: @unchecked Sendable {
    /// The application that the service is for the portal; newer portals deal with no nameless one.
    private static let application = "org.sentinel"
    private static let left = "the desktop portal has left the session bus"

    /// The portal, once it knows the service; nil while there is none.
    private(set) var portal: DesktopPortal?
    /// Why there is no portal, for people.
    private(set) var absence = ShortcutSession.asking
    /// Called when ``portal`` is another.
    var onChange: (() -> Void)?

    private let connection: Connection
    private let log: Log
    private let deadline: Duration
    private var owner: BusName?
    private var watch: Subscription?
    private var isStarting = false

    /// Begins to follow it.
    init(_ connection: Connection, log: Log, deadline: Duration) {
        self.connection = connection
        self.log = log
        self.deadline = deadline
        watch = connection.watchOwner(of: DesktopPortal.name) { [weak self] owner in self?.ownerChanged(to: owner) }
    }

    /// Has the bus start the portal if there is none.
    ///
    /// One that leaves is not started again by itself: it could have ended because of what it was asked.
    func startPortal() {
        guard owner == nil, !isStarting else { return }
        isStarting = true
        absence = ShortcutSession.asking
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName"
            ) { (writer) throws(DBusError) in
                try writer.write(DesktopPortal.name.text)
                try writer.write(UInt32(0))
            }
            connection.call(message, timeout: deadline) { [weak self] result in self?.started(result) }
        } catch {
            started(.failure(error))
        }
    }

    /// Follows it no more.
    func end() {
        onChange = nil
        watch = nil
        owner = nil
        portal = nil
    }

    private func started(_ result: Result<Message, DBusError>) {
        isStarting = false
        // One that comes is told of before the bus says that it has started it.
        guard owner == nil else { return }
        switch result {
        case .success:
            absence = Self.left
        case .failure(let error):
            absence =
                switch error.code {
                case .serviceUnknown: "there is no desktop portal on the session bus"
                case .noReply: "the desktop portal has not started, for which \(deadline) are allowed"
                default: "the desktop portal cannot be started (\(error.code))"
                }
            log.info("shortcuts wait for a desktop portal: \(absence)")
        }
    }

    private func ownerChanged(to new: BusName?) {
        guard watch != nil, new != owner else { return }
        owner = new
        portal = nil
        if let new {
            absence = ShortcutSession.asking
            register(at: DesktopPortal(connection: connection, owner: new, deadline: deadline))
        } else {
            absence = Self.left
        }
        onChange?()
    }

    /// Tells the portal who calls (`org.freedesktop.host.portal.Registry`); it must be the first that it is told.
    private func register(at portal: DesktopPortal) {
        let write = { (writer: inout Writer) throws(DBusError) in
            try writer.write(Self.application)
            try writer.write([Key: Value]())
        }
        portal.call("org.freedesktop.host.portal.Registry", "Register", body: write) { [weak self] result in
            guard let self, owner == portal.owner else { return }
            if case .failure(let error) = result {
                // Older portals do not have it, and one that has been told before refuses.
                log.debug("the desktop portal takes no application id: \(error.code)")
            }
            self.portal = portal
            onChange?()
        }
    }
}
