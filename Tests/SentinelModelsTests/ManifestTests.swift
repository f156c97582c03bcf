// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("A manifest")
struct ManifestTests {
    private func read(_ text: String) throws -> Manifest {
        try Manifest(parsing: Array(text.utf8), of: try ApplicationID("com.example.App"))
    }

    private func whole(_ rest: String) -> String {
        #"{"application": {"id": "com.example.App"}\#(rest.isEmpty ? "" : ", \(rest)")}"#
    }

    @Test("says what an application is called, its preferences, tools and triggers")
    func all() throws {
        let manifest = try read(
            """
            {"application": {"id": "com.example.App", "name": "App", "build": "7"},
             "preferences": [{"key": "a", "name": "A", "default": 3},
                             {"key": "b", "name": "B", "default": 3, "kind": "double",
                              "storage": {"file": {"path": "/x", "format": "env", "key": "B"}}}],
             "tools": [{"id": "t", "name": "T", "kind": "text", "sections": [
               {"id": "s", "title": "S", "items": [{"id": "i", "kind": "double", "title": "I", "value": 3}]}]}],
             "triggers": [{"kind": "file", "options": {"path": "/tmp/x", "count": 2, "on": true}}]}
            """)
        #expect(manifest.description.name == "App")
        #expect(manifest.description.build == "7")
        #expect(manifest.description.icon == nil)
        #expect(manifest.preferences.map(\.declaration.defaultValue) == [.integer(3), .double(3)])
        #expect(manifest.preferences[0].storage == nil)
        #expect(manifest.preferences[1].storage == .file(path: "/x", format: .env, key: "B"))
        #expect(manifest.preferences[1].declaration.isMarked(.live))
        #expect(try manifest.tools[0].item(Name("i"))?.value == .double(3))
        #expect(try manifest.triggers[0].options[Name("count")] == .integer(2))
        #expect(manifest.unknownMembers == [])
    }

    @Test(
        "that is wrong says where",
        arguments: [
            ("{", "line 1"), ("{\n\n\"a\":}", "line 3"), ("[]", ""), ("{}", "application"),
            (#"{"application": {"id": "com.example.Other"}}"#, "application.id"),
            (#"{"application": {"id": "com.example.App", "name": 3}}"#, "application.name"),
        ])
    func wrong(text: String, place: String) {
        let problem = #expect(throws: ManifestProblem.self) { try read(text) }
        #expect(problem?.place == place)
    }

    @Test(
        "that has something wrong in it says where",
        arguments: [
            (#""preferences": {}"#, "preferences"), (#""preferences": [{"key": "a"}]"#, "preferences[0]"),
            (#""preferences": [{"key": "a", "default": 1}, {"key": "a", "default": 1}]"#, "preferences[1].key"),
            (
                #""preferences": [{"key": "a", "default": 1, "storage": {"file": {"path": "x", "format": "ini", "key": "a"}}}]"#,
                "preferences[0].storage.file.path"
            ),
            (
                #""preferences": [{"key": "a", "default": 1, "storage": {"file": {"path": "/x", "format": "xml", "key": "a"}}}]"#,
                "preferences[0].storage.file.format"
            ),
            (#""preferences": [{"key": "a", "default": 1, "storage": {"cloud": {}}}]"#, "preferences[0].storage"),
            (
                #""preferences": [{"key": "a", "default": 1, "storage": {"gsettings": {"schema": "--help", "key": "a"}}}]"#,
                "preferences[0].storage.gsettings.schema"
            ),
            (
                #""preferences": [{"key": "a", "default": 1, "storage": {"gsettings": {"schema": "a.b:c", "key": "a"}}}]"#,
                "preferences[0].storage.gsettings.schema"
            ),
            (
                #""preferences": [{"key": "a", "default": 1, "storage": {"gsettings": {"schema": "a.b:/c/", "key": "-a"}}}]"#,
                "preferences[0].storage.gsettings.key"
            ),
            (#""tools": [{"id": "t", "name": "T", "kind": "nail"}]"#, "tools[0].kind"),
            (
                #""tools": [{"id": "t", "name": "T", "kind": "text", "sections": [{"id": "s", "items": [{"id": "", "kind": "info"}]}]}]"#,
                "tools[0].sections[0].items[0].id"
            ),
            (#""triggers": [{"options": {}}]"#, "triggers[0].kind"),
            (#""triggers": [{"kind": "file", "options": {"path": []}}]"#, "triggers[0].options.path"),
        ])
    func wrongInside(rest: String, place: String) {
        let problem = #expect(throws: ManifestProblem.self) { try read(whole(rest)) }
        #expect(problem?.place == place)
    }

    @Test(
        "that has a number past the range says the range",
        arguments: [
            #""default": 18446744073709551615"#, #""default": 1, "min": 18446744073709551615"#,
        ])
    func range(members: String) {
        let problem = #expect(throws: ManifestProblem.self) {
            try read(whole(#""preferences": [{"key": "a", \#(members)}]"#))
        }
        #expect(problem?.reason.hasSuffix("a whole number of 64 bits with a sign, a finite number or text") == true)
    }

    @Test("names the members that mean nothing")
    func unknown() throws {
        let manifest = try read(
            whole(
                #""x": 1, "preferences": [{"key": "a", "default": 1, "colour": 1}], "tools": [{"id": "t", "name": "T","#
                    + #""kind": "text", "y": 1, "sections": [{"id": "s", "z": 1, "items": []}]}]"#))
        #expect(
            manifest.unknownMembers == ["preferences[0].colour", "tools[0].sections[0].z", "tools[0].y", "x"])
    }

    @Test("gives a tool that is the same after it was stored")
    func stored() throws {
        let manifest = try read(
            whole(
                """
                "tools": [{"id": "t", "name": "T", "kind": "custom", "description": "D", "icon": "i", "live": true,
                  "sections": [{"id": "s", "title": "S", "footer": "F", "items": [
                    {"id": "a", "kind": "toggle", "title": "A", "value": true, "sensitive": true},
                    {"id": "b", "kind": "double", "title": "B", "value": 1, "min": 0, "max": 3, "unit": "s"},
                    {"id": "c", "kind": "choice", "title": "C", "value": 2, "choices": [{"value": 1, "title": "X"},
                      {"value": 2, "title": "X"}], "writable": true},
                    {"id": "d", "kind": "text", "title": "D", "max_length": 3, "live": true},
                    {"id": "e", "kind": "navigation", "title": "E", "target": "t"},
                    {"id": "f", "kind": "action", "title": "F", "parameters": [{"name": "p", "kind": "integer",
                      "title": "P", "min": 1}]},
                    {"id": "g", "kind": "dial", "title": "G", "value": 0.5}]}]}]
                """))
        var reader = ToolReader(.declaration)
        let text = manifest.tools[0].json.serialized()
        #expect(try reader.tool(try JSONValue(parsing: Array(text.utf8)), at: "tool") == manifest.tools[0])
        #expect(reader.unknownMembers == [])
    }
}
