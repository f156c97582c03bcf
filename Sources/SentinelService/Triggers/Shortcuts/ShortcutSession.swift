// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// A session of the portal `org.freedesktop.portal.GlobalShortcuts`, in which one set of shortcuts is bound.
///
/// A session binds once: another set needs another session. It is left alone once it has failed; when to try again is
/// decided outside. Confined to the loop's thread.
final class ShortcutSession: @unchecked Sendable {
    /// What a shortcut asks for.
    struct Wish: Hashable, Sendable {
        /// What the desktop tells people of it.
        var description: String
        /// The keys, in the syntax of the XDG shortcuts specification.
        var preferred: String?
    }

    private enum State {
        case creating
        case binding
        /// The portal has bound without saying what.
        case listing
        /// The ids that the desktop has bound.
        case bound(Set<Name>)
        /// The reason is for people.
        case over(String)
    }

    static let asking = "the desktop is being asked for it"
    private static let interface: InterfaceName = "org.freedesktop.portal.GlobalShortcuts"
    private static let sessionInterface: InterfaceName = "org.freedesktop.portal.Session"

    /// The shortcuts by their ids.
    let wishes: [Name: Wish]
    private let portal: DesktopPortal
    private let log: Log
    private let activated: (Name) -> Void

    private var state = State.creating
    /// The object of the session, whose path is known before it is there.
    private var handle: ObjectPath?
    private var request: PortalRequest?
    private var subscriptions: [Subscription] = []

    /// - Parameter activated: called when the keys of a shortcut are pressed.
    init(_ wishes: [Name: Wish], at portal: DesktopPortal, log: Log, activated: @escaping (Name) -> Void) {
        self.wishes = wishes
        self.portal = portal
        self.log = log
        self.activated = activated
    }

    /// Opens the session and has the shortcuts bound in it; once.
    func start() {
        do throws(DBusError) {
            let token = DesktopPortal.makeToken()
            handle = try portal.path(of: "session", token)
            subscribe()
            let request = try PortalRequest(to: portal) { [weak self] outcome in self?.created(outcome) }
            self.request = request
            let options = request.options.merging(["session_handle_token": .string(token)]) { $1 }
            request.send(Self.interface, "CreateSession") { (writer) throws(DBusError) in
                try writer.write(options)
            }
        } catch {
            fail(DesktopPortal.describe(error, deadline: portal.deadline))
        }
    }

    /// Why a shortcut cannot be used at the moment, for people; nil if it can.
    func obstacle(to id: Name) -> String? {
        switch state {
        case .creating, .listing: Self.asking
        case .binding: "the desktop asks the person"
        case .bound(let ids): ids.contains(id) ? nil : "the desktop has not bound it"
        case .over(let reason): reason
        }
    }

    /// Ends the session, and with it what a person is being asked.
    func close() {
        if case .over = state { return }
        end("the session of shortcuts has ended")
    }
}

// MARK: - Opening and binding

extension ShortcutSession {
    private func created(_ outcome: PortalRequest.Outcome) {
        guard case .creating = state, let results = results(in: outcome) else { return }
        do throws(DBusError) {
            let handle = try Self.handle(in: results)
            self.handle = handle
            state = .binding
            let request = try PortalRequest(to: portal) { [weak self] outcome in self?.bound(outcome) }
            self.request = request
            request.send(Self.interface, "BindShortcuts") { [wishes] (writer) throws(DBusError) in
                try writer.write(handle)
                try writer.write(wishes.sorted { $0.key < $1.key }.map { PortalShortcut($0.key, $0.value) })
                // No window: the service has none.
                try writer.write("")
                try writer.write(request.options)
            }
        } catch {
            fail(DesktopPortal.unknownForm)
        }
    }

    private func bound(_ outcome: PortalRequest.Outcome) {
        guard case .binding = state, let results = results(in: outcome) else { return }
        guard let list = results["shortcuts"] else { return askForList() }
        do throws(DBusError) {
            settle(ids(of: try [PortalShortcut](list)))
        } catch {
            fail(DesktopPortal.unknownForm)
        }
    }

    /// Asks what has been bound, since there are desktops that do not say it after they have asked a person.
    private func askForList() {
        state = .listing
        guard let handle else { return }
        do throws(DBusError) {
            let request = try PortalRequest(to: portal) { [weak self] outcome in self?.listed(outcome) }
            self.request = request
            request.send(Self.interface, "ListShortcuts") { (writer) throws(DBusError) in
                try writer.write(handle)
                try writer.write(request.options)
            }
        } catch {
            fail(DesktopPortal.describe(error, deadline: portal.deadline))
        }
    }

