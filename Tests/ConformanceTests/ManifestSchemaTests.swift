// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import TestSupport
import Testing

@Suite("The schema of manifests", .timeLimit(.minutes(5)))
struct ManifestSchemaTests {
    private static let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Introspection/manifest.schema.json").path

    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        for error in Draft202012Validator(schema).iter_errors(json.loads(sys.argv[2])):
            print(error.json_path, error.message)
        """

    /// What the schema finds wrong with a document; the empty text for nothing.
    private func findings(in document: String) async throws -> String {
        let result = try await Command.run(["/usr/bin/python3", "-I", "-c", Self.script, Self.schema, document])
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("takes what a manifest can say")
    func whole() async throws {
        let document = """
            {"$schema": "manifest.schema.json",
             "application": {"id": "com.example.App", "name": "App", "icon": "app", "version": "1", "build": "7"},
             "preferences": [
               {"key": "size", "name": "Size", "default": 3, "kind": "double", "min": 1, "max": 9.5, "section": "Look",
                "storage": {"file": {"path": "~/.config/app.ini", "format": "ini", "key": "look/size"}}},
               {"key": "mode", "name": "Mode", "default": "a", "choices": [{"value": "a", "title": "A"}, {"value": "b"}],
                "storage": {"gsettings": {"schema": "com.example.App:/com/example/one/", "key": "mode"}}},
               {"key": "token", "default": "", "min_length": 0, "max_length": 64, "pattern": "[a-z]*", "sensitive": true,
                "private": true, "live": false, "read_only": false, "needs_restart": true}],
             "tools": [{"id": "t", "name": "T", "kind": "table", "live": false, "sections": [
               {"id": "s", "title": "S", "footer": "F", "items": [
                 {"id": "i", "kind": "integer", "title": "I", "value": 3, "min": 0, "writable": true, "unit": "s"},
                 {"id": "n", "kind": "navigation", "title": "N", "target": "t"},
                 {"id": "o", "kind": "dial", "title": "O", "value": 0.5},
                 {"id": "a", "kind": "action", "title": "A", "parameters": [
                   {"name": "p", "kind": "text", "title": "P", "max_length": 3}]}]}]}],
             "triggers": [{"kind": "shortcut", "options": {"preferred": "LOGO+d", "description": "Open", "present": true}}, {"kind": "shake"},
               {"kind": "signal", "options": {"interface": "a.b", "member": "C", "path": "/d", "arg0": ""}},
               {"kind": "file", "options": {"path": "~/touched", "present": false}}]}
            """
        #expect(try await findings(in: document) == "")
    }

    @Test(
        "finds what is wrong",
        arguments: [
            (#"{}"#, "application"), (#"{"application": {"id": "nonsense"}}"#, "$.application.id"),
            (#"{"application": {"id": "a.b"}, "tols": []}"#, "tols"),
            (#"{"application": {"id": "a.b"}, "preferences": [{"key": "k"}]}"#, "$.preferences[0]"),
            (
                #"{"application": {"id": "a.b"}, "tools": [{"id": "t", "name": "T", "kind": "nail"}]}"#,
                "$.tools[0].kind"
            ),
            (#"{"application": {"id": "a.b"}, "triggers": [{"kind": "nail"}]}"#, "$.triggers[0]"),
            (
                #"{"application": {"id": "a.b"}, "triggers": [{"kind": "shake", "options": {"event": "lock"}}]}"#,
                "$.triggers[0]"
            ),
            (
                #"{"application": {"id": "a.b"}, "triggers": [{"kind": "file", "options": {"path": "a"}}]}"#,
                "$.triggers[0]"
            ),
            (
                #"""
                {"application": {"id": "a.b"}, "triggers": [{"kind": "signal", "options":
                 {"interface": "org.sentinel.Tools1", "member": "Changed"}}]}
                """#, "$.triggers[0]"
            ),
            (
                #"{"application": {"id": "a.b"}, "preferences": [{"key": "k", "default": 1, "storage": {}}]}"#,
                "$.preferences[0].storage"
            ),
            (
                #"""
                {"application": {"id": "a.b"}, "preferences": [{"key": "k", "default": 1,
                 "storage": {"gsettings": {"schema": "--help", "key": "k"}}}]}
                """#, "$.preferences[0].storage"
            ),
        ])
    func wrong(document: String, place: String) async throws {
        let findings = try await findings(in: document)
        #expect(findings.contains(place), "\(findings)")
    }

    @Test(
        "knows with the service which items need a value",
        arguments: [
            ("info", "", false), ("performance", "", false), ("dial", "", false), ("text", #", "live": false"#, false),
            ("info", #", "value": 1"#, true), ("info", #", "live": true"#, true), ("action", "", true),
            ("navigation", #", "target": "t""#, true), ("custom", "", true),
        ])
    func values(kind: String, members: String, isTaken: Bool) async throws {
        let document = """
            {"application": {"id": "com.example.App"}, "tools": [{"id": "t", "name": "T", "kind": "table", "sections": [
             {"id": "s", "items": [{"id": "i", "kind": "\(kind)"\(members)}]}]}]}
            """
        try await expect(document, isTaken)
    }

    @Test(
        "knows with the service which keys a file can have",
        arguments: [
            ("env", "A_1", true), ("env", "1A", false), ("env", "a b", false), ("env", "", false),
            ("ini", "a", true), ("ini", "look/size", true), ("ini", "a/b c/d", true), ("ini", "/a", true),
            ("ini", "", false), ("ini", "a/", false), ("ini", "a]/b", false), ("ini", " a/b", false),
            ("ini", "a/b=c", false), ("ini", "a/#b", false), ("ini", "b ", false), ("json", "a=/]", true),
        ])
    func keys(format: String, key: String, isTaken: Bool) async throws {
        let document = """
            {"application": {"id": "com.example.App"}, "preferences": [{"key": "k", "default": 1,
             "storage": {"file": {"path": "/x", "format": "\(format)", "key": "\(key)"}}}]}
            """
        try await expect(document, isTaken)
    }

    /// Holds the schema against the service.
    private func expect(_ document: String, _ isTaken: Bool) async throws {
        #expect(try await findings(in: document).isEmpty == isTaken)
        let id = try ApplicationID("com.example.App")
        if isTaken {
            _ = try Manifest(parsing: Array(document.utf8), of: id)
        } else {
            #expect(throws: ManifestProblem.self) { try Manifest(parsing: Array(document.utf8), of: id) }
        }
    }
}
