// SPDX-License-Identifier: MIT

import SystemFacts
import TestSupport
import Testing

@Suite("Desktop entries")
struct DesktopEntryTests {
    static let editor = """
        #!/usr/bin/env xdg-open
        [Desktop Entry]
        Type=Application
        Version=1.0
        Name=Editor
        Name[de]=Schreiber
        Name[pt_BR]=Editor de texto
        GenericName=Text Editor
        Comment=Edit texts
        Comment[de]=Texte bearbeiten
        Icon=com.example.Editor
        Exec=editor --new-window "two words" %U
        TryExec=editor
        Categories=Utility;TextEditor;;
        Keywords=write;text;
        Keywords[de]=schreiben;
        MimeType=text/plain;text/x-csrc;
        StartupWMClass=editor
        DBusActivatable=true
        Terminal=false
        X-GNOME-Gettext-Domain=example-editor
        Actions=new;

        [Desktop Action new]
        Name=New Window
        Name[fr]=Nouvelle fenêtre
        Exec=editor --other
        """

    private let tree: FileTree

    init() throws {
        tree = try FileTree()
    }

    @Test("all fields are read, from the group of the entry alone")
    func fields() throws {
        let path = try tree.write("system/applications/com.example.Editor.desktop", Self.editor)
        let entry = try tree.lookup().entry("com.example.Editor")
        #expect(entry.id == "com.example.Editor")
        #expect(entry.path == path)
        #expect(entry.name == "Editor")
        #expect(entry.genericName == "Text Editor")
        #expect(entry.comment == "Edit texts")
        #expect(entry.icon == "com.example.Editor")
        #expect(entry.exec == ["editor", "--new-window", "two words"])
        #expect(entry.tryExec == "editor")
        #expect(entry.categories == ["Utility", "TextEditor"])
        #expect(entry.keywords == ["write", "text"])
        #expect(entry.mimeTypes == ["text/plain", "text/x-csrc"])
        #expect(entry.startupWMClass == "editor")
        #expect(entry.isDBusActivatable)
        #expect(!entry.isNoDisplay)
        #expect(!entry.needsTerminal)
        #expect(entry.gettextDomain == "example-editor")
        #expect(entry.locales.map(\.description) == ["de", "pt_BR"])
        #expect(entry.problems.isEmpty)
    }

    @Test("texts are in the locale that is wanted")
    func translated() throws {
        try tree.write("system/applications/com.example.Editor.desktop", Self.editor)
        let entry = try tree.lookup(locale: "de_AT.UTF-8").entry("com.example.Editor")
        #expect(entry.name == "Schreiber")
        #expect(entry.genericName == "Text Editor")
        #expect(entry.comment == "Texte bearbeiten")
        #expect(entry.keywords == ["schreiben"])
    }