    private func listed(_ outcome: PortalRequest.Outcome) {
        guard case .listing = state else { return }
        request = nil
        do throws(DBusError) {
            guard case .granted(let results) = outcome, let list = results["shortcuts"] else {
                // The binding has been granted; without a list it is taken by its word.
                return settle(Set(wishes.keys))
            }
            settle(ids(of: try [PortalShortcut](list)))
        } catch {
            settle(Set(wishes.keys))
        }
    }

    private func settle(_ ids: Set<Name>) {
        state = .bound(ids)
        log.debug("shortcuts that the desktop has bound: \(ids.count) of \(wishes.count)")
    }

    /// What a request was granted; nil if it was not, and the session has ended with that.
    private func results(in outcome: PortalRequest.Outcome) -> [Key: Value]? {
        request = nil
        switch outcome {
        case .granted(let results):
            return results
        case .refused:
            fail("the person has refused it")
        case .failed(let reason):
            fail(reason)
        }
        return nil
    }

    /// The session's object: a path by its meaning, which the portal gives as text.
    private static func handle(in results: [Key: Value]) throws(DBusError) -> ObjectPath {
        switch results["session_handle"]?.unwrapped {
        case .string(let text): try ObjectPath(text)
        case .objectPath(let path): path
        default: throw DBusError(.invalidArgs, "the portal names no session")
        }
    }

    /// Those of the shortcuts that the portal lists which are the session's.
    private func ids(of shortcuts: [PortalShortcut]) -> Set<Name> {
        let listed = Set(shortcuts.map { Key($0.id) })
        return Set(wishes.keys.filter { listed.contains(Key($0.text)) })
    }

    private func fail(_ reason: String) {
        log.notice("shortcuts cannot be used: \(reason)")
        end(reason)
    }

    private func end(_ reason: String) {
        state = .over(reason)
        subscriptions = []
        request?.close()
        request = nil
        if let handle {
            // Also where the portal has not said that it is there: it may come to that yet.
            portal.close(Self.sessionInterface, at: handle)
        }
        handle = nil
    }
}

// MARK: - Signals

extension ShortcutSession {
    private func subscribe() {
        subscriptions = [
            portal.subscribe(to: Self.interface, "Activated", at: DesktopPortal.path) { [weak self] signal in
                self?.keysPressed(signal)
            },
            portal.subscribe(to: Self.interface, "ShortcutsChanged", at: DesktopPortal.path) { [weak self] signal in
                self?.shortcutsChanged(signal)
            },
            portal.subscribe(to: Self.sessionInterface, "Closed") { [weak self] signal in
                guard let self, let handle, signal.path == handle else { return }
                // There is nothing left to close.
                self.handle = nil
                fail("the desktop has ended the session of shortcuts")
            },
        ]
    }

    private func keysPressed(_ signal: Message) {
        guard signal.signature == "osta{sv}" else { return }
        do throws(DBusError) {
            var body = signal.body
            guard try body.read(ObjectPath.self) == handle else { return }
            let text = try body.read(String.self)
            guard let id = wishes.keys.first(where: { Key($0.text) == Key(text) }) else { return }
            if case .bound(let ids) = state {
                // Whatever the desktop has listed.
                state = .bound(ids.union([id]))
            }
            activated(id)
        } catch {
            // A signal that cannot be read is none of this session.
        }
    }

    /// Takes the whole list of the bound shortcuts, which desktops send when a person has changed something.
    private func shortcutsChanged(_ signal: Message) {
        guard case .bound = state, signal.signature == "oa(sa{sv})", signal.byteCount <= DesktopPortal.longestAnswer
        else { return }
        do throws(DBusError) {
            var body = signal.body
            guard try body.read(ObjectPath.self) == handle else { return }
            state = .bound(ids(of: try body.read()))
        } catch {
            // What was known stays true.
        }
    }
}

extension PortalShortcut {
    fileprivate init(_ id: Name, _ wish: ShortcutSession.Wish) {
        var attributes: [Key: Value] = ["description": .string(wish.description)]
        attributes["preferred_trigger"] = wish.preferred.map(Value.string)
        self.init(id: id.text, attributes: attributes)
    }
}
