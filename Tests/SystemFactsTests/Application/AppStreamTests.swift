// SPDX-License-Identifier: MIT

import SentinelModels
import TestSupport
import Testing

@testable import SystemFacts

@Suite("AppStream metadata")
struct AppStreamTests {
    static let editor = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Copyright -->
        <component type="desktop-application">
          <id>com.example.Editor</id>
          <metadata_license>CC0-1.0</metadata_license>
          <project_license>GPL-3.0-or-later</project_license>
          <name>Editor</name>
          <name xml:lang="de">Schreiber</name>
          <name xml:lang="pt-BR">Escritor</name>
          <summary>Edit
             texts &amp; more</summary>
          <summary xml:lang="sr-Latn">Uredi</summary>
          <developer id="com.example"><name>Example &lt;People&gt;</name><name xml:lang="de">Leute</name></developer>
          <description><p>Name: <em>x</em></p><ul><li><name>wrong</name></li></ul></description>
          <url type="homepage">https://example.com/</url>
          <url type="bugtracker">https://example.com/bugs</url>
          <launchable type="desktop-id">com.example.Editor.desktop</launchable>
          <translation type="gettext">example-editor</translation>
          <translation type="qt">other</translation>
          <releases>
            <release version="2.0" date="2024-02-29"><description><p>x</p></description></release>
            <release version="2.1~rc1" date="2024-05-31" type="development"/>
            <release version="1.9" timestamp="1700000000"/>
          </releases>
          <content_rating type="oars-1.1"><content_attribute id="x">none</content_attribute></content_rating>
          <languages><lang percentage="97">pt-BR</lang><lang>de</lang><lang percentage="x">fr</lang></languages>
          <unknown><name>wrong</name></unknown>
        </component>
        """

    private let tree: FileTree
    private let id: ApplicationID

    init() throws {
        tree = try FileTree()
        id = try ApplicationID("com.example.Editor")
    }

    private func find(_ locale: String = "") throws(FactError) -> AppStreamMetadata {
        try AppStreamMetadata.find(id, in: tree.dataDirectories, locales: tree.places(locale: locale).locales)
    }

    private func wrapped(_ content: String) -> String {
        "<component><id>com.example.Editor</id>\(content)</component>"
    }

    @Test("all fields are read, from their own places alone")
    func fields() throws {
        let path = try tree.write("system/metainfo/com.example.Editor.metainfo.xml", Self.editor)
        let found = try find()
        #expect(found.path == path)
        #expect(found.id == "com.example.Editor")
        #expect(found.type == "desktop-application")
        #expect(found.name == "Editor")
        #expect(found.summary == "Edit texts & more")
        #expect(found.developer == "Example <People>")
        #expect(found.projectLicense == "GPL-3.0-or-later")
        #expect(found.metadataLicense == "CC0-1.0")
        #expect(found.latestRelease == .init(version: "2.0", date: "2024-02-29", isStable: true))
        #expect(
            found.addresses == ["homepage": "https://example.com/", "bugtracker": "https://example.com/bugs"])
        #expect(found.contentRating == "oars-1.1")
        #expect(found.gettextDomains == ["example-editor"])
        #expect(found.languages.map(\.locale.description) == ["de", "fr", "pt_BR"])
        #expect(found.languages.map(\.percentage) == [nil, nil, 97])
    }

    @Test(
        "texts are in the locale that is wanted",
        arguments: [
            ("de_AT.UTF-8", "Schreiber", "Leute", "Edit texts & more"),
            ("pt_BR", "Escritor", "Example <People>", "Edit texts & more"),
            ("pt_PT", "Editor", "Example <People>", "Edit texts & more"),
            ("sr_RS@latin", "Editor", "Example <People>", "Uredi"),
            ("sr_RS", "Editor", "Example <People>", "Edit texts & more"),
        ])
    func translated(locale: String, name: String, developer: String, summary: String) throws {
        try tree.write("system/metainfo/com.example.Editor.metainfo.xml", Self.editor)
        let found = try find(locale)
        #expect(found.name == name)
        #expect(found.developer == developer)
        #expect(found.summary == summary)
    }

    @Test("a language holds for what is inside, and an empty one ends it")
    func inherited() throws {
        try tree.write(
            "system/metainfo/com.example.Editor.metainfo.xml",
            wrapped("<developer xml:lang='de'><name>Leute</name><name xml:lang=''>People</name></developer>"))
        #expect(try find().developer == "People")
        #expect(try find("de").developer == "Leute")
    }

    @Test("the places are tried in order, the user's first")
    func order() throws {
        func name(_ text: String) -> String { wrapped("<name>\(text)</name>") }
        for (file, text) in [
            ("system/appdata/com.example.Editor.appdata.xml", "4"),
            ("system/metainfo/com.example.Editor.appdata.xml", "3"),
            ("system/metainfo/com.example.Editor.metainfo.xml", "2"),
            ("home/metainfo/com.example.Editor.appdata.xml", "1"),
        ] {
            try tree.write(file, name(text))
            #expect(try find().name == text)
        }
    }

    @Test(
        "old names of elements and ids are understood",
        arguments: [
            "<application><id type='desktop'>com.example.Editor.desktop</id><developer_name>Old</developer_name></application>",
            "<component><id>editor</id><developer_name>Old</developer_name><provides><id>com.example.Editor</id></provides></component>",
            "<component><id>e</id><developer_name>Old</developer_name><launchable type='desktop-id'>com.example.Editor.desktop</launchable></component>",
        ])
    func oldFiles(text: String) throws {
        try tree.write("system/metainfo/com.example.Editor.appdata.xml", text)
        #expect(try find().developer == "Old")
    }

    @Test(
        "a file that is damaged is absent with the reason, and makes way for the next",
        arguments: [
            "", "<component>", "<html/>", "<component><id>com.example.Other</id></component>", "<component/>",
            "<!DOCTYPE component [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><component><id>&x;</id></component>",
            "<component><id>com.example.Editor</id><name>\u{0}</name></component>",
        ])
    func damaged(text: String) throws {
        let path = try tree.write("home/metainfo/com.example.Editor.metainfo.xml", text)
        let failure = factError { () throws(FactError) in try find() }
        #expect(failure?.code == .malformed)
        #expect(failure?.path == path)
        try tree.write("system/metainfo/com.example.Editor.metainfo.xml", wrapped("<name>next</name>"))
        #expect(try find().name == "next")
    }

    @Test("no file is missing")
    func missing() {
        #expect(factError { () throws(FactError) in try find() }?.code == .absent)
    }

    @Test(
        "the latest release is the newest stable one by its day",
        arguments: [
            ("<release version='1' date='2020-01-01'/><release version='2' date='2021-01-01'/>", "2", "2021-01-01"),
            (
                "<release version='2' date='2021-01-01'/><release version='1' date='2020-01-01T10:00:00Z'/>", "2",
                "2021-01-01"
            ),
            ("<release version='2'/><release version='1'/>", "2", nil),
            ("<release version='2b' type='development' date='2022-01-01'/>", "2b", "2022-01-01"),
            ("<release version='1' timestamp='0'/>", "1", "1970-01-01"),
            ("<release version='1' timestamp='-99999999999999999'/>", "1", nil),
            ("<release version='1' timestamp='99999999999999999999999'/>", "1", nil),
            ("<release version='1' date='2024-13-01'/>", "1", nil),
            ("<release version='1' date='yesterday'/>", "1", nil),
            ("<release version='1' date='2024-05-31x'/>", "1", nil), ("<release date='2024-05-31'/>", nil, nil),
        ] as [(String, String?, String?)])
    func releases(content: String, version: String?, date: String?) throws {
        try tree.write("system/metainfo/com.example.Editor.metainfo.xml", wrapped("<releases>\(content)</releases>"))
        let release = try find().latestRelease
        #expect(release?.version == version)
        #expect(release?.date == date)
    }

    @Test("texts that are too long for what they are, and more of a sort than there can be, are left out")
    func bounded() throws {
        let ids = String(repeating: "<provides><id>x</id></provides><id>y</id>", count: 20_000)
        try tree.write(
            "system/metainfo/com.example.Editor.metainfo.xml",
            wrapped("<name>\(String(repeating: "n", count: 5000))</name>\(ids)<summary>s</summary>"))
        let start = ContinuousClock.now
        let found = try find()
        #expect(found.name == nil)
        #expect(found.summary == "s")
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
