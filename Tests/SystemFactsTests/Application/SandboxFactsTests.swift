// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SystemFacts

@Suite("Facts of sandboxes")
struct SandboxFactsTests {
    static let flatpakInfo = """
        [Application]
        name=com.example.Editor
        runtime=runtime/org.gnome.Platform/x86_64/46

        [Instance]
        instance-id=1234567890
        instance-path=/home/u/.var/app/com.example.Editor
        app-commit=4e1d2a7f00c0ffee
        runtime-commit=77aa
        branch=stable
        arch=x86_64
        flatpak-version=1.14.4
        session-bus-proxy=true
        system-bus-proxy=true

        [Context]
        shared=network;ipc;
        sockets=x11;wayland;pulseaudio;
        filesystems=xdg-documents;!home;
        devices=

        [Session Bus Policy]
        org.gtk.vfs.*=talk
        com.example.Editor=own

        [Environment]
        TOKEN=secret
        """

    static let snapMetadata = """
        name: editor
        version: 1.10  # text, not a number
        title: 'The editor''s name'
        summary: "Edit: \\"texts\\""
        description: |
          name: wrong
          version: wrong
        confinement: strict
        apps:
          editor:
            command: bin/editor
        version: second
        """

    private let tree: FileTree

    init() throws {
        tree = try FileTree()
    }

    private func snapProcess(
        _ environment: [String: String], executable: String = "snap/editor/12/bin/editor"
    ) -> ObservedProcess {
        ObservedProcess(processID: getpid(), executable: tree.path(executable), environment: environment)
    }

