// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

@Suite("Files of manifests")
struct ManifestFilesTests {
    private static let text = #"{"application": {"id": "com.example.App"}}"#

    @Test("in a directory that cannot be read are taken to be those that were there")
    func unreadable() throws {
        let tree = try FileTree()
        try tree.write("apps/com.example.App.json", Self.text)
        try tree.write("other/com.example.App.json", Self.text)
        let directories = [tree.path("apps"), tree.path("other")]
        let id = try ApplicationID("com.example.App")
        let before = ManifestFiles(in: directories, limits: Manifest.Limits(), since: ManifestFiles())
        #expect(before.isWhole)
        #expect(before.files[id]?.map(\.path) == directories.map { "\($0)/com.example.App.json" })
        // A directory that leads to itself is one that nobody can read, not even root.
        try FileManager.default.removeItem(atPath: tree.path("apps"))
        try tree.link("apps", to: "apps")
        let after = ManifestFiles(in: directories, limits: Manifest.Limits(), since: before)
        #expect(!after.isWhole)
        #expect(after.files[id]?.map(\.path) == before.files[id]?.map(\.path))
        #expect(after.problems.count == 1)
        #expect(after.problems.first?.contains(tree.path("apps")) == true)
        let first = ManifestFiles(in: directories, limits: Manifest.Limits(), since: ManifestFiles())
        #expect(!first.isWhole)
        #expect(first.files[id]?.count == 1)
    }

    @Test("that could not be read are read again, changed or not, and those that are links are known as such")
    func failed() throws {
        let tree = try FileTree()
        // It is there, and can be read as little as one for which there is no descriptor left.
        try tree.makeDirectory("apps/com.example.App.json")
        try tree.write("real", "{")
        try tree.link("apps/com.example.Link.json", to: "../real")
        let files = ManifestFiles(in: [tree.path("apps")], limits: Manifest.Limits(), since: ManifestFiles()).files
        let unread = try #require(files[ApplicationID("com.example.App")]?.first)
        #expect(unread.problem != nil && unread.identity == nil && !unread.isLink)
        let bad = try #require(files[ApplicationID("com.example.Link")]?.first)
        #expect(bad.problem != nil && bad.identity != nil && bad.isLink)
    }

    @Test("are none where there is no directory", arguments: ["none", "file"])
    func absent(name: String) throws {
        let tree = try FileTree()
        try tree.write("file", "")
        let files = ManifestFiles(in: [tree.path(name)], limits: Manifest.Limits(), since: ManifestFiles())
        #expect(files.isWhole)
        #expect(files.files.isEmpty && files.problems.isEmpty)
    }
}
