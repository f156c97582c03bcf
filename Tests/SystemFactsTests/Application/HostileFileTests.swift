// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SystemFacts

/// Files that are not what their names say. A read that blocked would hold the suite until its time is over.
@Suite("Hostile files", .timeLimit(.minutes(5)))
struct HostileFileTests {
    private let tree: FileTree
    private let id: ApplicationID

    init() throws {
        tree = try FileTree()
        id = try ApplicationID("com.example.Editor")
    }

    private static let names = [
        "home/applications/com.example.Editor.desktop", "home/metainfo/com.example.Editor.metainfo.xml",
        "snap/editor/current/meta/snap.yaml",
    ]

    /// Why the file of a name is not read.
    private func failure(of name: String) throws -> FactError? {
        if name.hasSuffix(".desktop") {
            return factError { () throws(FactError) in try tree.lookup().entry(id.text) }
        }
        if name.hasSuffix(".xml") {
            return factError { () throws(FactError) in
                try AppStreamMetadata.find(id, in: tree.dataDirectories, locales: [])
            }
        }
        return try SnapFacts("editor", process: nil, directories: [tree.path("snap")]).absence
    }

    @Test("a key with very many translations takes no more time than as many keys", .timeLimit(.minutes(5)))
    func manyTranslations() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let pairs = letters.flatMap { first in letters.map { "\(first)\($0)" } }
        let languages = pairs.flatMap { pair in letters.map { "\(pair)\($0)" } }
        let lines = ["", "_AA", "_BB"].flatMap { country in languages.prefix(16_000).map { "Name[\($0)\(country)]=x" } }
        // Several, so that the time is over where it grows with the square of the translations.
        for _ in 0..<5 {
            let file = try KeyFile(("[Desktop Entry]\n" + lines.joined(separator: "\n")).utf8)
            #expect(file.locales(of: "Name", in: "Desktop Entry").count == lines.count)
        }
    }

    @Test("a pipe is not opened", arguments: names)
    func pipes(name: String) throws {
        try tree.makePipe(name)
        #expect(try failure(of: name)?.code == .failed)
    }

    @Test("a directory is not read", arguments: names)
    func directories(name: String) throws {
        try tree.makeDirectory(name)
        #expect(try failure(of: name)?.code == .failed)
    }

    @Test("a device is not opened, by a link either", arguments: names, ["/dev/zero", "/dev/tty", "/dev/null"])
    func devices(name: String, device: String) throws {
        try tree.link(name, to: device)
        #expect(try failure(of: name)?.code == .failed)
    }

    @Test("a link to nothing is missing, one to itself cannot be read", arguments: names)
    func brokenLinks(name: String) throws {
        try tree.link(name, to: "nowhere")
        #expect(try failure(of: name) != nil)
        try FileManager.default.removeItem(atPath: tree.path(name))
        try tree.link(name, to: tree.path(name))
        #expect(try failure(of: name)?.code == .failed)
    }

    @Test("a file without end is not read to its end", arguments: names)
    func large(name: String) throws {
        try tree.write(name, "")
        let handle = try #require(FileHandle(forWritingAtPath: tree.path(name)))
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        #expect(try failure(of: name)?.code == .tooLarge)
    }

    @Test("what a kernel file says is no metadata", arguments: names, ["/proc/self/environ", "/proc/self/maps"])
    func kernelFiles(name: String, file: String) throws {
        try tree.link(name, to: file)
        if name.hasSuffix(".yaml") {
            #expect(try SnapFacts("editor", process: nil, directories: [tree.path("snap")]).version == nil)
        } else {
            #expect(try failure(of: name)?.code == .malformed)
        }
    }

    @Test("a link out of the tree is followed, as package managers make them")
    func links() throws {
        let store = try tree.write("store/abc/editor.desktop", DesktopEntryTests.editor)
        try tree.link("home/applications/com.example.Editor.desktop", to: store)
        #expect(try tree.lookup().entry(id.text).name == "Editor")
        try tree.makeDirectory("other")
        try tree.write("other/x.desktop", DesktopEntryTests.editor)
        try tree.link("home/applications/sub", to: tree.path("other"))
        #expect(try tree.lookup().entry("sub-x").name == "Editor")
    }

    @Test("a circle of directories ends")
    func circles() throws {
        try tree.link("home/applications/sub", to: tree.path("home/applications"))
        try tree.link("home/applications/sub2", to: tree.path("home/applications"))
        let program = try tree.write("bin/editor", "")
        try tree.write("home/applications/com.example.Editor.desktop", DesktopEntryTests.editor)
        #expect(factError { () throws(FactError) in try tree.lookup().entry("sub-sub-sub-sub-sub-sub-x") } != nil)
        _ = factError { () throws(FactError) in try tree.lookup().entry(forExecutable: program) }
    }

    @Test("a file in the place of a directory holds nothing")
    func noDirectories() throws {
        for name in ["home", "system/applications", "system/locale", "system/metainfo", "snap"] {
            try tree.write(name, "")
        }
        let found = ApplicationMetadata.gather(id, process: nil, in: tree.places())
        #expect(found.facts.isEmpty)
        try tree.makePipe("pipes/locale")
        #expect(
            Localizations(directories: DataDirectories(paths: [tree.path("pipes")])).locales(ofDomains: ["x"]).isEmpty)
    }

    @Test("lines of a megabyte are read in a moment")
    func longLines() throws {
        let filler = String(repeating: "x;\\;%f\"", count: (1 << 20) / 7 - 20)
        for line in ["Name=\(filler)", "Keywords=\(filler)", "Exec=\(filler)", "[\(filler)]", filler, "#\(filler)"] {
            try tree.write(
                "home/applications/com.example.Editor.desktop",
                "[Desktop Entry]\nType=Application\nIcon=i\n\(line)\n")
            let start = ContinuousClock.now
            #expect(try tree.lookup().entry(id.text).icon == "i")
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test(
        "no domain leads out of the directories of locales", arguments: ["../x", "a/b", "", ".", "..", "a\u{0}", "a b"])
    func domains(domain: String) throws {
        try tree.write("system/locale/de/LC_MESSAGES/\(domain.hasPrefix("../") ? "x.mo" : "y.mo")", "")
        try tree.write("system/locale/de/x.mo", "")
        #expect(Localizations(directories: tree.dataDirectories).locales(ofDomains: [domain]).isEmpty)
    }

    @Test("a path with a NUL or without a slash in front is refused")
    func paths() {
        for path in ["", "a", "/etc/passwd\u{0}.desktop"] {
            #expect(factError { () throws(FactError) in try SmallFile.read(path, limit: 10) }?.code == .refused)
        }
    }

    @Test("a file that may not be read says so")
    func permissions() throws {
        let name = "home/applications/com.example.Editor.desktop"
        try tree.write(name, DesktopEntryTests.editor)
        chmod(tree.path(name), 0)
        // The superuser may read everything.
        guard geteuid() != 0 else { return }
        #expect(try failure(of: name)?.code == .denied)
    }
}
