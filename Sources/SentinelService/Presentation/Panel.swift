// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// `org.sentinel.Panel`: a program that draws the screens, which the bus starts where it is needed.
///
/// It is called as every program that can be activated (Desktop Entry Specification, "D-Bus Activation").
struct Panel: Sendable {
    static let name: BusName = "org.sentinel.Panel"
    private static let path: ObjectPath = "/org/sentinel/Panel"
    private static let interface: InterfaceName = "org.freedesktop.Application"
    /// So long it may take to start and to show something.
    private static let deadline = Duration.seconds(10)

    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Has the panel show an application; `completion` gets the name of who has done it, nil if nobody has.
    func show(
        _ id: ApplicationID, _ options: PresentationOptions, completion: @escaping @Sendable (BusName?) -> Void
    ) -> PendingCall? {
        guard let message = message("show", id, options, to: Self.name) else {
            completion(nil)
            return nil
        }
        return connection.call(message, timeout: Self.deadline) { result in
            switch result {
            case .success(let reply):
                completion(reply.sender)
            case .failure(let error):
                if [.noReply, .cancelled].contains(error.code) {
                    // It may come to it yet, when nobody expects it any more.
                    dismiss(id, options, at: Self.name)
                }
                completion(nil)
            }
        }
    }

    /// Has a panel that runs dismiss an application; nobody waits for that.
    func dismiss(_ id: ApplicationID, _ options: PresentationOptions, at destination: BusName) {
        if let message = message("dismiss", id, options, to: destination, isAwaited: false) {
            connection.send(message)
        }
    }

    private func message(
        _ action: String, _ id: ApplicationID, _ options: PresentationOptions, to destination: BusName,
        isAwaited: Bool = true
    ) -> Message? {
        do throws(DBusError) {
            return try Message.methodCall(
                to: destination, Self.path, Self.interface, "ActivateAction", wantsReply: isAwaited,
                startsService: isAwaited
            ) { (writer) throws(DBusError) in
                try writer.write(action)
                try writer.write([Value.string(id.text), .string(options.screen)])
                try writer.write(options.platformData)
            }
        } catch {
            // A token that is as long as a message may be cannot be handed on.
            return nil
        }
    }
}
