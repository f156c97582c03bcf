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
