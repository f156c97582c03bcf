// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SystemFacts
import Testing

@testable import SentinelService

@Suite("Access policy")
struct AccessPolicyTests {
    static let own = "com.example.App"
    static let ownPath: ObjectPath = "/org/sentinel/apps/com_2eexample_2eApp"
    static let otherPath: ObjectPath = "/org/sentinel/apps/com_2eexample_2eOther"

    private let policy = AccessPolicy(userID: 1000)

    private static func peer(_ sandbox: Sandbox, user: UInt32 = 1000) -> Peer {
        Peer(processID: 42, userID: user, sandbox: sandbox)
    }

    static let flatpak = Sandbox.flatpak(application: own)

    /// A call as it may come: to any object, with texts as its arguments.
    struct Call: CustomTestStringConvertible, Sendable {
        let path: ObjectPath
        let interface: InterfaceName
        let member: MemberName
        let arguments: [String]

        init(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: String...) {
            self.path = path
            self.interface = interface
            self.member = member
            self.arguments = arguments
        }

        var testDescription: String { "\(path) \(interface).\(member)(\(arguments.joined(separator: ", ")))" }
    }

    private func allows(_ peer: Peer, _ call: Call, namesInterface: Bool = true) throws -> Bool {
        let message = try Message.methodCall(
            to: "org.sentinel", call.path, namesInterface ? call.interface : nil, call.member
        ) { (writer) throws(DBusError) in
            for argument in call.arguments {
                try writer.write(argument)
            }
        }
        return policy.allows(peer, message, interface: call.interface)
    }

    static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    static let manager: InterfaceName = "org.freedesktop.DBus.ObjectManager"

    /// What a sandboxed application may do: all with its own id or at its own object.
    static let allowed: [Call] =
        ["Register", "Unregister", "Trigger", "Show", "Dismiss"].map { Call("/org/sentinel", Sentinel1.name, $0, own) }
        + ["shortcut", "unix-signal", "screenshot", "shake", "session"].map {
            Call("/org/sentinel", Sentinel1.name, "AddTrigger", own, $0)
        }
        // Whose the triggers are is looked at later.
        + [
            Call("/org/sentinel", Sentinel1.name, "RemoveTrigger", "x"),
            Call("/org/sentinel", Sentinel1.name, "ListTriggers"),
        ]
        + Tools1.description.methods.map { Call(ownPath, Tools1.name, $0.name, "x") }
        + Preferences1.description.methods.map { Call(ownPath, Preferences1.name, $0.name, "x") }
        + ["Get", "Set", "GetAll"].flatMap { (member: MemberName) in
            [Preferences1.name, Tools1.name].map { Call(ownPath, properties, member, $0.text, "Profile") }
        }

    /// What it may do to events, of which it is looked at later whose they are.
    static let recording: [Call] = ["Record", "RecordBatch"].map { Call("/org/sentinel", Events1.name, $0, own) }

