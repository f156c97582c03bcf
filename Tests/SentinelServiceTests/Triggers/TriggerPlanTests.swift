// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import Testing

@testable import SentinelService

@Suite("Plans of triggers")
struct TriggerPlanTests {
    private static let signal: [Key: Value] = ["interface": .string("com.example.Door"), "member": .string("Opened")]

    /// Every kind with all that can be said of it.
    static var whole: [(kind: String, options: [Key: Value])] {
        [
            (
                "signal",
                signal.merging([
                    "path": .objectPath("/door"), "sender": .string(":1.5"), "arg0": .string("it's"),
                    "present": .boolean(false),
                ]) { $1 }
            ),
            ("unix-signal", ["signal": .string("SIGUSR2"), "present": .boolean(true)]),
            (
                "shortcut",
                [
                    "preferred": .string("CTRL+ALT+d"), "description": .string("Open it"), "present": .boolean(true),
                ]
            ),
            ("screenshot", ["present": .boolean(false)]),
            ("shake", ["present": .boolean(true)]),
            ("session", ["event": .string("wake"), "present": .boolean(true)]),
            ("file", ["path": .string("/tmp/a b"), "present": .boolean(true)]),
        ]
    }

    @Test("say the same on the bus, in the store and in a manifest", arguments: Self.whole.indices)
    func roundTrip(index: Int) throws {
        let (kind, options) = Self.whole[index]
        let plan = try TriggerPlan(kind: kind, options: options)
        #expect(plan.options == options)
        #expect(try TriggerPlan(plan.declaration) == plan)
        #expect(TriggerPlan.unknownOptions(of: plan.declaration).isEmpty)
    }

    @Test("present unless they are of the session")
    func presents() throws {
        #expect(try TriggerPlan(kind: "signal", options: Self.signal).presents)
        #expect(try !TriggerPlan(kind: "session", options: ["event": .string("lock")]).presents)
        #expect(try TriggerPlan(kind: "screenshot", options: [:]).presents)
    }

    @Test("take what they do not know for something of another version")
    func unknown() throws {
        let plan = try TriggerPlan(kind: "shake", options: ["strength": .double(2), "signal": .byte(1)])
        #expect(plan.options == ["present": .boolean(true)])
        let declaration = TriggerDeclaration(
            kind: try Name("shake"), options: [try Name("strength"): .double(2), try Name("present"): .boolean(true)])
        #expect(TriggerPlan.unknownOptions(of: declaration).map(\.text) == ["strength"])
    }

    @Test("name a file without the slashes at its end")
    func slashes() throws {
        let plan = try TriggerPlan(kind: "file", options: ["path": .string("/tmp/there//")])
        #expect(plan.options["path"] == .string("/tmp/there"))
    }

    @Test(
        "refuse what cannot be",
        arguments: [
            ("", [:]), ("Signal", [:]), ("notification", [:]), ("signal", [:]),
            ("signal", ["interface": .string("com.example.Door")]),
            ("signal", signal.merging(["interface": .string("nonsense")]) { $1 }),
            ("signal", signal.merging(["member": .string("a.b")]) { $1 }),
            ("signal", signal.merging(["path": .objectPath("/a"), "sender": .string("")]) { $1 }),
            ("signal", signal.merging(["path": .string("/a")]) { $1 }),
            ("signal", signal.merging(["sender": .string("org.sentinel")]) { $1 }),
            ("signal", signal.merging(["interface": .string("org.freedesktop.DBus.Local")]) { $1 }),
            ("signal", signal.merging(["arg0": .string(String(repeating: "x", count: 1024))]) { $1 }),
            ("signal", signal.merging(["interface": .string("org.sentinel.Tools1")]) { $1 }),
            ("signal", signal.merging(["interface": .string("org.sentinel.NotificationX")]) { $1 }),
            ("signal", signal.merging(["present": .string("yes")]) { $1 }),
            ("unix-signal", [:]), ("unix-signal", ["signal": .string("SIGKILL")]),
            ("unix-signal", ["signal": .int32(10)]),
            ("shortcut", ["preferred": .string("a\u{0}b")]), ("shortcut", ["description": .byte(1)]),
            ("session", [:]), ("session", ["event": .string("Lock")]),
            ("file", [:]), ("file", ["path": .string("relative")]), ("file", ["path": .string("/")]),
            ("file", ["path": .string("///")]), ("file", ["path": .objectPath("/a")]),
            ("file", ["path": .string("/" + String(repeating: "x", count: 4096))]),
        ] as [(String, [Key: Value])])
    func refused(kind: String, options: [Key: Value]) {
        #expect {
            try TriggerPlan(kind: kind, options: options)
        } throws: { error in
            DBusError(reporting: error).code == .invalidArgs
        }
    }

    @Test("take the signal that everybody may send, and names that only begin like the service's")
    func allowed() throws {
        for interface in ["org.sentinel.Notification", "org.sentinels.Tools1", "org.sentinelx"] {
            let options = Self.signal.merging(["interface": .string(interface)]) { $1 }
            #expect(try TriggerPlan(kind: "signal", options: options).options["interface"] == .string(interface))
        }
    }

    @Test("have the user's home where a manifest says so")
    func home() throws {
        let path = try Name("path")
        let declaration = TriggerDeclaration(kind: try Name("file"), options: [path: .text("~/a")])
        #expect(declaration.expanding(home: "/home/me")?.options[path] == .text("/home/me/a"))
        #expect(declaration.expanding(home: nil) == nil)
        let absolute = TriggerDeclaration(kind: try Name("file"), options: [path: .text("/~/a")])
        #expect(absolute.expanding(home: nil) == absolute)
    }

    @Test("have ids that depend on all that they wait for, and on nothing else")
    func ids() throws {
        let application = try ApplicationID("com.example.App")
        let other = try ApplicationID("com.example.Other")
        let causes = try Self.whole.map { try TriggerPlan(kind: $0.kind, options: $0.options).cause }
        var ids = try causes.map { try Trigger.id(of: application, $0, attempt: 0) }
        #expect(try ids == causes.map { try Trigger.id(of: application, $0, attempt: 0) })
        ids += try causes.map { try Trigger.id(of: other, $0, attempt: 0) }
        ids += try causes.map { try Trigger.id(of: application, $0, attempt: 1) }
        ids.append(try Trigger.id(of: application, .file(FilePath("/tmp/a")), attempt: 0))
        #expect(Set(ids).count == ids.count)
        #expect(ids[0].text.hasPrefix("signal-"))
        #expect(ids.allSatisfy { $0.text.utf8.count <= 28 })
    }
}
