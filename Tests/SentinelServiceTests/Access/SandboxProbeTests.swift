// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SystemFacts

@Suite("Sandbox probe")
struct SandboxProbeTests {
    @Test(
        "the application's name stands in the group Application or Runtime",
        arguments: [
            ("[Application]\nname=org.example.App\nruntime=runtime/x\n", "org.example.App"),
            ("[Application]\nruntime=runtime/x\nname=org.example.App", "org.example.App"),
            ("[Instance]\nname=other\n\n[Application]\nname=org.example.App\n", "org.example.App"),
            ("[Runtime]\nname=org.example.Platform\n", "org.example.Platform"),
            ("# comment\n[Application]\n# name=no\nname=org.example.App\n[Context]\nname=no\n", "org.example.App"),
            ("[Application]\nname=a=b\n", "a=b"),
            ("[Application]\nname=\u{301}a\nname=b\n", "\u{301}a"),
            ("[Instance]\nx=\r\n[Application]\nname=a\n", "a"),
        ])
    func names(info: String, name: String) {
        #expect(SandboxProbe.applicationName(in: info) == name)
    }

    @Test(
        "a file without a name there names no application",
        arguments: [
            "", "\n", "name=org.example.App", "[Instance]\nname=org.example.App\n", "[Application]\nNAME=a.b\n",
            "[Application]\nname=\n", "[application]\nname=a.b\n", "[Application\nname=a.b\n",
            "[Application]\nnames=a.b\n[Context]\nname=a.b", "\u{0}\u{1}", "[]\nname=a.b",
        ])
    func noNames(info: String) {
        #expect(SandboxProbe.applicationName(in: info) == nil)
    }

    @Test(
        "a snap is known by its AppArmor label",
        arguments: [
            ("snap.firefox.firefox (enforce)", "firefox"), ("snap.a-b.hook.configure", "a-b"), ("snap.x.y", "x"),
        ])
    func snaps(label: String, name: String) {
        #expect(SandboxProbe.snapName(in: label) == name)
    }

    @Test(
        "other labels are no snap's",
        arguments: [
            "", "unconfined", "snap", "snap.", "snap.firefox", "snap..firefox", "Snap.a.b", "/usr/bin/snap.a.b",
        ])
    func noSnaps(label: String) {
        #expect(SandboxProbe.snapName(in: label) == nil)
    }

    @Test("this process is not confined, whatever label that is no snap's it has")
    func unconfined() throws {
        for label in [nil, "unconfined", ""] {
            #expect(try SandboxProbe.sandbox(of: getpid(), securityLabel: label) == .none)
        }
        #expect(try SandboxProbe.sandbox(of: getpid(), securityLabel: "snap.x.y") == .snap(name: "x"))
    }

    @Test("a process that has ended, also one that nobody has asked about, is gone")
    func ended() throws {
        let process = try ChildProcess(["true"])
        try process.waitForEnd()
        #expect(throws: SandboxProbe.Failure.processGone) {
            try SandboxProbe.sandbox(of: process.identifier, securityLabel: nil)
        }
        for number: Int32 in [0, -1, .min, .max] {
            #expect(throws: SandboxProbe.Failure.processGone) {
                try SandboxProbe.sandbox(of: number, securityLabel: nil)
            }
        }
        let child = try ChildProcess(["sh", "-c", "sleep 0 & echo $!; exec sleep 60"])
        let zombie = try #require(Int32(try child.waitForFirstLine()))
        #expect(throws: SandboxProbe.Failure.processGone) {
            while true {
                _ = try SandboxProbe.sandbox(of: zombie, securityLabel: nil)
            }
        }
    }
}

extension LiveTests {
    @Suite(
        "Confined processes", .serialized, .timeLimit(.minutes(5)),
        .enabled(if: geteuid() == 0, "chroot(2) is root's"))
    struct ConfinedProcessTests {
        private func probe(_ place: (Confinement) throws -> Void) async throws -> Sandbox {
            let confinement = try Confinement(programs: ["sleep"])
            try place(confinement)
            let process = try await confinement.start(["sleep", "60"])
            return try SandboxProbe.sandbox(of: process.identifier, securityLabel: nil)
        }

        @Test("a process whose root has .flatpak-info is confined, and the file names its application")
        func flatpak() async throws {
            #expect(try await probe { _ in } == .none)
            let sandbox = try await probe { try $0.writeInfo("[Application]\nname=com.example.App\n") }
            #expect(sandbox == .flatpak(application: "com.example.App"))
        }

        @Test("where the file says no name, or is no file that can be read, the sandbox has no id")
        func unidentified() async throws {
            #expect(try await probe { try $0.writeInfo("") } == .unidentified)
            #expect(
                try await probe { try $0.writeInfo("[Application]\nname=a.b\n" + String(repeating: "#", count: 65536)) }
                    == .unidentified)
            #expect(
                try await probe {
                    try FileManager.default.createDirectory(atPath: $0.info, withIntermediateDirectories: false)
                } == .unidentified)
            #expect(
                try await probe {
                    try $0.writeInfo("[Application]\nname=a.b\n", to: "elsewhere")
                    try FileManager.default.createSymbolicLink(
                        atPath: $0.info, withDestinationPath: "elsewhere")
                } == .unidentified)
            #expect(try await probe { try $0.makePipe() } == .unidentified)
            #expect(
                try await probe {
                    try Data([0x5B, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: $0.info))
                } == .unidentified)
        }
    }
}
