// SPDX-License-Identifier: MIT

import SystemFacts
import TestSupport
import Testing

@Suite("Screenshot folder")
struct ScreenshotFolderTests {
    private let tree: FileTree

    init() throws {
        tree = try FileTree()
    }

    private func folder(_ environment: [String: String] = [:]) -> ScreenshotFolder {
        ScreenshotFolder(environment: ["HOME": tree.directory.path].merging(environment) { $1 })
    }

    @Test("without settings it is Screenshots in Pictures in the home directory")
    func standard() {
        #expect(folder().locate() == .success(tree.path("Pictures/Screenshots")))
        #expect(folder().settingsPath == tree.path(".config/user-dirs.dirs"))
        let slashes = folder(["HOME": "\(tree.directory.path)//", "XDG_CONFIG_HOME": "/conf/", "XDG_PICTURES_DIR": ""])
        #expect(slashes.locate() == .success(tree.path("Pictures/Screenshots")))
        #expect(slashes.settingsPath == "/conf/user-dirs.dirs")
    }

    @Test(
        "the settings name it, or the folder for pictures, below the home directory or anywhere",
        arguments: [
            ("XDG_PICTURES_DIR=\"$HOME/Bilder\"", "$HOME/Bilder/Screenshots"),
            ("XDG_PICTURES_DIR=\"/srv/pictures/\"", "/srv/pictures/Screenshots"),
            ("XDG_PICTURES_DIR=\"$HOME/\"", "$HOME/Pictures/Screenshots"),
            ("XDG_PICTURES_DIR=\"$HOME\"", "$HOME/Pictures/Screenshots"),
            ("XDG_PICTURES_DIR=\"/\"", "$HOME/Pictures/Screenshots"),
            ("XDG_PICTURES_DIR=\"Bilder\"", "$HOME/Pictures/Screenshots"),
            ("XDG_PICTURES_DIR=\"$HOMELAND/x\"", "$HOME/Pictures/Screenshots"),
            ("XDG_SCREENSHOTS_DIR=\"$HOME/Shots\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"", "$HOME/Shots"),
            ("XDG_SCREENSHOTS_DIR=\"$HOME/\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"", "$HOME/Bilder/Screenshots"),
            ("# XDG_SCREENSHOTS_DIR=\"/no\"\n\n  XDG_SCREENSHOTS_DIR='/a b/\u{e9}'\n", "/a b/\u{e9}"),
            ("XDG_SCREENSHOTS_DIR=\"/a\\\"b\\\\c\"", "/a\"b\\c"),
            ("XDG_SCREENSHOTS_DIR=\"/one\"\nXDG_SCREENSHOTS_DIR=\"/two\"", "/two"),
            ("nonsense\n=\n\u{202e}\nXDG_PICTURES_DIR", "$HOME/Pictures/Screenshots"),
        ])
    func settings(text: String, path: String) throws {
        try tree.write(".config/user-dirs.dirs", text)
        let home = tree.directory.path
        let expected = path.hasPrefix("$HOME") ? home + path.dropFirst("$HOME".count) : path
        #expect(folder().locate() == .success(expected))
    }

    @Test("the settings are read anew each time")
    func changes() throws {
        let folder = folder()
        try tree.write(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"/one\"")
        #expect(folder.locate() == .success("/one/Screenshots"))
        try tree.write(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"/two\"")
        #expect(folder.locate() == .success("/two/Screenshots"))
    }

    @Test("what the settings do not name, the environment can")
    func environment() throws {
        #expect(folder(["XDG_SCREENSHOTS_DIR": "/shots/"]).locate() == .success("/shots"))
        #expect(folder(["XDG_PICTURES_DIR": "/pictures"]).locate() == .success("/pictures/Screenshots"))
        #expect(
            folder(["XDG_SCREENSHOTS_DIR": tree.directory.path]).locate()
                == .success(tree.path("Pictures/Screenshots")))
        #expect(folder(["XDG_SCREENSHOTS_DIR": "shots"]).locate() == .success(tree.path("Pictures/Screenshots")))
        try tree.write("conf/user-dirs.dirs", "XDG_SCREENSHOTS_DIR=\"$HOME/Shots\"")
        let both = folder(["XDG_CONFIG_HOME": tree.path("conf"), "XDG_SCREENSHOTS_DIR": "/shots"])
        #expect(both.locate() == .success(tree.path("Shots")))
    }

    @Test("settings that cannot be read count as none")
    func unreadable() throws {
        try tree.write(".config/user-dirs.dirs", [0xff, 0x00] + Array("\nXDG_PICTURES_DIR=\"/no\"".utf8))
        #expect(folder().locate() == .success(tree.path("Pictures/Screenshots")))
        try tree.makePipe("conf/user-dirs.dirs")
        let pipe = folder(["XDG_CONFIG_HOME": tree.path("conf")])
        #expect(pipe.locate() == .success(tree.path("Pictures/Screenshots")))
    }

    @Test("without a home directory there is none, unless something names it", arguments: [nil, "", "home", "a\0b"])
    func homeless(home: String?) throws {
        var environment: [String: String] = [:]
        environment["HOME"] = home
        let folder = ScreenshotFolder(environment: environment)
        #expect(folder.settingsPath == nil)
        #expect(folder.locate().error?.code == .absent)
        #expect(folder.locate().error?.message == "HOME is not set to an absolute path")
        try tree.write("user-dirs.dirs", "XDG_SCREENSHOTS_DIR=\"$HOME/x\"\nXDG_PICTURES_DIR=\"/pictures\"")
        environment["XDG_CONFIG_HOME"] = tree.directory.path
        #expect(ScreenshotFolder(environment: environment).locate() == .success("/pictures/Screenshots"))
    }

    @Test(
        "pictures are known by their names",
        arguments: [
            ("Screenshot from 2026-01-02 10-11-12.png", true), ("a.JPG", true), ("a.jpeg", true), ("a.WebP", true),
            ("a.avif", true), ("a.heif", true), ("a.heic", true), ("a.jxl", true), ("a.bmp", true), ("a.tif", true),
            ("a.tiff", true), ("a.gif", true), ("a.ppm", true), ("a.b.png", true), ("\u{e9}.png", true),
            (".a.png", false), (".png", false), ("png", false), ("a.png.part", false), ("a.png~", false),
            ("a.svg", false), ("a.mp4", false), ("a.webm", false), ("a.", false), ("", false), ("a.png ", false),
            ("a.p\u{fe}g", false), ("a.pngpng", false), ("a.png\u{301}", false),
        ])
    func pictures(name: String, isPicture: Bool) {
        #expect(ScreenshotFolder.isPicture(name: name) == isPicture)
    }
}
