// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// Who may call what.
///
/// Processes of the same user outside of a sandbox may call everything: they could read the same files. A sandboxed
/// one may act for its own application alone.
struct AccessPolicy: Sendable {
    /// The user that the service runs as.
    let userID: UInt32

    /// The methods of the front door that a sandboxed caller may use with its own id as the first argument.
    private static let ownMembers: Set<MemberName> = [
        "Register", "Unregister", "Trigger", "Show", "Dismiss", "AddTrigger",
    ]
    /// The methods of the front door that look by themselves at what is the caller's own: triggers have ids of their own.
    private static let triggerMembers: Set<MemberName> = ["RemoveTrigger", "ListTriggers"]
    /// The methods of the event store that a sandboxed caller may use for events of its own.
    private static let recordingMembers: Set<MemberName> = ["Record", "RecordBatch"]
    /// The interfaces of its own object that a sandboxed caller may use.
    private static let ownInterfaces: Set<InterfaceName> = [Tools1.name, Preferences1.name]
    /// The kinds of trigger that reach beyond the application.
    private static let outwardTriggers: Set<String> = ["file", "signal"]

    /// Whether a peer may make a call.
    func allows(_ peer: Peer, _ call: Message, interface: InterfaceName) -> Bool {
        guard peer.userID == userID || peer.userID == 0 else { return false }
        guard peer.sandbox != .none else { return true }
        guard let text = peer.sandbox.applicationID, let id = Self.id(text) else { return false }
        switch interface {
        case Sentinel1.name:
            return Self.allowsFrontDoor(id, call)
        case Events1.name:
            // Of which application the events are is looked at where they are read.
            guard call.path == ServiceObject.path, let member = call.member else { return false }
            return Self.recordingMembers.contains(member)
        case "org.freedesktop.DBus.Properties":
            return Self.isOwnObject(call.path, of: id) && Self.namesOwnInterface(call)
        default:
            return Self.isOwnObject(call.path, of: id) && Self.ownInterfaces.contains(interface)
        }
    }

    private static func allowsFrontDoor(_ id: ApplicationID, _ call: Message) -> Bool {
        guard let member = call.member else { return false }
        guard !triggerMembers.contains(member) else { return true }
        guard ownMembers.contains(member) else { return false }
        var body = call.body
        guard body.optionalText() == id.text else { return false }
        guard member == "AddTrigger" else { return true }
        guard let kind = body.optionalText() else { return false }
        return !outwardTriggers.contains(kind)
    }

    private static func isOwnObject(_ path: ObjectPath?, of id: ApplicationID) -> Bool {
        guard let path else { return false }
        return path.text == "\(ApplicationObjects.root)/\(id.busLabel)"
    }

    /// Whether the first argument of a call to `Properties` is an interface that the caller may use.
    private static func namesOwnInterface(_ call: Message) -> Bool {
        var body = call.body
        guard let name = body.optionalText() else { return false }
        return ownInterfaces.contains { $0.text == name }
    }

    private static func id(_ text: String) -> ApplicationID? {
        do {
            return try ApplicationID(text)
        } catch {
            // A sandbox whose application has no usable id has none here.
            return nil
        }
    }
}