    @Test("what Flatpak says of a sandbox is read, without the variables")
    func flatpak() throws {
        let facts = FlatpakFacts(try KeyFile(Self.flatpakInfo.utf8), application: "com.example.Editor")
        #expect(facts.application == "com.example.Editor")
        #expect(facts.runtime == "runtime/org.gnome.Platform/x86_64/46")
        #expect(facts.branch == "stable")
        #expect(facts.architecture == "x86_64")
        #expect(facts.applicationCommit == "4e1d2a7f00c0ffee")
        #expect(facts.runtimeCommit == "77aa")
        #expect(facts.instanceID == "1234567890")
        #expect(facts.flatpakVersion == "1.14.4")
        #expect(facts.usesSessionBusProxy)
        #expect(
            facts.permissions == [
                .init(name: "shared", values: ["ipc", "network"]),
                .init(name: "sockets", values: ["pulseaudio", "wayland", "x11"]),
                .init(name: "filesystems", values: ["!home", "xdg-documents"]),
                .init(name: "session-bus", values: ["com.example.Editor=own", "org.gtk.vfs.*=talk"]),
            ])
        #expect(!"\(facts)".contains("secret"))
    }

    @Test(
        "the number of an instance leads nowhere else",
        arguments: ["../1", "", "1/2", "1a", "-1", "123456789012345678901"])
    func badInstances(id: String) throws {
        let info = "[Application]\nname=a.b\n[Instance]\ninstance-id=\(id)\n"
        #expect(FlatpakFacts(try KeyFile(info.utf8), application: "a.b").instanceID == nil)
        #expect(
            factError { () throws(FactError) in try FlatpakInstance(id: id, runtimeDirectory: "/run") }?.code
                == .refused)
    }

    private func instance(_ json: String) throws -> FlatpakInstance {
        try tree.write("run/.flatpak/77/bwrapinfo.json", json)
        return try FlatpakInstance(
            id: "77", runtimeDirectory: tree.path("run"), processDirectory: tree.path("proc"))
    }

    @Test(
        "the first process of a sandbox is read from what bubblewrap writes",
        arguments: [
            "{\n    \"child-pid\": 4711,\n    \"cgroup-namespace\": 4026531835,\n    \"pid-namespace\": 4026532500\n}\n",
            "{\"child-pid\":4711}", " { \"x\" : [ 1 , {\"child-pid\": 5}, \"}\" ] , \"child-pid\" : 4711 } ",
            "{\"a\\\"child-pid\\\": 5\":null,\"child-pid\":4711}",
        ])
    func firstProcess(json: String) throws {
        #expect(try instance(json).firstProcessID() == 4711)
    }

    @Test(
        "what names no process is damaged",
        arguments: [
            "", "{}", "[]", "{\"child-pid\": }", "{\"child-pid\": \"4711\"}", "{\"child-pid\": 4711",
            "{\"child-pid\": 4711}}",
            "{\"child-pid\": 4711.5}", "{\"child-pid\": 0}", "{\"child-pid\": 1}", "{\"child-pid\": -4}",
            "{\"child-pid\": 99999999999}", "{\"child-pid\": 99999999999999999999999999}",
            "{\"child-pid\": 5, \"child-pid\": 6}",
            "{\"x\": {\"child-pid\": 5}}", "{\"child-pid\" 5}", "{child-pid: 5}",
            String(repeating: "{\"a\":", count: 2000),
            String(repeating: "[", count: 10_000), "{\"a\":\(String(repeating: "[", count: 5000))", "{\"a\": \"\\",
        ])
    func noProcess(json: String) throws {
        let instance = try instance(json)
        #expect(factError { () throws(FactError) in try instance.firstProcessID() }?.code == .malformed)
    }

    @Test("the application's process is the child of bubblewrap's init, and must be in the sandbox")
    func applicationProcess() throws {
        let instance = try instance("{\"child-pid\": 10}")
        try tree.write("proc/10/comm", "bwrap\n")
        try tree.write("proc/10/task/10/children", "11 12 ")
        try tree.write("proc/11/comm", "editor\n")
        #expect(try instance.applicationProcessID { $0 == 11 ? "77" : nil } == 11)
        for other in [nil, "78"] {
            #expect(
                factError { () throws(FactError) in try instance.applicationProcessID { _ in other } }?.code == .refused
            )
        }
        try tree.write("proc/10/comm", "editor\n")
        #expect(try instance.applicationProcessID { $0 == 10 ? "77" : nil } == 10)
        // A chain that does not end is not followed for ever.
        try tree.write("proc/10/comm", "bwrap\n")
        try tree.write("proc/10/task/10/children", "10")
        #expect(try instance.applicationProcessID { _ in "77" } == 10)
        try tree.write("proc/10/task/10/children", "99999999999999 x")
        #expect(try instance.applicationProcessID { _ in "77" } == 10)
    }

    @Test("a process outside a sandbox is in none, an ended one in none that is known")
    func outside() throws {
        let process = ObservedProcess(processID: getpid(), executable: "/usr/bin/x", environment: [:])
        guard case .none = try SandboxFacts.facts(of: process, securityLabel: "unconfined") else {
            Issue.record("the test's own process is in no sandbox")
            return
        }
        #expect(SandboxFacts.flatpakInstanceID(of: getpid()) == nil)
        let ended = ObservedProcess(processID: Int32.max, executable: nil, environment: [:])
        #expect(
            factError { () throws(FactError) in try SandboxFacts.facts(of: ended, securityLabel: nil) }?.code == .absent
        )
    }

    @Test("a snap's metadata is read at its top level, the first of each key")
    func snap() throws {
        let path = try tree.write("snap/editor/current/meta/snap.yaml", Self.snapMetadata)
        let facts = try SnapFacts("editor", process: nil, directories: [tree.path("none"), tree.path("snap")])
        #expect(facts.path == path)
        #expect(facts.version == "1.10")
        #expect(facts.title == "The editor's name")
        #expect(facts.summary == "Edit: \"texts\"")
        #expect(facts.confinement == "strict")
        #expect(facts.revision == nil)
        #expect(facts.absence == nil)
    }

    @Test(
        "values of a snap's metadata are read in the forms that snapcraft writes",
        arguments: [
            ("version: 1.0", "1.0"), ("version: '1'", "1"), ("version: \"1\"", "1"), ("version:   1  ", "1"),
            ("version: a\n  b\n  c\nname: x", "a b c"), ("version: a#b", "a#b"), ("version: a #b", "a"),
            ("version: # b", nil), ("version:", nil), ("version: |\n  x", nil), ("version: >-\n  x", nil),
            ("version: [1]", nil), ("version: {a: b}", nil), ("version: !!str 1", nil), ("version: &x 1", nil),
            ("version: *x", nil), (" version: 1", nil), ("version:1", nil), ("version: 'open", nil),
            ("version: \"\\x41\"", nil), ("versions: 1", nil), ("version: 1\r", "1"), ("", nil),
        ] as [(String, String?)])
    func snapValues(text: String, expected: String?) {
        #expect(SnapMetadata(text).values["version"] == expected)
    }

    @Test("variables of a snap count for a process whose executable lies in it")
    func snapVariables() throws {
        let directories = [tree.path("snap")]
        try tree.write("snap/editor/current/meta/snap.yaml", "version: current")
        let environment = ["SNAP_NAME": "editor", "SNAP_REVISION": "12", "SNAP_VERSION": "variable"]
        let own = try SnapFacts("editor", process: snapProcess(environment), directories: directories)
        #expect(own.revision == "12")
        #expect(own.version == "current")
        try tree.write("snap/editor/12/meta/snap.yaml", "version: running")
        #expect(
            try SnapFacts("editor", process: snapProcess(environment), directories: directories).version == "running")
        for process in [
            snapProcess(environment, executable: "usr/bin/editor"),
            snapProcess(["SNAP_NAME": "other", "SNAP_REVISION": "12"]),
            snapProcess(["SNAP_NAME": "editor", "SNAP_REVISION": "../../x"]),
        ] {
            let facts = try SnapFacts("editor", process: process, directories: directories)
            #expect(facts.revision == nil)
            #expect(facts.version == "current")
        }
    }

    @Test("a snap that is not mounted has the version of its variables, and the reason")
    func snapMissing() throws {
        let process = snapProcess(["SNAP_NAME": "editor", "SNAP_VERSION": "variable"])
        let facts = try SnapFacts("editor", process: process, directories: [tree.path("snap")])
        #expect(facts.version == "variable")
        #expect(facts.path == nil)
        #expect(facts.absence?.code == .absent)
    }

    @Test("the name of a snap leads nowhere else", arguments: ["", "..", "a/b", "../a", "A", "a\u{0}", "ä"])
    func badSnaps(name: String) {
        #expect(
            factError { () throws(FactError) in try SnapFacts(name, process: nil, directories: ["/snap"]) }?.code
                == .refused)
    }

    @Test("a snap is told by its label, and without one by variables that fit the executable")
    func snapSandbox() throws {
        try tree.write("snap/editor/current/meta/snap.yaml", "version: 3")
        func name(_ process: ObservedProcess, _ label: String?) throws -> String? {
            let facts = try SandboxFacts.facts(
                of: process, securityLabel: label, snapDirectories: [tree.path("snap")])
            guard case .snap(let snap) = facts else { return nil }
            return snap.name
        }
        #expect(try name(snapProcess([:]), "snap.editor.editor (enforce)") == "editor")
        #expect(try name(snapProcess(["SNAP_INSTANCE_NAME": "editor"]), nil) == "editor")
        #expect(try name(snapProcess(["SNAP_NAME": "editor"], executable: "bin/x"), nil) == nil)
        #expect(try name(snapProcess([:]), nil) == nil)
    }
}
