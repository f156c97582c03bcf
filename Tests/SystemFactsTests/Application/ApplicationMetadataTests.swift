// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SystemFacts

@Suite("Metadata of applications")
struct ApplicationMetadataTests {
    private let tree: FileTree
    private let id: ApplicationID

    init() throws {
        tree = try FileTree()
        id = try ApplicationID("com.example.Editor")
    }

    private func process(_ environment: [String: String] = [:], executable: String? = nil) -> ObservedProcess {
        ObservedProcess(processID: getpid(), executable: executable, environment: environment)
    }

    private func code<Value>(_ result: Fact<Value>) -> FactError.Code? {
        if case .failure(let failure) = result { failure.code } else { nil }
    }

    @Test("an application of which nothing is known has nothing but reasons")
    func nothing() {
        let found = ApplicationMetadata.gather(id, process: nil, in: tree.places())
        #expect(code(found.desktopEntry) == .absent)
        #expect(code(found.appStream) == .absent)
        #expect(code(found.sandbox) == .absent)
        #expect(found.facts.isEmpty)
        #expect(found.localizations.isEmpty)
        #expect(found.locale == nil)
        #expect(found.name == nil && found.icon == nil && found.version == nil && found.build == nil)
    }

    @Test("facts of all sources are gathered, each with its source, sorted by unique keys")
    func everything() throws {
        let entry = try tree.write("home/applications/com.example.Editor.desktop", DesktopEntryTests.editor)
        let metadata = try tree.write("system/metainfo/com.example.Editor.metainfo.xml", AppStreamTests.editor)
        let found = ApplicationMetadata.gather(
            id, process: process(["LANG": "fr_FR.UTF-8"]), in: tree.places(locale: "de_DE.UTF-8"))
        #expect(found.name == SourcedText("Schreiber", .desktopEntry(path: entry)))
        #expect(found.icon == SourcedText("com.example.Editor", .desktopEntry(path: entry)))
        #expect(found.version == SourcedText("2.0", .appStream(path: metadata)))
        #expect(found.build == nil)
        #expect(found.locale?.name == "fr_FR.UTF-8")
        let facts = found.facts
        let keys = facts.map(\.key)
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
        func fact(_ key: String) -> ApplicationFact? { facts.first { $0.key == key } }
        #expect(fact("desktop_entry.name")?.value == .text("Schreiber"))
        #expect(fact("desktop_entry.dbus_activatable")?.value == .flag(true))
        #expect(fact("desktop_entry.categories")?.value == .list(["Utility", "TextEditor"]))
        #expect(fact("appstream.developer")?.value == .text("Leute"))
        #expect(fact("appstream.languages")?.value == .list(["de", "fr", "pt_BR 97 %"]))
        #expect(fact("appstream.homepage")?.source == .appStream(path: metadata))
        #expect(fact("sandbox")?.value == .text("none"))
        #expect(
            fact("locale")
                == ApplicationFact(
                    key: "locale", value: .text("fr_FR.UTF-8"), source: .environment(variable: "LANG")))
        #expect(fact("localizations")?.value == .list(["de", "pt_BR"]))
        #expect(fact("desktop_entry.problems") == nil)
    }

    @Test("translations are those of the entry and of the catalogues of the id, the executable and the named domains")
    func localizations() throws {
        try tree.write("system/applications/com.example.Editor.desktop", DesktopEntryTests.editor)
        try tree.write("system/metainfo/com.example.Editor.metainfo.xml", AppStreamTests.editor)
        for name in [
            "system/locale/it/LC_MESSAGES/editor.mo", "home/locale/nl_BE/LC_MESSAGES/editor-bin.mo",
            "system/locale/sr@latin/LC_MESSAGES/example-editor.mo", "system/locale/ja/LC_MESSAGES/other.mo",
            "system/locale/C/LC_MESSAGES/editor.mo", "system/locale/pl/editor.mo",
            "system/locale/no name/LC_MESSAGES/editor.mo",
        ] {
            try tree.write(name, "")
        }
        try tree.makeDirectory("system/locale/fi/LC_MESSAGES/editor.mo")
        let running = process(executable: "/usr/bin/editor-bin")
        #expect(
            ApplicationMetadata.gather(id, process: running, in: tree.places()).localizations.map(\.description)
                == ["de", "it", "nl_BE", "pt_BR", "sr@latin"])
        #expect(
            ApplicationMetadata.gather(id, process: nil, in: tree.places()).localizations.map(\.description)
                == ["de", "it", "pt_BR", "sr@latin"])
    }

    @Test("an interpreter's catalogues are not the application's")
    func interpreters() throws {
        try tree.write("system/locale/it/LC_MESSAGES/bash.mo", "")
        let running = process(executable: "/usr/bin/bash")
        #expect(ApplicationMetadata.gather(id, process: running, in: tree.places()).localizations.isEmpty)
    }

    @Test("without an entry of its id the one that started the process counts, then the one of its executable")
    func otherEntries() throws {
        let program = try tree.write("bin/editor", "")
        try tree.write(
            "system/applications/editor.desktop", "[Desktop Entry]\nType=Application\nName=by command\nExec=editor\n")
        let launched = try tree.write(
            "system/applications/launched.desktop", "[Desktop Entry]\nType=Application\nName=by hint\nExec=other\n")
        func name(_ process: ObservedProcess?) -> String? {
            ApplicationMetadata.gather(id, process: process, in: tree.places()).name?.text
        }
        #expect(name(nil) == nil)
        #expect(name(process(executable: program)) == "by command")
        let hints = ["GIO_LAUNCHED_DESKTOP_FILE": launched, "GIO_LAUNCHED_DESKTOP_FILE_PID": "\(getpid())"]
        #expect(name(process(hints, executable: program)) == "by hint")
        try tree.write("home/applications/com.example.Editor.desktop", DesktopEntryTests.editor)
        #expect(name(process(hints, executable: program)) == "Editor")
        try tree.write("home/applications/com.example.Editor.desktop", "[Desktop Entry]\nHidden=true\n")
        let found = ApplicationMetadata.gather(id, process: process(hints, executable: program), in: tree.places())
        #expect(code(found.desktopEntry) == .hidden)
    }

    @Test("in a sandbox of Flatpak its application's entry counts, and the build is its commit")
    func flatpak() throws {
        let program = try tree.write("bin/editor", "")
        try tree.write(
            "system/applications/wrong.desktop", "[Desktop Entry]\nType=Application\nName=wrong\nExec=editor\n")
        try tree.write("system/applications/com.example.Editor.desktop", DesktopEntryTests.editor)
        let facts = FlatpakFacts(
            try KeyFile(SandboxFactsTests.flatpakInfo.utf8), application: "com.example.Editor")
        let found = ApplicationMetadata(
            try ApplicationID("com.example.Part"), process: process(executable: program),
            sandbox: .success(.flatpak(facts)), in: tree.places())
        #expect(found.name?.text == "Editor")
        let hints = [
            "GIO_LAUNCHED_DESKTOP_FILE": tree.path("system/applications/wrong.desktop"),
            "GIO_LAUNCHED_DESKTOP_FILE_PID": "\(getpid())",
        ]
        for sandbox in [SandboxFacts.flatpak(facts), .unidentified] {
            let name = ApplicationMetadata(
                try ApplicationID("com.example.Part"), process: process(hints, executable: program),
                sandbox: .success(sandbox), in: tree.places()
            ).name?.text
            #expect(name != "wrong")
        }
        #expect(found.build == SourcedText("4e1d2a7f00c0ffee", .flatpakInfo))
        let keys = found.facts.filter { $0.source == .flatpakInfo }.map(\.key)
        #expect(keys.contains("flatpak.permissions.sockets"))
        #expect(keys.contains("flatpak.runtime_commit"))
    }

    @Test("a snap's version is that of the snap, its build the revision")
    func snap() throws {
        let path = try tree.write("snap/editor/current/meta/snap.yaml", SandboxFactsTests.snapMetadata)
        try tree.write("system/metainfo/com.example.Editor.metainfo.xml", AppStreamTests.editor)
        try tree.write(
            "system/applications/editor_editor.desktop",
            "[Desktop Entry]\nType=Application\nName=of the snap\nX-SnapInstanceName=editor\n")
        let running = process(
            ["SNAP_NAME": "editor", "SNAP_REVISION": "12"], executable: tree.path("snap/editor/12/bin/editor"))
        let found = ApplicationMetadata.gather(id, process: running, in: tree.places())
        #expect(found.name?.text == "of the snap")
        let second = try tree.write(
            "system/applications/editor_second.desktop",
            "[Desktop Entry]\nType=Application\nName=second\nX-SnapInstanceName=editor\n")
        let foreign = try tree.write(
            "system/applications/bank.desktop", "[Desktop Entry]\nType=Application\nName=bank\n")
        for (hint, name) in [(second, "second"), (foreign, "of the snap")] {
            let environment = running.environment.merging(["BAMF_DESKTOP_FILE_HINT": hint]) { $1 }
            let hinted = process(environment, executable: running.executable)
            #expect(ApplicationMetadata.gather(id, process: hinted, in: tree.places()).name?.text == name)
        }
        #expect(found.version == SourcedText("1.10", .snapMetadata(path: path)))
        #expect(found.build == SourcedText("12", .environment(variable: "SNAP_REVISION")))
        #expect(found.facts.contains { $0.key == "snap.summary" && $0.source == .snapMetadata(path: path) })
    }

    @Test("places come of the environment")
    func places() {
        let places = ApplicationPlaces(environment: [
            "HOME": "/home/u", "XDG_DATA_DIRS": "/a", "PATH": "/bin:rel:/sbin/", "LC_ALL": "de_DE.UTF-8",
        ])
        #expect(places.dataDirectories.paths == ["/home/u/.local/share", "/a"])
        #expect(places.searchPath == ["/bin", "/sbin"])
        #expect(places.locales.map(\.description) == ["de_DE"])
        #expect(ApplicationPlaces(environment: [:]).searchPath == ["/usr/local/bin", "/usr/bin", "/bin"])
    }
}
