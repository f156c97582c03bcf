// SPDX-License-Identifier: MIT

import DBus

/// A call to the portal whose outcome comes later, as the signal `Response` of an object made for it
/// (`org.freedesktop.portal.Request`).
///
/// The call itself has a deadline; the outcome has none, since a person may have to be asked. Confined to the loop's
/// thread.
final class PortalRequest: @unchecked Sendable {
    /// What has come of it.
    enum Outcome {
        case granted([Key: Value])
        /// A person has said no.
        case refused
        /// The reason is for people.
        case failed(String)
    }

    private static let interface: InterfaceName = "org.freedesktop.portal.Request"

    private let portal: DesktopPortal
    private let path: ObjectPath
    private var completion: ((Outcome) -> Void)?
    private var subscription: Subscription?

    /// What the call has to carry among its options.
    let options: [Key: Value]

    /// - Parameter completion: called once, unless the request is closed before.
    init(to portal: DesktopPortal, completion: @escaping (Outcome) -> Void) throws(DBusError) {
        let token = DesktopPortal.makeToken()
        path = try portal.path(of: "request", token)
        options = ["handle_token": .string(token)]
        self.portal = portal
        self.completion = completion
    }

    /// Sends the call; once. The signal can come before the answer, and is waited for from before the call.
    func send(_ interface: InterfaceName, _ member: MemberName, body: (inout Writer) throws(DBusError) -> Void) {
        subscription = portal.subscribe(
            to: Self.interface, "Response", at: path,
            ended: { [weak self] error in self?.finish(.failed("its answer cannot be waited for (\(error.code))")) },
            { [weak self] signal in self?.finish(Self.outcome(in: signal)) })
        portal.call(interface, member, body: body) { [weak self] result in self?.answered(result) }
    }

    /// Gives it up, and with it what a person is being asked.
    func close() {
        guard completion != nil else { return }
        completion = nil
        subscription = nil
        portal.close(Self.interface, at: path)
    }

    private func answered(_ result: Result<Message, DBusError>) {
        guard let completion else { return }
        do throws(DBusError) {
            let handle = try result.read { (body) throws(DBusError) in try body.read(ObjectPath.self) }.get()
            guard handle != path else { return }
            // Portals that name another object are older than global shortcuts.
            close()
            completion(.failed(DesktopPortal.unknownForm))
        } catch {
            close()
            completion(.failed(Self.describe(error, deadline: portal.deadline)))
        }
    }

    private func finish(_ outcome: Outcome) {
        guard let completion else { return }
        self.completion = nil
        subscription = nil
        completion(outcome)
    }

    private static func outcome(in signal: Message) -> Outcome {
        guard signal.signature == "ua{sv}", signal.byteCount <= DesktopPortal.longestAnswer else {
            return .failed(DesktopPortal.unknownForm)
        }
        do throws(DBusError) {
            var body = signal.body
            switch try body.read(UInt32.self) {
            case 0: return .granted(try body.read())
            case 1: return .refused
            case let code: return .failed("the desktop portal could not do it (response \(code))")
            }
        } catch {
            return .failed(DesktopPortal.unknownForm)
        }
    }

    private static func describe(_ error: DBusError, deadline: Duration) -> String {
        error.code == .invalidSignature
            ? DesktopPortal.unknownForm : DesktopPortal.describe(error, deadline: deadline)
    }
}