    @Test(
        "a command is split as the specification says",
        arguments: [
            ("app", ["app"]), ("  app   a  b ", ["app", "a", "b"]), ("app %U", ["app"]), ("app %f %i %c", ["app"]),
            ("app --name=%c x", ["app", "--name=", "x"]), ("app 100%%", ["app", "100%"]), ("app %", ["app", "%"]),
            (#"app "a b" """#, ["app", "a b", ""]), (#"app "q\\"x""#, ["app", #"q"x"#]),
            (#"app "\\$HOME \\`x\\` \\\\""#, ["app", #"$HOME `x` \"#]), (#"app "\\n""#, ["app", #"\n"#]),
            (#"app a" b"c"#, ["app", "a bc"]), ("app é", ["app", "é"]), (#"app\sa"#, ["app", "a"]),
            (#"app "open"#, []), ("%U", []), ("", []), (#"app "x\"#, []),
        ])
    func commands(line: String, expected: [String]) throws {
        try tree.write(
            "system/applications/a.b.desktop", "[Desktop Entry]\nType=Application\nName=A\nExec=\(line)\n")
        #expect(try tree.lookup().entry("a.b").exec == expected)
    }

    @Test("the user's entry goes before the system's")
    func order() throws {
        try tree.write("system/applications/a.b.desktop", "[Desktop Entry]\nType=Application\nName=system\n")
        #expect(try tree.lookup().entry("a.b").name == "system")
        try tree.write("home/applications/a.b.desktop", "[Desktop Entry]\nType=Application\nName=user\n")
        #expect(try tree.lookup().entry("a.b").name == "user")
    }

    @Test("an entry that the user has hidden hides the system's")
    func hidden() throws {
        try tree.write("system/applications/a.b.desktop", "[Desktop Entry]\nType=Application\nName=system\n")
        try tree.write("home/applications/a.b.desktop", "[Desktop Entry]\nHidden=true\n")
        #expect(factError { () throws(FactError) in try tree.lookup().entry("a.b") }?.code == .hidden)
    }

    @Test(
        "an entry that is none makes way for the next, and is told where there is no next",
        arguments: [
            "", "[Other]\nName=x\n", "[Desktop Entry]\nName=x\n", "[Desktop Entry]\nType=Link\nName=x\n",
            "[Desktop Entry]\nType=Directory\nName=x\n", "\u{0}\u{0}\u{0}",
        ])
    func damaged(text: String) throws {
        let path = try tree.write("home/applications/a.b.desktop", text)
        let failure = factError { () throws(FactError) in try tree.lookup().entry("a.b") }
        #expect(failure?.code == .malformed)
        #expect(failure?.path == path)
        try tree.write("system/applications/a.b.desktop", "[Desktop Entry]\nType=Application\nName=system\n")
        #expect(try tree.lookup().entry("a.b").name == "system")
    }

    @Test("a hyphen of an id may stand for a directory")
    func subdirectories() throws {
        try tree.write("system/applications/kde/org.x-y.desktop", "[Desktop Entry]\nType=Application\nName=1\n")
        try tree.write("system/applications/a/b/c-d.e.desktop", "[Desktop Entry]\nType=Application\nName=2\n")
        #expect(try tree.lookup().entry("kde-org.x-y").name == "1")
        #expect(try tree.lookup().entry("a-b-c-d.e").name == "2")
        try tree.write("home/applications/kde-org.x-y.desktop", "[Desktop Entry]\nType=Application\nName=3\n")
        #expect(try tree.lookup().entry("kde-org.x-y").name == "3")
    }

    @Test(
        "an id does not lead out of the tree",
        arguments: [
            "..-secret", "x-..-..-secret", "../secret", "/secret", ".", "..", "", "a\u{0}b", "sub/../../secret",
            ".hidden",
        ])
    func escapes(id: String) throws {
        let secret = "[Desktop Entry]\nType=Application\nName=secret\n"
        try tree.write("system/secret.desktop", secret)
        try tree.write("system/applications/.hidden.desktop", secret)
        try tree.makeDirectory("system/applications/x")
        try tree.makeDirectory("system/applications/sub")
        #expect(factError { () throws(FactError) in try tree.lookup().entry(id) }?.code == .absent)
    }

    @Test("texts that are too long for what they are, and locales of nobody, are left out")
    func bounded() throws {
        let long = String(repeating: "n", count: 4097)
        try tree.write(
            "system/applications/a.b.desktop",
            """
            [Desktop Entry]
            Type=Application
            Name=\(long)
            Name[x-test]=xx
            Name[de]=kurz
            Categories=A;\(long);B;
            Exec=app \(String(repeating: "x", count: 64 << 10))
            MimeType=\(String(repeating: "a/b;", count: 2000))
            """)
        let entry = try tree.lookup().entry("a.b")
        #expect(entry.name == nil)
        #expect(entry.categories == ["A", "B"])
        #expect(entry.exec == [])
        #expect(entry.mimeTypes.count == 1000)
        #expect(entry.locales.map(\.description) == ["de"])
        #expect(entry.problems.isEmpty)
    }

    @Test("an id of hyphens alone ends soon")
    func hyphens() throws {
        try tree.makeDirectory("system/applications/-/-/-/-/-/-")
        let start = ContinuousClock.now
        let id = String(repeating: "-", count: 247)
        #expect(factError { () throws(FactError) in try tree.lookup().entry(id) }?.code == .absent)
        #expect(ContinuousClock.now - start < .seconds(10))
    }
}
