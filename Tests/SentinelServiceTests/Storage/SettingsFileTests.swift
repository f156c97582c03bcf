// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

@Suite("A file of settings")
struct SettingsFileTests {
    private let tree: FileTree

    init() throws {
        tree = try FileTree()
    }

    private func file(_ name: String) -> SettingsFile {
        SettingsFile(path: tree.path(name), format: .env)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: tree.path(name), encoding: .utf8)
    }

    @Test("keeps its permissions, and a link to it stays one")
    func kept() throws {
        let place = try tree.write("real/file", "A=1\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: place)
        try tree.link("link", to: "real/file")
        try file("link").set("A", to: .integer(2))
        #expect(try text("real/file") == "A=2\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: tree.path("link")) == "real/file")
        let attributes = try FileManager.default.attributesOfItem(atPath: place)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("real")) == ["file"])
    }

    @Test("keeps its group; where it cannot, the other group gets none of its rights")
    func group() async throws {
        // Only root can give a file to any group, and take that right from a thread.
        guard geteuid() == 0 else { return }
        let place = try tree.write("file", "A=1\n")
        try #require(chown(tree.path(""), 65534, 65534) == 0 && chown(place, 65534, 12345) == 0)
        try #require(chmod(place, 0o664) == 0)
        try file("file").set("A", to: .integer(2))
        var status = stat()
        try #require(stat(place, &status) == 0)
        #expect(status.st_gid == 12345 && status.st_mode & 0o7777 == 0o664)
        typealias SetUser = @convention(c) (uid_t) -> Int32
        let become = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
        let failures = Recorder<String>()
        let thread = Thread { [file = file("file")] in
            _ = become(65534)
            do throws(SentinelError) {
                try file.set("A", to: .integer(3))
                failures.append("")
            } catch {
                failures.append(error.message)
            }
        }
        thread.start()
        #expect(try await failures.wait() == [""])
        try #require(stat(place, &status) == 0)
        #expect(try text("file") == "A=3\n")
        #expect(status.st_gid != 12345 && status.st_mode & 0o7777 == 0o604)
    }

    @Test("has no second name beside it before that is whole")
    func unnamed() throws {
        try tree.write("file", "A=1\n")
        let watch = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        defer { close(watch) }
        try #require(inotify_add_watch(watch, tree.path(""), UInt32(IN_MODIFY)) >= 0)
        try file("file").set("A", to: .integer(2))
        var events = [UInt8](repeating: 0, count: 4096)
        let count = max(read(watch, &events, events.count), 0)
        #expect(!String(decoding: events.prefix(count), as: UTF8.self).contains("file."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("")) == ["file"])
    }

    @Test("that another program changes meanwhile is read anew")
    func changedMeanwhile() throws {
        for name in ["old", "new"] {
            if name == "old" { try tree.write(name, "A=1\n") }
            var isChanged = false
            try file(name).change { (text) throws(SentinelError) in
                if !isChanged {
                    isChanged = true
                    overwrite(name, "A=1\nB=2\n")
                }
                return try SettingsText.replacing("A", with: .integer(3), in: text, .env)
            }
            #expect(try text(name) == "A=3\nB=2\n")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("")).sorted() == ["new", "old"])
    }

    @Test("that another program keeps changing is left to it")
    func changedAlways() throws {
        try tree.write("file", "")
        var count = 0
        let error = #expect(throws: SentinelError.self) {
            try file("file").change(pause: {}) { _ in
                count += 1
                overwrite("file", String(repeating: "B=1\n", count: count))
                return Array("A=1\n".utf8)
            }
        }
        #expect(error?.code == .unavailable)
        #expect(try text("file") == String(repeating: "B=1\n", count: count))
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("")) == ["file"])
    }

    @Test("that is empty may be one that is being saved")
    func emptied() throws {
        try tree.write("file", "")
        var pauses = 0
        try file("file").change(pause: {
            pauses += 1
            overwrite("file", "B=2\n")
        }) { (text) throws(SentinelError) in
            try SettingsText.replacing("A", with: .integer(1), in: text, .env)
        }
        #expect(pauses == 1)
        #expect(try text("file") == "B=2\nA=1\n")
        try tree.write("empty", "")
        try file("empty").set("A", to: .integer(1))
        #expect(try text("empty") == "A=1\n")
    }

    /// Writes a file in place, as programs do that do not rename.
    private func overwrite(_ name: String, _ text: String) {
        #expect(FileManager.default.createFile(atPath: tree.path(name), contents: nil))
        do {
            let handle = try #require(FileHandle(forWritingAtPath: tree.path(name)))
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            Issue.record(error)
        }
    }

    @Test("that is not there is made")
    func made() throws {
        try file("new").set("A", to: .integer(2))
        #expect(try text("new") == "A=2\n")
    }

    @Test("that is a link to nothing is not put in the link's place")
    func dangling() throws {
        try tree.link("link", to: "nowhere")
        let error = #expect(throws: SentinelError.self) { try file("link").set("A", to: .integer(2)) }
        #expect(error?.code == .unavailable)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: tree.path("link")) == "nowhere")
    }

    @Test("that may only be read is not replaced")
    func readOnly() throws {
        let place = try tree.write("file", "A=1\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: place)
        let error = #expect(throws: SentinelError.self) { try file("file").set("A", to: .integer(2)) }
        #expect(error?.code == .unavailable)
        #expect(try text("file") == "A=1\n")
    }

    @Test("gives several values at once, of which one that is wrong says nothing of the others")
    func several() throws {
        try tree.write("file", "A=1\nB=x\n")
        let values = file("file").values(of: [("A", .integer(0)), ("B", .integer(0)), ("C", .integer(0))])
        #expect(try values[0].get() == .integer(1))
        #expect(throws: SentinelError.self) { try values[1].get() }
        #expect(try values[2].get() == nil)
        #expect(try file("none").values(of: [("A", .integer(0))]).map { try $0.get() } == [nil])
    }
}