    /// What it may not: the same of others, and everything else.
    static let denied: [Call] = {
        var calls: [Call] = []
        for member: MemberName in ["Register", "Unregister", "Trigger", "Show", "Dismiss"] {
            for id in ["com.example.Other", "", "org.sentinel", own + ".More", own + " ", "com.example.app", "/"] {
                calls.append(Call("/org/sentinel", Sentinel1.name, member, id))
            }
            calls.append(Call("/org/sentinel", Sentinel1.name, member))
        }
        calls += ["file", "signal"].map { Call("/org/sentinel", Sentinel1.name, "AddTrigger", own, $0) }
        calls += [
            Call("/org/sentinel", Sentinel1.name, "AddTrigger", "com.example.Other", "shortcut"),
            Call("/org/sentinel", Sentinel1.name, "AddTrigger", own),
        ]
        let free: Set<MemberName> = [
            "Register", "Unregister", "Trigger", "Show", "Dismiss", "AddTrigger", "RemoveTrigger", "ListTriggers",
        ]
        calls += Sentinel1.description.methods.map(\.name).filter { !free.contains($0) }
            .map { Call("/org/sentinel", Sentinel1.name, $0, own) }
        for path in [otherPath, "/org/sentinel", "/", "/org/sentinel/apps", "/org/freedesktop/LogControl1"] {
            calls += Tools1.description.methods.map { Call(path, Tools1.name, $0.name, own) }
            calls += Preferences1.description.methods.map { Call(path, Preferences1.name, $0.name, own) }
            calls += ["Get", "Set", "GetAll"].map { Call(path, properties, $0, Preferences1.name.text, "Profile") }
        }
        for path in [ownPath, otherPath, "/org/sentinel"] {
            for description in [
                Application1.description, Performance1.description, Device1.description, Events1.description,
                Analytics1.description, LogControl1.description,
            ] {
                let all = description.methods.map { Call(path, description.name, $0.name, own) }
                calls += all.filter { call in !recording.contains { $0.testDescription == call.testDescription } }
                calls += ["Get", "Set", "GetAll"].map { Call(path, properties, $0, description.name.text, "Id") }
            }
            calls += [
                Call(path, manager, "GetManagedObjects"), Call(path, properties, "GetAll", ""),
                Call(path, properties, "Get", "", "Profile"), Call(path, properties, "GetAll"),
                Call(path, properties, "GetAll", Sentinel1.name.text),
            ]
        }
        return calls
    }()

    @Test(
        "who is confined may act for the own application",
        arguments: AccessPolicyTests.allowed + AccessPolicyTests.recording)
    func confined(call: Call) throws {
        #expect(try allows(Self.peer(Self.flatpak), call))
        // A call that leaves its interface out is the same call.
        #expect(try allows(Self.peer(Self.flatpak), call, namesInterface: false))
    }

    @Test("who is confined may do nothing else")
    func confinedToItself() throws {
        for call in Self.denied {
            #expect(try !allows(Self.peer(Self.flatpak), call), "\(call.testDescription)")
        }
    }

    @Test("a process of the same user or of root that is not confined may do everything", arguments: [1000, 0])
    func unconfined(user: UInt32) throws {
        for call in Self.allowed + Self.denied {
            #expect(try allows(Self.peer(.none, user: user), call), "\(call.testDescription)")
        }
    }

    @Test(
        "another user may do nothing, nor may a sandbox whose application is not known or has no usable id",
        arguments: [
            (Sandbox.none, 1001), (flatpak, 1001), (.none, .max), (.unidentified, 1000), (.unidentified, 0),
            (.flatpak(application: ""), 1000), (.flatpak(application: "app"), 1000),
            (.flatpak(application: "a/b"), 1000), (.flatpak(application: "com.example.App\n"), 1000),
            (.snap(name: "1st"), 1000),
        ] as [(Sandbox, UInt32)])
    func nothing(sandbox: Sandbox, user: UInt32) throws {
        let peer = Self.peer(sandbox, user: user)
        for call in Self.allowed + Self.denied {
            #expect(try !allows(peer, call), "\(call.testDescription)")
        }
    }

    @Test("a snap acts for snap.NAME")
    func snap() throws {
        let peer = Self.peer(.snap(name: "fire-fox"))
        #expect(try allows(peer, Call("/org/sentinel", Sentinel1.name, "Register", "snap.fire-fox")))
        #expect(
            try allows(peer, Call("/org/sentinel/apps/snap_2efire_2dfox", Preferences1.name, "List")))
        #expect(try !allows(peer, Call("/org/sentinel", Sentinel1.name, "Register", "fire-fox")))
        #expect(try !allows(peer, Call("/org/sentinel", Sentinel1.name, "Register", Self.own)))
    }

    @Test("an argument of another type than text is nobody's id")
    func otherTypes() throws {
        let message = try Message.methodCall(
            to: "org.sentinel", "/org/sentinel", Sentinel1.name, "Register"
        ) { (writer) throws(DBusError) in
            try writer.write(Value.string(Self.own))
        }
        #expect(!policy.allows(Self.peer(Self.flatpak), message, interface: Sentinel1.name))
    }
}
