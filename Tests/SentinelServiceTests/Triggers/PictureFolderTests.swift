// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SentinelService

@Suite("Pictures of a folder")
struct PictureFolderTests {
    private let tree: FileTree
    private var folder = PictureFolder()

    init() throws {
        tree = try FileTree()
    }

    private mutating func look() -> Bool {
        folder.take(PictureListing(of: tree.path("pictures")))
    }

    /// Waits until the clock of the file system goes on.
    private func tick() {
        let before = FileState.now()
        while FileState.now() == before {}
    }

    private func move(_ from: String, _ to: String) throws {
        try #require(rename(tree.path(from), tree.path(to)) == 0)
    }

    @Test("that are there at first are not new; one that comes is, once")
    mutating func comes() throws {
        try tree.write("pictures/old.png", "old")
        #expect(look() == false)
        #expect(look() == false)
        try tree.write("pictures/new.PNG", "new")
        #expect(look() == true)
        #expect(look() == false)
        try tree.write("pictures/new.PNG", "edited")
        #expect(look() == false)
        try FileManager.default.removeItem(atPath: tree.path("pictures/new.PNG"))
        #expect(look() == false)
        try tree.write("pictures/new.PNG", "again")
        #expect(look() == true)
    }

    @Test("are new when they are moved there, and not when they are renamed there")
    mutating func renamed() throws {
        try tree.write("pictures/old.png", "old")
        try tree.write("temporary", "picture")
        #expect(look() == false)
        try move("temporary", "pictures/new.png")
        #expect(look() == true)
        try move("pictures/new.png", "pictures/other.png")
        try move("pictures/old.png", "pictures/older.png")
        #expect(look() == false)
        try tree.link("pictures/link.png", to: "other.png")
        try #require(link(tree.path("pictures/older.png"), tree.path("pictures/hard.png")) == 0)
        #expect(look() == false)
    }

    @Test("are new once something is in them")
    mutating func written() throws {
        try tree.makeDirectory("pictures")
        #expect(look() == false)
        try tree.write("pictures/a.png", "")
        #expect(look() == false)
        try tree.write("pictures/a.png", "a")
        #expect(look() == true)
    }

    @Test("are those alone that are pictures and not hidden")
    mutating func others() throws {
        try tree.makeDirectory("pictures")
        #expect(look() == false)
        for name in ["text.txt", ".hidden.png", "png", "a.png.part", "b.png~"] {
            try tree.write("pictures/\(name)", "x")
        }
        try tree.makeDirectory("pictures/folder.png")
        #expect(look() == false)
    }

    @Test("of a folder that comes later are new if they came after it was looked for")
    mutating func later() throws {
        try tree.write("elsewhere/old.png", "old")
        tick()
        #expect(look() == false)
        tick()
        try move("elsewhere", "pictures")
        #expect(look() == false)
        try FileManager.default.removeItem(atPath: tree.path("pictures"))
        #expect(look() == false)
        tick()
        try tree.write("pictures/first.png", "first")
        #expect(look() == true)
        #expect(look() == false)
    }
}
